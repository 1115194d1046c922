//! What the change streams of Spanner and of Bigtable have in common: where reading begins, how
//! partitions take turns, and what is let through by name.

mod lists;
pub(super) mod options;
mod read;
mod start;

pub(super) use lists::{Side, names_filter};
pub(super) use read::{
    end_after_begin, heartbeat_interval, stall_after_heartbeats, start_position,
};
pub use start::{RETENTION_MARGIN, Resolved, StartError, StartPosition};
