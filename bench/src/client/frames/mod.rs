//! Frames and batches to measure single steps with.

mod bigtable;
mod spanner;

use acequia_decode::bigtable::MutationBatch;
use acequia_decode::spanner::ChangeBatch;
use acequia_host::batch::Batch;
use acequia_sandbox::spanner::history::Pace;
use bytes::Bytes;

use super::open::Opened;
use super::raw;
use crate::Failed;
use crate::error::Of as _;
use crate::server::{self, Load};
use crate::service::Service;

const WHAT: &str = "the frames";

/// The frames of so many records of one partition. Of Spanner, the first tells the columns.
///
/// # Errors
/// The sandbox does not serve them.
pub fn of_records(service: Service, records: u32) -> Result<Vec<Bytes>, Failed> {
    let runtime = tokio::runtime::Runtime::new().of(WHAT)?;
    runtime.block_on(async {
        let (_sandbox, target) = server::start(&Load {
            service,
            partitions: 1,
            rows_per_frame: 1,
            pace: Pace::AtOnce { records },
        })?;
        let Opened { channel, requests } = Opened::connect(&target).await?;
        let mut frames = Vec::new();
        for request in requests {
            let mut stream = raw::open(&channel, request).await?;
            while let Some(frame) = stream.message().await.of(WHAT)? {
                frames.push(frame);
            }
            // The last message is what a partition says at its bound.
            frames.pop();
        }
        Ok(frames)
    })
}

/// What a plan leaves of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plan {
    /// Nothing. A change record of Spanner is read as far as its table; a mutation, as far as the
    /// families of its entries.
    Nothing,
    /// All of it.
    Everything,
    /// All but one column.
    AllButOne,
}

/// A batch without a record.
#[must_use]
pub fn empty(service: Service) -> Batch {
    match service {
        Service::Spanner => ChangeBatch::default().into(),
        Service::Bigtable => MutationBatch::of_table(bigtable::TABLE).into(),
    }
}

/// Reads frames into a batch, as a reader does. What the batch held before is removed.
///
/// # Errors
/// A frame is not what it should be.
pub fn read(frames: &[Bytes], plan: Plan, batch: &mut Batch) -> Result<(), Failed> {
    match batch {
        Batch::Spanner(batch) => spanner::read(frames, plan, batch),
        Batch::Bigtable(batch) => bigtable::read(frames, plan, batch),
        Batch::Rows(_) => Err(Failed::new("the frames", "rows are not measured")),
    }
}
