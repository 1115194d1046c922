//! The tables of a whole file, one for each connector.

use super::Kind;
use super::bigtable::{filter_options as filters, options as bigtable, refused};
use super::change_stream::options as change_stream;
use super::checkpoint::{CHECKPOINT, EXISTING_STATE};
use super::cloud_monitoring;
use super::connection::options as connection;
use super::delivery::{DRAIN_TIMEOUT, RECORD_ID_FIELD};
use super::guest_ref::{DESERIALIZER, RECORD_FILTER};
use super::meta::{API_VERSION, META};
use super::option::{OptionSpec, Presence};
use super::pipeline::PIPELINE;
use super::sink::SINK;
use super::spanner::{options as spanner, request_options as requests};
use super::spanner_batch::{
    TIMESTAMP_BOUND, options as batch, read_options as read, refused as streams,
};
use super::telemetry::{ADMIN_ADDRESS, EXPORT_CLIENT_METRICS, OTLP_ENDPOINT};

/// A file of a Spanner change stream.
pub(super) const OF_SPANNER: &[&OptionSpec] = &[
    &API_VERSION,
    &META,
    &TRANSFORMS,
    &SPANNER_CHANGE_STREAM,
    &OTHER_BIGTABLE_CHANGE_STREAM,
    &OTHER_SPANNER_BATCH,
];

/// A file of a Bigtable change stream.
pub(super) const OF_BIGTABLE: &[&OptionSpec] = &[
    &API_VERSION,
    &META,
    &TRANSFORMS,
    &BIGTABLE_CHANGE_STREAM,
    &OTHER_SPANNER_CHANGE_STREAM,
    &OTHER_SPANNER_BATCH,
];

/// A file of a snapshot of Spanner.
pub(super) const OF_SPANNER_BATCH: &[&OptionSpec] = &[
    &API_VERSION,
    &META,
    &TRANSFORMS,
    &SPANNER_BATCH,
    &OTHER_SPANNER_CHANGE_STREAM,
    &OTHER_BIGTABLE_CHANGE_STREAM,
];

const OTHER_SPANNER_CHANGE_STREAM: OptionSpec = OptionSpec::refused(
    SPANNER_CHANGE_STREAM.name,
    "is the section of another connector: meta.type would be spanner-change-stream-source",
);

const OTHER_BIGTABLE_CHANGE_STREAM: OptionSpec = OptionSpec::refused(
    BIGTABLE_CHANGE_STREAM.name,
    "is the section of another connector: meta.type would be bigtable-change-stream-source",
);

const OTHER_SPANNER_BATCH: OptionSpec = OptionSpec::refused(
    SPANNER_BATCH.name,
    "is the section of another connector: meta.type would be spanner-batch-source",
);

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
    &cloud_monitoring::EXPORT_OF_STREAM,
    &cloud_monitoring::ENDPOINT,
]);

pub(super) const BIGTABLE_CHANGE_STREAM: OptionSpec = OptionSpec::new(
    "bigtable-change-stream",
    "a mapping",
    Presence::Required,
    "The options of the connector.",
)
.with_members(&[
    &bigtable::TABLE,
    &bigtable::PROJECT_ID,
    &bigtable::INSTANCE_ID,
    &bigtable::TABLE_ID,
    &bigtable::APP_PROFILE_ID,
    &bigtable::CHANGE_STREAM_NAME,
    &change_stream::START_POSITION,
    &bigtable::START_TIME,
    &bigtable::BOUNDED_TIMESTAMP,
    &bigtable::RESUME_FALLBACK,
    &bigtable::MAX_CONCURRENT_STREAMS,
    &change_stream::TURN,
    &bigtable::HEARTBEAT_INTERVAL,
    &change_stream::STALL_AFTER_HEARTBEATS,
    &bigtable::READ_CHANGE_STREAM_TIMEOUT,
    &bigtable::BACKLOG_REPLICATION_ADJUSTMENT,
    &filters::FAMILY_INCLUDE_LIST,
    &filters::FAMILY_EXCLUDE_LIST,
    &filters::QUALIFIER_INCLUDE_LIST,
    &filters::QUALIFIER_EXCLUDE_LIST,
    &filters::SKIP_MESSAGES_WITHOUT_CHANGE,
    &filters::INCLUDE_GARBAGE_COLLECTION,
    &filters::SOURCE_CLUSTER_INCLUDE_LIST,
    &connection::SERVICE_ACCOUNT_KEY_FILE,
    &connection::CREDENTIALS_JSON,
    &connection::EMULATOR_ENDPOINT,
    &bigtable::ENDPOINT,
    &bigtable::ADMIN_ENDPOINT,
    &connection::MESSAGE_BYTES_MAX,
    &bigtable::WITHOUT_VALIDATION,
    &DESERIALIZER,
    &filters::NAMES_FILTER,
    &RECORD_FILTER,
    &SINK,
    &CHECKPOINT,
    &bigtable::EXISTING_STATE,
    &RECORD_ID_FIELD,
    &PIPELINE,
    &DRAIN_TIMEOUT,
    &ADMIN_ADDRESS,
    &EXPORT_CLIENT_METRICS,
    &OTLP_ENDPOINT,
    &cloud_monitoring::EXPORT_OF_TABLE,
    &cloud_monitoring::ENDPOINT,
    &refused::METADATA_TABLE_PROJECT_ID,
    &refused::METADATA_TABLE_INSTANCE_ID,
    &refused::METADATA_TABLE_TABLE_ID,
    &refused::METADATA_TABLE_APP_PROFILE_ID,
    &refused::CREATE_OR_UPDATE_METADATA_TABLE,
]);

pub(super) const SPANNER_BATCH: OptionSpec = OptionSpec::new(
    "spanner-batch",
    "a mapping",
    Presence::Required,
    "The options of the connector.",
)
.with_members(&[
    &batch::DATABASE,
    &read::READ_OPERATION,
    &TIMESTAMP_BOUND,
    &batch::ON_EXPIRY,
    &batch::MAX_PARTITIONS,
    &batch::PARTITION_SIZE_BYTES,
    &batch::MAX_CONCURRENT_PARTITIONS,
    &batch::DATA_BOOST_ENABLED,
    &batch::RPC_PRIORITY,
    &batch::MAX_ROWS_PER_FETCH,
    &batch::MAX_BYTES_PER_FETCH,
    &batch::RESUME_BY_TOKEN,
    &connection::SERVICE_ACCOUNT_KEY_FILE,
    &connection::CREDENTIALS_JSON,
    &connection::EMULATOR_ENDPOINT,
    &batch::ENDPOINT,
    &requests::DATABASE_ROLE,
    &batch::REQUEST_TAG,
    &requests::DIRECTED_READ,
    &connection::MESSAGE_BYTES_MAX,
    &DESERIALIZER,
    &RECORD_FILTER,
    &SINK,
    &CHECKPOINT,
    &EXISTING_STATE,
    &batch::RECORD_ID_FIELD,
    &PIPELINE,
    &DRAIN_TIMEOUT,
    &ADMIN_ADDRESS,
    &EXPORT_CLIENT_METRICS,
    &OTLP_ENDPOINT,
    &cloud_monitoring::EXPORT,
    &cloud_monitoring::ENDPOINT,
    &streams::CHANGE_STREAM_NAME,
    &streams::START_POSITION,
    &streams::END_POSITION,
    &streams::RESUME_FALLBACK,
    &streams::ABSENT_RETENTION_FALLBACK,
    &streams::HEARTBEAT_INTERVAL,
    &streams::STALL_AFTER_HEARTBEATS,
    &streams::MAX_CONCURRENT_QUERIES,
    &streams::TURN,
    &streams::TABLE_INCLUDE_LIST,
    &streams::TABLE_EXCLUDE_LIST,
    &streams::COLUMN_INCLUDE_LIST,
    &streams::COLUMN_EXCLUDE_LIST,
    &streams::NAMES_FILTER,
    &streams::SKIP_MESSAGES_WITHOUT_CHANGE,
]);
