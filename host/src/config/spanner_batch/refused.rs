//! Options of change streams that mean nothing where rows are read, each with the reason.

use crate::config::option::OptionSpec;

const READ_OPERATION: &str = "belongs to change streams: here read-operation names the table and its \
    columns, and what it does not name is not read";

const HEARTBEATS: &str =
    "belongs to change streams: a partition that is read sends rows, and no heartbeats";

pub(crate) const CHANGE_STREAM_NAME: OptionSpec = OptionSpec::refused(
    "change-stream-name",
    "belongs to change streams: this connector reads rows; meta.type would be \
     spanner-change-stream-source",
)
.or_called(&["changeStreamName"]);

pub(crate) const START_POSITION: OptionSpec = OptionSpec::refused(
    "start-position",
    "belongs to change streams: the instant of a snapshot is timestamp-bound",
)
.or_called(&["startPosition"]);

pub(crate) const END_POSITION: OptionSpec = OptionSpec::refused(
    "end-position",
    "belongs to change streams: a snapshot has one instant, timestamp-bound, and ends by itself",
);

pub(crate) const RESUME_FALLBACK: OptionSpec = OptionSpec::refused(
    "resume-fallback",
    "belongs to change streams: what becomes of a snapshot that has expired is on-expiry",
)
.or_called(&["resumeFallback"]);

pub(crate) const ABSENT_RETENTION_FALLBACK: OptionSpec = OptionSpec::refused(
    "absent-retention-fallback",
    "belongs to change streams: a database always says for how long it keeps versions",
)
.or_called(&["absentRetentionFallback"]);

pub(crate) const HEARTBEAT_INTERVAL: OptionSpec =
    OptionSpec::refused("heartbeat-interval", HEARTBEATS).or_called(&["heartbeatInterval"]);

pub(crate) const STALL_AFTER_HEARTBEATS: OptionSpec =
    OptionSpec::refused("stall-after-heartbeats", HEARTBEATS);

pub(crate) const MAX_CONCURRENT_QUERIES: OptionSpec = OptionSpec::refused(
    "max-concurrent-queries",
    "belongs to change streams: the partitions that are read at one time are \
     max-concurrent-partitions",
)
.or_called(&[
    "max-concurrent-queries-per-subtask",
    "maxConcurrentQueriesPerSubtask",
    "maxConcurrentQueries",
]);

pub(crate) const TURN: OptionSpec = OptionSpec::refused(
    "turn",
    "belongs to change streams: a partition that is read comes to its end, and then another has its \
     place",
);

pub(crate) const TABLE_INCLUDE_LIST: OptionSpec =
    OptionSpec::refused("table-include-list", READ_OPERATION).or_called(&["tableIncludeList"]);

pub(crate) const TABLE_EXCLUDE_LIST: OptionSpec =
    OptionSpec::refused("table-exclude-list", READ_OPERATION).or_called(&["tableExcludeList"]);

pub(crate) const COLUMN_INCLUDE_LIST: OptionSpec =
    OptionSpec::refused("column-include-list", READ_OPERATION).or_called(&["columnIncludeList"]);

pub(crate) const COLUMN_EXCLUDE_LIST: OptionSpec =
    OptionSpec::refused("column-exclude-list", READ_OPERATION).or_called(&["columnExcludeList"]);

pub(crate) const NAMES_FILTER: OptionSpec = OptionSpec::refused("names-filter", READ_OPERATION);

pub(crate) const SKIP_MESSAGES_WITHOUT_CHANGE: OptionSpec = OptionSpec::refused(
    "skip-messages-without-change",
    "belongs to change streams: a row is no change, and has every column that read-operation names",
)
.or_called(&["skipMessagesWithoutChange"]);
