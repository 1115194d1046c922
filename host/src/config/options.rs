//! The whole file as a table of options.

use super::Kind;
use super::change_stream::options as change_stream;
use super::checkpoint::{CHECKPOINT, EXISTING_STATE};
use super::connection::options as connection;
use super::delivery::{DRAIN_TIMEOUT, RECORD_ID_FIELD};
use super::guest_ref::{DESERIALIZER, RECORD_FILTER};
use super::meta::{API_VERSION, META};
use super::option::{OptionSpec, Presence};
use super::pipeline::PIPELINE;
use super::sink::SINK;
use super::spanner::{options as spanner, request_options as requests};
use super::telemetry::{ADMIN_ADDRESS, EXPORT_CLIENT_METRICS, OTLP_ENDPOINT};

/// Every option of a configuration file. What a file may hold, what it is suggested for an unknown
/// key, and what documents and schemas say are all read from here.
pub static OPTIONS: &[&OptionSpec] = TOP;

pub(super) const TOP: &[&OptionSpec] = &[&API_VERSION, &META, &TRANSFORMS, &SPANNER_CHANGE_STREAM];

pub(super) const TRANSFORMS: OptionSpec = OptionSpec::new(
    "transforms",
    "a list",
    Presence::Default("[]"),
    "SmartModules that run in Fluvio; only with a Fluvio sink.",
)
.of_kind(Kind::EmptyList);

pub(super) const SPANNER_CHANGE_STREAM: OptionSpec = OptionSpec::new(
    "spanner-change-stream",
    "a mapping",
    Presence::Required,
    "The options of the connector.",
)
.with_members(&[
    &spanner::DATABASE,
    &spanner::CHANGE_STREAM_NAME,
    &change_stream::START_POSITION,
    &spanner::END_POSITION,
    &spanner::RESUME_FALLBACK,
    &spanner::ABSENT_RETENTION_FALLBACK,
    &spanner::HEARTBEAT_INTERVAL,
    &requests::RPC_PRIORITY,
    &spanner::MAX_CONCURRENT_QUERIES,
    &change_stream::TURN,
    &change_stream::STALL_AFTER_HEARTBEATS,
    &spanner::TABLE_INCLUDE_LIST,
    &spanner::TABLE_EXCLUDE_LIST,
    &spanner::COLUMN_INCLUDE_LIST,
    &spanner::COLUMN_EXCLUDE_LIST,
    &spanner::SKIP_MESSAGES_WITHOUT_CHANGE,
    &connection::SERVICE_ACCOUNT_KEY_FILE,
    &connection::CREDENTIALS_JSON,
    &connection::EMULATOR_ENDPOINT,
    &spanner::ENDPOINT,
    &requests::DATABASE_ROLE,
    &requests::REQUEST_TAG,
    &requests::DIRECTED_READ,
    &connection::MESSAGE_BYTES_MAX,
    &DESERIALIZER,
    &spanner::NAMES_FILTER,
    &RECORD_FILTER,
    &SINK,
    &CHECKPOINT,
    &EXISTING_STATE,
    &RECORD_ID_FIELD,
    &PIPELINE,
    &DRAIN_TIMEOUT,
    &ADMIN_ADDRESS,
    &EXPORT_CLIENT_METRICS,
    &OTLP_ENDPOINT,
]);
