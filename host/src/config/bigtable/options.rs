//! The options that say what is read, and how.

use crate::config::Kind;
use crate::config::change_stream::options as change_stream;
use crate::config::checkpoint;
use crate::config::connection::options as connection;
use crate::config::option::{OptionSpec, Presence};
use crate::config::resource_name::{INSTANCE, PART, PROJECT};

pub(crate) const TABLE: OptionSpec = OptionSpec::new(
    "table",
    "projects/P/instances/I/tables/T",
    Presence::Optional("takes project-id, instance-id and table-id"),
    "The table whose change stream is read. Also { project: P, instance: I, table: T }. This or the \
     three ids is required.",
)
.with_members(&[&PROJECT, &INSTANCE, &TABLE_PART])
.of_kind(Kind::Either(&[
    Kind::Pattern(r"^projects/[^/\s]+/instances/[^/\s]+/tables/[^/\s]+$"),
    Kind::Members { min: 0 },
]));

pub(crate) const TABLE_PART: OptionSpec =
    OptionSpec::new("table", "a name", Presence::Required, "The table.").of_kind(PART);

pub(crate) const PROJECT_ID: OptionSpec = OptionSpec::new(
    "project-id",
    "a name",
    Presence::Optional("takes table"),
    "The project of the table. Together with instance-id and table-id, and not with table.",
)
.or_called(&["projectId", "withProjectId"])
.of_kind(PART)
.not_with(&["table"]);

pub(crate) const INSTANCE_ID: OptionSpec = OptionSpec::new(
    "instance-id",
    "a name",
    Presence::Optional("takes table"),
    "The instance of the table. Together with project-id and table-id, and not with table.",
)
.or_called(&["instanceId", "withInstanceId"])
.of_kind(PART)
.not_with(&["table"]);

pub(crate) const TABLE_ID: OptionSpec = OptionSpec::new(
    "table-id",
    "a name",
    Presence::Optional("takes table"),
    "The table. Together with project-id and instance-id, and not with table.",
)
.or_called(&["tableId", "withTableId"])
.of_kind(PART)
.not_with(&["table"]);

pub(crate) const APP_PROFILE_ID: OptionSpec = OptionSpec::new(
    "app-profile-id",
    "a name",
    Presence::Required,
    "The application profile that the table is read through. It must route to a single cluster: one \
     that is seen to route to several is refused before anything is read, and one that cannot be \
     looked at is warned about.",
)
.or_called(&["appProfileId", "withAppProfileId"])
.of_kind(PART);

pub(crate) const CHANGE_STREAM_NAME: OptionSpec = OptionSpec::new(
    "change-stream-name",
    "a name",
    Presence::Optional("keeps one state in the checkpoint directory"),
    "The name of the saved state, so that several connectors can share a checkpoint directory: it \
     lies in the folder of that name, and is resumed under that name only. At most 100 letters, \
     digits, dots, hyphens and underscores, not beginning with a dot.",
)
.or_called(&["changeStreamName", "withChangeStreamName"])
.of_kind(Kind::Pattern("^[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}$"));

pub(crate) const START_TIME: OptionSpec = OptionSpec::new(
    "start-time",
    "an instant",
    Presence::Optional("takes start-position"),
    "The same as start-position: { at: INSTANT }, and not together with it.",
)
.or_called(&["startTime", "withStartTime"])
.not_with(&["start-position"]);

pub(crate) const RESUME_FALLBACK: OptionSpec = change_stream::RESUME_FALLBACK.doing(
    "Where a partition begins anew when its position in the checkpoint has expired; the others go \
     on from theirs. Its lost interval becomes a control record. What has expired is moved up to \
     the oldest readable instant plus a minute.",
);

pub(crate) const BOUNDED_TIMESTAMP: OptionSpec = OptionSpec::new(
    "bounded-timestamp",
    "an instant",
    Presence::Optional("reads without end"),
    "The last instant to read, inclusive. The run ends by itself when the service has closed every \
     partition there.",
)
.or_called(&["boundedTimestamp", "end-position"]);

pub(crate) const MAX_CONCURRENT_STREAMS: OptionSpec = OptionSpec::new(
    "max-concurrent-streams",
    "a number",
    Presence::Default("2"),
    "The number of partition streams that are open at one time. At least 1. With more partitions \
     than that, they take turns.",
)
.or_called(&[
    "max-concurrent-streams-per-subtask",
    "maxConcurrentStreamsPerSubtask",
    "maxConcurrentStreams",
]);

pub(crate) const HEARTBEAT_INTERVAL: OptionSpec =
    change_stream::HEARTBEAT_INTERVAL.left_out(Presence::Default("5s"));

pub(crate) const READ_CHANGE_STREAM_TIMEOUT: OptionSpec = OptionSpec::new(
    "read-change-stream-timeout",
    "a duration",
    Presence::Optional("keeps a stream open until the service or a turn ends it"),
    "How long a stream is read before it is ended and opened again from its last token. Longer than \
     heartbeat-interval.",
)
.or_called(&["readChangeStreamTimeout", "withReadChangeStreamTimeout"])
.of_kind(Kind::PositiveDuration);

pub(crate) const BACKLOG_REPLICATION_ADJUSTMENT: OptionSpec = OptionSpec::new(
    "backlog-replication-adjustment",
    "a duration",
    Presence::Default("30s"),
    "What is taken off the lag of a partition's watermark when its backlog is estimated, since \
     replication holds the watermark back. 0s for an instance without replication.",
)
.or_called(&[
    "backlogReplicationAdjustment",
    "withBacklogReplicationAdjustment",
]);

pub(crate) const EXISTING_STATE: OptionSpec = checkpoint::EXISTING_STATE
    .or_called(&[
        "existing-pipeline-options",
        "existingPipelineOptions",
        "withExistingPipelineOptions",
    ])
    .doing(
        "What to do with a checkpoint that is there, or is not. Also RESUME_OR_NEW, RESUME_OR_FAIL \
         and FAIL_IF_EXISTS. Not with checkpoint: none.",
    )
    .of_kind(Kind::Words(&[
        "resume-or-new",
        "resume-or-fail",
        "fail-if-exists",
        "new",
        "RESUME_OR_NEW",
        "RESUME_OR_FAIL",
        "FAIL_IF_EXISTS",
    ]));

pub(crate) const WITHOUT_VALIDATION: OptionSpec = OptionSpec::new(
    "without-validation",
    "true or false",
    Presence::Default("false"),
    "Asks the admin service neither for the retention of the table nor for the routing of the \
     application profile, for an account that may only read data. Not with earliest, which needs \
     the retention.",
)
.or_called(&["withoutValidation"]);

pub(crate) const ENDPOINT: OptionSpec =
    connection::ENDPOINT.left_out(Presence::Optional("uses bigtable.googleapis.com"));

pub(crate) const ADMIN_ENDPOINT: OptionSpec = OptionSpec::new(
    "admin-endpoint",
    "https://host[:port]",
    Presence::Optional("uses bigtableadmin.googleapis.com, or the emulator"),
    "Another name of the admin service, which is asked for the retention and the application \
     profile. Always with TLS. Not with emulator-endpoint, and not with without-validation.",
)
.or_called(&["adminEndpoint"])
.of_kind(connection::SERVICE)
.not_with(&["emulator-endpoint"]);
