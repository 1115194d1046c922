//! Mutations, cut into columns.

use acequia_decode::bigtable::{Assembler, MutationBatch, Names, NamesPlan, Options, Step};
use bytes::Bytes;

use super::{Plan, WHAT};
use crate::Failed;
use crate::error::Of as _;

/// The table that a batch is said to be of.
pub(super) const TABLE: &str = "orders";

pub(super) fn read(frames: &[Bytes], plan: Plan, batch: &mut MutationBatch) -> Result<(), Failed> {
    batch.clear();
    let mut assembler = Assembler::new(Options {
        // Without lists, a reader is not asked about names.
        filter_names: plan != Plan::Everything,
        skip_messages_without_change: true,
        ..Options::default()
    });
    for frame in frames {
        assembler.push(frame.clone()).of(WHAT)?;
        loop {
            match assembler.next(batch).of(WHAT)? {
                Step::Empty => break,
                Step::Unplanned(names) => assembler.plan(&answer(plan, &names)).of(WHAT)?,
                Step::Mutation(_) | Step::Heartbeat { .. } | Step::Close { .. } => {}
            }
        }
    }
    Ok(())
}

fn answer(plan: Plan, names: &Names) -> NamesPlan {
    let columns = names.columns.iter().map(|family| {
        let mut passes = vec![true; family.qualifiers.len()];
        if let (Plan::AllButOne, Some(column)) = (plan, passes.last_mut()) {
            *column = false;
        }
        passes
    });
    NamesPlan {
        families: vec![plan != Plan::Nothing; names.families.len()],
        columns: columns.collect(),
    }
}
