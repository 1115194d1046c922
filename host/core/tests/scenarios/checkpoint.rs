//! The bytes of a checkpoint.

use acequia_core::{Checkpoint, CheckpointError, Covered, Limits, Start, Until};

use super::bench::{Bench, at, id};

const V1: &[u8] = include_bytes!("../fixtures/checkpoint-v1.txt");

#[test]
fn version_1_is_read() {
    let checkpoint = Checkpoint::decode(V1).unwrap();
    assert_eq!(checkpoint.generation.get(), 42);
    assert_eq!(
        checkpoint.watermark,
        at(3) - jiff::SignedDuration::from_nanos(1)
    );
    assert_eq!(checkpoint.sink_state.as_str(), "out.ndjson 1024");
    assert_eq!(
        checkpoint.identity["source"],
        "projects/p/instances/i/databases/d"
    );
    let busy = &checkpoint.partitions[&id("busy")];
    assert!(busy.position.covers(at(3), "txn-1", "00000002"));
    assert!(!busy.position.covers(at(3), "txn-1", "00000003"));
    let waiting = &checkpoint.partitions[&id("waiting")];
    assert_eq!(waiting.after[&id("busy")], Until::End);
    assert_eq!(waiting.after[&id("moved")], Until::At(at(9)));
    assert_eq!(waiting.position.covered, Covered::Nothing);
    assert_eq!(
        checkpoint.partitions[&id("idle")].position.covered,
        Covered::All
    );
    assert!(checkpoint.tombstones.contains_key(&id("done")));
    assert_eq!(checkpoint.encode().unwrap(), V1);
}

#[test]
fn version_1_goes_on() {
    let start = Start::Checkpoint(Checkpoint::decode(V1).unwrap());
    let bench = Bench::start(Limits::default(), start);
    assert_eq!((bench.openings("busy"), bench.openings("idle")), (1, 1));
    assert_eq!(bench.openings("waiting"), 0);
}

#[test]
fn any_changed_byte_is_damage() {
    for index in 0..V1.len() {
        let mut bytes = V1.to_vec();
        bytes[index] ^= 1;
        let error = Checkpoint::decode(&bytes).unwrap_err();
        assert!(
            matches!(error, CheckpointError::Damaged { .. }),
            "{index}: {error}"
        );
    }
}

#[test]
fn any_missing_tail_is_damage() {
    for length in 0..V1.len() {
        let error = Checkpoint::decode(&V1[..length]).unwrap_err();
        assert!(matches!(error, CheckpointError::Damaged { .. }), "{length}");
    }
}

#[test]
fn a_newer_version_is_named() {
    let newer = String::from_utf8(V1.to_vec())
        .unwrap()
        .replacen(" 1 ", " 7 ", 1);
    let error = Checkpoint::decode(newer.as_bytes()).unwrap_err();
    assert_eq!(error, CheckpointError::Newer { version: 7 });
}
