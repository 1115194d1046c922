//! Reading a snapshot: one plan, then its parts.
//!
//! ```text
//! plan    session, BeginTransaction at the instant, PartitionQuery or PartitionRead of every read
//!   | a ticket for each part: what it takes to read it, also in another process
//!   v
//! part    ExecuteStreamingSql or StreamingRead, from the token where it was left
//! ```
//!
//! What is behind a part that cannot be read any more is one of three things ([`part_failure`]): the
//! session or the transaction is gone, and another plan of the same instant helps; the instant is older
//! than the versions that the database keeps, and only another instant helps; or nothing does.

mod part;
mod plan;
mod ticket;

pub(super) use part::{PartReader, Source};
pub(super) use plan::PlanReader;
pub(super) use ticket::Ticket;

use std::time::Duration;

use acequia_core::{ReadFailure, Timestamp};
use tonic::Code;

use super::read_failure;
use crate::chain::chain;
use crate::google::CallError;
use crate::spanner::snapshot::{Read, is_lost};

/// One of the reads that a snapshot is made of.
#[derive(Clone, Debug)]
pub(super) struct Planned {
    /// What it is called in the ids of its parts: the table, or `query`.
    pub(super) name: String,
    /// What is read.
    pub(super) read: Read,
    /// The table; empty for a query.
    pub(super) table: String,
    /// The columns of the table's primary key; empty where rows have none.
    pub(super) key: Vec<String>,
}

/// What a failed call of a snapshot means to the scheduler. The text is not a contract, so what is too
/// old is told by our own clock.
///
/// Source: https://cloud.google.com/spanner/docs/timestamp-bounds#maximum_timestamp_staleness
fn part_failure(error: &CallError, at: Timestamp, kept: Duration) -> ReadFailure {
    /// Our clock may be behind the service's.
    const MARGIN: Duration = crate::config::RETENTION_MARGIN;
    let now = Timestamp::now();
    let oldest = now.checked_sub(kept.saturating_sub(MARGIN)).unwrap_or(now);
    if is_lost(error) {
        return ReadFailure::Lost {
            cause: chain(error),
        };
    }
    let may_be_old = matches!(error.code(), Code::FailedPrecondition | Code::OutOfRange);
    if may_be_old && at < oldest {
        return ReadFailure::Outdated {
            cause: chain(error),
        };
    }
    match read_failure(error) {
        ReadFailure::OutOfRange { cause } => ReadFailure::Fatal { cause },
        failure @ (ReadFailure::Retry { .. }
        | ReadFailure::Lost { .. }
        | ReadFailure::Outdated { .. }
        | ReadFailure::Fatal { .. }) => failure,
    }
}
