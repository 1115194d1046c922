//! Frames and batches to measure single steps with.

use acequia_decode::spanner::{Assembler, ChangeBatch, Options, Shape, Step, TablePlan};
use acequia_sandbox::spanner::history::Pace;
use bytes::Bytes;

use super::open::Opened;
use super::raw;
use crate::error::Of as _;
use crate::{Failed, server};

const WHAT: &str = "the frames";

/// The frames of so many records of one partition, the first of which tells the columns.
///
/// # Errors
/// The sandbox does not serve them.
pub fn of_records(records: u32) -> Result<Vec<Bytes>, Failed> {
    let runtime = tokio::runtime::Runtime::new().of(WHAT)?;
    runtime.block_on(async {
        let (_sandbox, target) = server::start(1, 1, Pace::AtOnce { records })?;
        let opened = Opened::connect(&target).await?;
        let mut stream = raw::open(&opened, &target, 0).await?;
        let mut frames = Vec::new();
        // The last message is the heartbeat at the bound.
        while let Some(frame) = stream.message().await.of(WHAT)? {
            frames.push(frame);
        }
        frames.pop();
        Ok(frames)
    })
}

/// What a plan leaves of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plan {
    /// Nothing: it is read as far as its table.
    Nothing,
    /// All of it.
    Everything,
    /// All but one column.
    AllButOne,
}

/// Reads frames into a batch, as a reader does.
///
/// # Errors
/// A frame is not what it should be.
pub fn batch(frames: &[Bytes], plan: Plan, batch: &mut ChangeBatch) -> Result<(), Failed> {
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
