//! The committed seeds, and what becomes of them when bytes change or are missing: an answer or an
//! error, never a panic, and no more memory than the input stands for.

use acequia_decode::bigtable::{Assembler, MutationBatch, Options, Step};
use bytes::Bytes;

use super::drive::answer;
use crate::corpus::{BASE_BYTES, GROWTH_MAX, is_good, seeds, stream, with_damage};

/// Reads frames to their end or to the first error; whether there was none.
fn read(filter_names: bool, frames: &[Bytes]) -> bool {
    let mut batch = MutationBatch::default();
    let mut assembler = Assembler::new(Options {
        filter_names,
        ..Options::default()
    });
    let is_read = frames
        .iter()
        .all(|frame| assembler.push(frame.clone()).is_ok() && drain(&mut assembler, &mut batch));
    let sent: usize = frames.iter().map(Bytes::len).sum();
    assert!(batch.bytes() <= BASE_BYTES + GROWTH_MAX * sent);
    let entries = batch.entry_ends.last().map_or(0, |&end| end as usize);
    assert_eq!(
        (batch.values.len(), batch.qualifiers.len()),
        (entries, entries)
    );
    is_read && assembler.finish().is_ok()
}

fn drain(assembler: &mut Assembler, batch: &mut MutationBatch) -> bool {
    loop {
        match assembler.next(batch) {
            Ok(Step::Empty) => return true,
            Ok(Step::Unplanned(names)) => {
                // Some columns are dropped, so that both ways are taken.
                let plan = answer(&names, |_, qualifier| {
                    qualifier.is_none_or(|name| name.len() % 2 == 0)
                });
                assembler.plan(&plan).unwrap();
            }
            Ok(_) => {}
            Err(_) => return false,
        }
    }
}

#[test]
fn frames_are_read_or_refused() {
    for (path, seed) in seeds("bigtable/frames") {
        for filter_names in [false, true] {
            let is_read = read(filter_names, &stream(&seed));
            assert_eq!(is_read, is_good(&path), "{}", path.display());
            with_damage(&seed, |bytes| {
                read(filter_names, &stream(bytes));
            });
        }
    }
}
