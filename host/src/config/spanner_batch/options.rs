//! The options that say how a snapshot is read.

use crate::config::Kind;
use crate::config::connection::options as connection;
use crate::config::delivery;
use crate::config::option::{OptionSpec, Presence};
use crate::config::spanner::{options as spanner, request_options as requests};

pub(crate) const DATABASE: OptionSpec =
    spanner::DATABASE.doing("The database to read. Also { project: P, instance: I, database: D }.");

pub(crate) const MAX_PARTITIONS: OptionSpec = OptionSpec::new(
    "max-partitions",
    "a number",
    Presence::Optional("leaves it to the service"),
    "Into how many partitions the read should be divided. At least 1. A hint: the service may give \
     more or fewer.",
)
.or_called(&["maxPartitions"]);

pub(crate) const PARTITION_SIZE_BYTES: OptionSpec = OptionSpec::new(
    "partition-size-bytes",
    "a size",
    Presence::Optional("leaves it to the service"),
    "How much one partition should cover. At least one byte. A hint, as max-partitions is.",
)
.or_called(&["partitionSizeBytes"]);

pub(crate) const DATA_BOOST_ENABLED: OptionSpec = OptionSpec::new(
    "data-boost-enabled",
    "true or false",
    Presence::Default("false"),
    "Whether Data Boost serves the reads, from compute that is not the instance's. It needs \
     spanner.databases.useDataBoost, is billed separately, and has a quota of its own.",
)
.or_called(&["dataBoostEnabled"]);

pub(crate) const RPC_PRIORITY: OptionSpec = requests::RPC_PRIORITY.doing(
    "The priority that the reads run at; low is for what should yield to other work of the \
     instance. The call that plans the partitions has none.",
);

pub(crate) const REQUEST_TAG: OptionSpec = requests::REQUEST_TAG.doing(
    "The tag of the reads in Spanner's statistics. At most 50 printable ASCII characters, not \
     beginning with an underscore.",
);

pub(crate) const MAX_CONCURRENT_PARTITIONS: OptionSpec = OptionSpec::new(
    "max-concurrent-partitions",
    "a number",
    Presence::Default("8"),
    "The number of partitions that are read at one time. At least 1.",
)
.or_called(&["maxConcurrentPartitions"]);

pub(crate) const MAX_ROWS_PER_FETCH: OptionSpec = OptionSpec::new(
    "max-rows-per-fetch",
    "a number",
    Presence::Default("1000"),
    "The most rows that a reader hands over at once. At least 1. Where pipeline.batch-records-max \
     is smaller, that wins.",
)
.or_called(&["maxRowsPerFetch"]);

pub(crate) const MAX_BYTES_PER_FETCH: OptionSpec = OptionSpec::new(
    "max-bytes-per-fetch",
    "a size",
    Presence::Default("12582912"),
    "The most bytes that a reader hands over at once; one larger row passes alone. Where \
     pipeline.batch-bytes-max is smaller, that wins.",
)
.or_called(&["maxBytesPerFetch"]);

pub(crate) const RESUME_BY_TOKEN: OptionSpec = OptionSpec::new(
    "resume-by-token",
    "true or false",
    Presence::Optional("true, and false with emulator-endpoint"),
    "Whether a partition that broke goes on from the last resume token, or from its beginning. What \
     was delivered is left out either way. The tokens of Google's emulator all say the same, and a \
     stream that is resumed by one begins anew.",
)
.or_called(&["resumeByToken"]);

pub(crate) const ON_EXPIRY: OptionSpec = OptionSpec::new(
    "on-expiry",
    "fail or begin-anew",
    Presence::Default("fail"),
    "What to do when the database no longer keeps the versions of the snapshot \
     (version_retention_period): the run fails and says what to do, or everything is read anew at a \
     timestamp that timestamp-bound then means. begin-anew is not taken with read-timestamp.",
)
.or_called(&["onExpiry"])
.of_kind(Kind::Words(&["fail", "begin-anew"]));

pub(crate) const ENDPOINT: OptionSpec =
    connection::ENDPOINT.left_out(Presence::Optional("uses spanner.googleapis.com"));

pub(crate) const RECORD_ID_FIELD: OptionSpec =
    delivery::RECORD_ID_FIELD.left_out(Presence::Default("/_id"));
