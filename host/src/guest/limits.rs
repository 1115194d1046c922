//! What a component may use, each limit with its unit and its reason.

use std::time::Duration;

/// The limits of one component that a configuration sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// How long one call may take, from the host's call to the answer. Default 5 s. Too short stops
    /// honest work on a large batch; too long lets one record hold its partition up.
    pub call_timeout: Duration,
    /// How many bytes all memories of one instance may hold together. Default 256 MiB. It has to
    /// hold a batch and its outputs, and so several times the largest row.
    pub memory_bytes_max: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            call_timeout: Duration::from_secs(5),
            memory_bytes_max: 256 << 20,
        }
    }
}

/// How often a running component gives way to the host's other tasks. A call's time limit is
/// noticed this much late at most.
pub const EPOCH: Duration = Duration::from_millis(10);

/// Bytes that one answer of a component may hold. A Spanner row reaches 100 MiB, and one row is
/// never refused for its size alone.
pub const ANSWER_BYTES_MAX: usize = 128 << 20;

/// Bytes of a component file. A Python component, which carries its interpreter, has 18 MiB.
pub const COMPONENT_BYTES_MAX: u64 = 128 << 20;

/// Core instances, memories and tables of one component. A Python component has about 20.
pub const CORE_ITEMS_MAX: usize = 128;

/// Elements of all tables of one component, 8 bytes each. They are outside the memory limit.
pub const TABLE_ELEMENTS_MAX: usize = 1 << 20;

/// Bytes of a log message of a component. The rest is cut.
pub const LOG_MESSAGE_BYTES_MAX: usize = 2048;

/// Log messages of one component in a second. What goes past is counted, not shown.
pub const LOG_MESSAGES_PER_SECOND: u32 = 50;

/// Bytes of an error or failure message of a component. The rest is cut.
pub const ERROR_MESSAGE_BYTES_MAX: usize = 1024;

/// Configuration errors of one component that are shown.
pub const CONFIG_ERRORS_MAX: usize = 100;

/// Answers of a names filter that are kept. A database has at most 5,000 tables of 1,024 columns;
/// names past this limit are asked for again.
///
/// Source: <https://cloud.google.com/spanner/quotas#tables>
pub const NAMES_KEPT_MAX: usize = 1 << 17;

/// Calls that may run into their time limit while one batch is narrowed down to the records at
/// fault. It finds two such records in a batch of 128; past it the run stops, since the component
/// rather than a record is at fault.
pub const TIMEOUTS_PER_BATCH_MAX: u32 = 16;
