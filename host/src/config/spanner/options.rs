//! The options that say what is read.

use crate::config::Kind;
use crate::config::change_stream::options as change_stream;
use crate::config::connection::options as connection;
use crate::config::guest_ref;
use crate::config::option::{OptionSpec, Presence};
use crate::config::resource_name::{INSTANCE, PART, PROJECT};

pub(crate) const DATABASE: OptionSpec = OptionSpec::new(
    "database",
    "projects/P/instances/I/databases/D",
    Presence::Required,
    "The database that holds the change stream. Also { project: P, instance: I, database: D }.",
)
.with_members(&[&PROJECT, &INSTANCE, &DATABASE_ID])
.of_kind(Kind::Either(&[
    Kind::Pattern(r"^projects/[^/\s]+/instances/[^/\s]+/databases/[^/\s]+$"),
    Kind::Members { min: 0 },
]));

pub(crate) const DATABASE_ID: OptionSpec =
    OptionSpec::new("database", "a name", Presence::Required, "The database.").of_kind(PART);

pub(crate) const CHANGE_STREAM_NAME: OptionSpec = OptionSpec::new(
    "change-stream-name",
    "a name",
    Presence::Required,
    "The change stream, as CREATE CHANGE STREAM names it: ASCII letters, digits and underscores, \
     at most 128.",
)
.or_called(&["changeStreamName"])
.of_kind(Kind::Pattern("^[A-Za-z_][A-Za-z0-9_]{0,127}$"));

pub(crate) const END_POSITION: OptionSpec = OptionSpec::new(
    "end-position",
    "an instant",
    Presence::Optional("reads without end"),
    "The last commit time to read, inclusive. The run ends by itself there.",
);

pub(crate) const ABSENT_RETENTION_FALLBACK: OptionSpec = OptionSpec::new(
    "absent-retention-fallback",
    "a duration",
    Presence::Default("7d"),
    "The retention of a stream that declares none. Longer than 1m.",
)
.or_called(&["absentRetentionFallback"]);

pub(crate) const MAX_CONCURRENT_QUERIES: OptionSpec = OptionSpec::new(
    "max-concurrent-queries",
    "a number",
    Presence::Default("8"),
    "The number of partition queries that are open at one time. At least 1. With more partitions \
     than that, they take turns.",
)
.or_called(&[
    "max-concurrent-queries-per-subtask",
    "maxConcurrentQueriesPerSubtask",
    "maxConcurrentQueries",
]);

pub(crate) const TABLE_INCLUDE_LIST: OptionSpec = OptionSpec::new(
    "table-include-list",
    "a list of Java regular expressions",
    Presence::Default("[]"),
    "Only tables whose whole name matches one of these. Empty is no filter. Not together with \
     table-exclude-list.",
)
.or_called(&["tableIncludeList"]);

pub(crate) const TABLE_EXCLUDE_LIST: OptionSpec = OptionSpec::new(
    "table-exclude-list",
    "a list of Java regular expressions",
    Presence::Default("[]"),
    "No tables whose whole name matches one of these. Empty is no filter. Not together with \
     table-include-list.",
)
.or_called(&["tableExcludeList"])
.not_with(&["table-include-list"]);

pub(crate) const COLUMN_INCLUDE_LIST: OptionSpec = OptionSpec::new(
    "column-include-list",
    "a list of Java regular expressions",
    Presence::Default("[]"),
    "Only columns whose whole table.column matches one of these. Key columns always pass. Empty is \
     no filter. Not together with column-exclude-list.",
)
.or_called(&["columnIncludeList"]);

pub(crate) const COLUMN_EXCLUDE_LIST: OptionSpec = OptionSpec::new(
    "column-exclude-list",
    "a list of Java regular expressions",
    Presence::Default("[]"),
    "No columns whose whole table.column matches one of these. Key columns always pass. Empty is \
     no filter. Not together with column-include-list.",
)
.or_called(&["columnExcludeList"])
.not_with(&["column-include-list"]);

pub(crate) const RESUME_FALLBACK: OptionSpec = change_stream::RESUME_FALLBACK.doing(
    "Where to begin anew when the position of a checkpoint has expired. The whole checkpoint is \
     given up, the lost interval becomes a control record, and changes at or after this position \
     may come again.",
);

pub(crate) const HEARTBEAT_INTERVAL: OptionSpec = change_stream::HEARTBEAT_INTERVAL
    .left_out(Presence::Default("2s"))
    .doing(
        "How often a quiet partition reports, and so how long the watermark may stand still. 1s to \
         5m, whole milliseconds.",
    );

pub(crate) const SKIP_MESSAGES_WITHOUT_CHANGE: OptionSpec =
    change_stream::SKIP_MESSAGES_WITHOUT_CHANGE.doing(
        "Leaves a record out if the column filter removed something from it and every modification \
         of it is then empty.",
    );

pub(crate) const ENDPOINT: OptionSpec =
    connection::ENDPOINT.left_out(Presence::Optional("uses spanner.googleapis.com"));

pub(crate) const NAMES_FILTER: OptionSpec = guest_ref::NAMES_FILTER.not_with(&[
    "table-include-list",
    "table-exclude-list",
    "column-include-list",
    "column-exclude-list",
]);
