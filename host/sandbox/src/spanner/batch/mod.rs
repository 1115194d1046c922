//! Batch reads: a transaction, partitions of a query or a read, and the streams of their rows.
//!
//! ```text
//! BeginTransaction -> Transactions: an instant T, promised to stay as it is
//!        |
//! PartitionQuery | PartitionRead -> Plans: what was asked, and a token for each part of its rows
//!        |
//! ExecuteStreamingSql | StreamingRead with a token
//!        |    Selected: the table's rows at T, dealt among the partitions in key order
//!        v
//! RowFrames: cells -> chunks -> messages, made when they are sent    RowWire says how
//!        |    each with a resume token that names the place behind it
//!        v
//! RowStream: faults, stalls, what grew too old
//! ```
//!
//! Differences from the service, all on purpose: a transaction does not age with its session, a
//! partition token is not bound to time beyond the version retention, no permission is checked, the
//! hints for partitioning are only recorded, keys are in ascending order, and statements are read only
//! as far as `SELECT columns FROM table`; any other must be written down as a query with its rows.

mod ask;
mod frames;
mod plan;
mod position;
mod script;
mod stats;
mod stream;
mod transaction;

pub(crate) use ask::Asked;
pub(crate) use frames::RowFrames;
pub(crate) use plan::{Part, Plan, Plans};
pub use script::{Batch, Last, ResumeTokens, RowWire, ServerTiming, VERSION_RETENTION_DEFAULT};
pub use stats::{Bound, SeenBatch};
pub(crate) use stream::RowStream;
pub(crate) use transaction::{Transactions, Used, too_old};
