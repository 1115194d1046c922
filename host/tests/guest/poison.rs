//! One poison record costs one record.

use std::io::{Write as _, stderr};

use acequia_host::guest::{BisectError, CallError, FailureKind, Stopped};
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;

use crate::batches::{batch, id};
use crate::guests::{IMPATIENT, LIMITS, hostile};
use crate::soak;

/// Values of which those at the given places are poison.
fn values(records: usize, poison: &[usize]) -> Vec<&'static str> {
    (0..records)
        .map(|index| {
            if poison.contains(&index) {
                "poison"
            } else {
                "good"
            }
        })
        .collect()
}

#[tokio::test]
async fn of_a_hundred_records_with_one_poison_ninety_nine_go_on() {
    let mut guest = hostile(LIMITS, "poison-trap").await.unwrap();
    let result = guest
        .deserialize_all(&batch(values(100, &[37])))
        .await
        .unwrap();

    let expected: Vec<u32> = (0..100).filter(|&index| index != 37).collect();
    assert_eq!(result.source, expected);
    let ids: Vec<String> = (0..100).filter(|&index| index != 37).map(id).collect();
    let outputs: Vec<&[u8]> = result.outputs.values.iter().collect();
    assert_eq!(
        outputs,
        ids.iter().map(String::as_bytes).collect::<Vec<_>>()
    );
    assert_eq!(result.outputs.keys.len(), 99);
    let [failure] = result.failures.as_slice() else {
        panic!("{:?}", result.failures)
    };
    assert_eq!((failure.record, failure.kind), (37, FailureKind::Trap));
}

#[tokio::test]
async fn poison_at_both_ends_and_side_by_side_is_found() {
    let poison = [0, 63, 64, 127];
    let mut guest = hostile(LIMITS, "poison-trap").await.unwrap();
    let result = guest
        .deserialize_all(&batch(values(128, &poison)))
        .await
        .unwrap();
    let failed: Vec<usize> = result
        .failures
        .iter()
        .map(|failure| failure.record)
        .collect();
    assert_eq!(failed, poison);
    assert_eq!(result.source.len(), 124);
    assert!(result.source.is_sorted());
}

#[tokio::test]
async fn poison_anywhere_is_found() {
    let mut guest = hostile(LIMITS, "poison-trap").await.unwrap();
    let mut runner = TestRunner::deterministic();
    let places = prop::collection::btree_set(0..128_usize, 0..12);
    let (mut found, mut good) = (0, 0);
    for _ in 0..soak::times(8, 500) {
        let poison: Vec<usize> = places
            .new_tree(&mut runner)
            .unwrap()
            .current()
            .into_iter()
            .collect();
        let batch = batch(values(128, &poison));
        let result = guest.deserialize_all(&batch).await.unwrap();
        let failed: Vec<usize> = result
            .failures
            .iter()
            .map(|failure| failure.record)
            .collect();
        assert_eq!(failed, poison);
        assert_eq!(result.source.len(), 128 - poison.len());
        found += poison.len();
        good += result.source.len();
    }
    writeln!(stderr(), "{found} poison records among {good} good ones").unwrap();
}

#[tokio::test]
async fn a_batch_of_nothing_but_poison_fails_record_by_record() {
    let mut guest = hostile(LIMITS, "trap").await.unwrap();
    let result = guest.deserialize_all(&batch(values(8, &[]))).await.unwrap();
    let failed: Vec<usize> = result
        .failures
        .iter()
        .map(|failure| failure.record)
        .collect();
    assert_eq!(failed, [0, 1, 2, 3, 4, 5, 6, 7]);
    assert!(result.source.is_empty());
}

#[tokio::test]
async fn a_record_that_never_ends_costs_one_record() {
    let mut guest = hostile(IMPATIENT, "poison-spin").await.unwrap();
    let result = guest
        .deserialize_all(&batch(values(16, &[5])))
        .await
        .unwrap();
    let [failure] = result.failures.as_slice() else {
        panic!("{:?}", result.failures)
    };
    assert_eq!((failure.record, failure.kind), (5, FailureKind::Timeout));
    assert_eq!(result.source.len(), 15);
}

#[tokio::test]
async fn a_component_that_never_ends_stops_the_run() {
    let mut guest = hostile(IMPATIENT, "spin").await.unwrap();
    let error = guest
        .deserialize_all(&batch(values(128, &[])))
        .await
        .unwrap_err();
    assert_eq!(error, BisectError::Stuck);
}

#[tokio::test]
async fn after_a_trap_a_new_instance_answers_with_the_same_configuration() {
    let mut guest = hostile(LIMITS, "poison-trap").await.unwrap();
    for _ in 0..soak::times(3, 2000) {
        let error = guest.deserialize(&batch(["poison"])).await.unwrap_err();
        assert!(
            matches!(error, CallError::Stopped(Stopped::Trap(_))),
            "{error}"
        );
        let answer = guest.deserialize(&batch(["good"])).await.unwrap();
        assert_eq!(answer.source, [0]);
    }
}

#[tokio::test]
async fn a_call_that_was_dropped_half_way_leaves_a_usable_component() {
    let mut guest = hostile(LIMITS, "poison-spin").await.unwrap();
    let poison = batch(["poison"]);
    let call = guest.deserialize(&poison);
    assert!(
        tokio::time::timeout(IMPATIENT.call_timeout, call)
            .await
            .is_err()
    );
    assert_eq!(
        guest.deserialize(&batch(["good"])).await.unwrap().source,
        [0]
    );
}

#[tokio::test]
async fn no_error_holds_a_value() {
    let mut guest = hostile(LIMITS, "poison-trap").await.unwrap();
    let result = guest
        .deserialize_all(&batch(["poison", "secret"]))
        .await
        .unwrap();
    let told = format!("{result:?}");
    assert!(
        !told.contains("poison") && !told.contains("secret"),
        "{told}"
    );
}
