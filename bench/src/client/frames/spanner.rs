//! Change records, cut into columns.

use acequia_decode::spanner::{Assembler, ChangeBatch, Options, Shape, Step, TablePlan};
use bytes::Bytes;

use super::{Plan, WHAT};
use crate::Failed;
use crate::error::Of as _;

pub(super) fn read(frames: &[Bytes], plan: Plan, batch: &mut ChangeBatch) -> Result<(), Failed> {
    batch.clear();
    let mut assembler = Assembler::new(Shape::GoogleSql, Options::default());
    for frame in frames {
        assembler.push(frame.clone()).of(WHAT)?;
        loop {
            match assembler.next(batch, &mut |_, _, _| false).of(WHAT)? {
                Step::Empty => break,
                Step::Unplanned(table) => {
                    let columns = vec![true; table.columns.len()];
                    let answer = answer(plan, columns);
                    assembler.plan(table.id, answer).of(WHAT)?;
                }
                Step::Record(_)
                | Step::Covered
                | Step::Heartbeat(_)
                | Step::Children { .. }
                | Step::PartitionStart { .. }
                | Step::PartitionEnd { .. }
                | Step::PartitionEvent { .. } => {}
            }
        }
    }
    Ok(())
}

fn answer(plan: Plan, mut columns: Vec<bool>) -> TablePlan {
    if let (Plan::AllButOne, Some(column)) = (plan, columns.last_mut()) {
        *column = false;
    }
    TablePlan {
        table: plan != Plan::Nothing,
        columns,
    }
}
