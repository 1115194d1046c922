//! From the section of the file to a [`BigtableChangeStream`].

use std::path::Path;
use std::time::Duration;

use super::filters::options::{
    INCLUDE_GARBAGE_COLLECTION, SKIP_MESSAGES_WITHOUT_CHANGE, SOURCE_CLUSTER_INCLUDE_LIST,
};
use super::filters::source_clusters;
use super::options::{
    ADMIN_ENDPOINT, APP_PROFILE_ID, BACKLOG_REPLICATION_ADJUSTMENT, BOUNDED_TIMESTAMP,
    CHANGE_STREAM_NAME, HEARTBEAT_INTERVAL, MAX_CONCURRENT_STREAMS, READ_CHANGE_STREAM_TIMEOUT,
    RESUME_FALLBACK, START_TIME, WITHOUT_VALIDATION,
};
use super::{AppProfileId, BigtableChangeStream, StateName, table};
use crate::config::change_stream::options::{STALL_AFTER_HEARTBEATS, START_POSITION, TURN};
use crate::config::change_stream::{
    end_after_begin, heartbeat_interval, stall_after_heartbeats, start_position,
};
use crate::config::cloud_monitoring::{self, Unsaid};
use crate::config::connection::{self, options::EMULATOR_ENDPOINT};
use crate::config::option::OptionSpec;
use crate::config::read::{
    Read, Report, Section, boolean, count, duration, file_name, instant, positive_duration,
};
use crate::config::resource_name;
use crate::config::{Connection, Endpoint, StartPosition};

/// Reads the options of the source.
pub(crate) fn read(
    section: &Section<'_>,
    report: &mut Report,
    base_dir: &Path,
) -> Read<BigtableChangeStream> {
    let table = table::read(section, report);
    let app_profile = section.read(&APP_PROFILE_ID, report, resource_name::part);
    let name = section.read_optional(&CHANGE_STREAM_NAME, report, file_name);
    let (begin, start) = start(section, report);
    let fallback = section.read_optional(&RESUME_FALLBACK, report, start_position);
    let end = section.read_optional(&BOUNDED_TIMESTAMP, report, instant);
    let begins = [
        (begin, start.ok()),
        (&RESUME_FALLBACK, fallback.ok().flatten()),
    ];
    let end = end_after_begin(section, report, (&BOUNDED_TIMESTAMP, end), begins);
    let streams = section.read(&MAX_CONCURRENT_STREAMS, report, count);
    let heartbeat = section.read(&HEARTBEAT_INTERVAL, report, heartbeat_interval);
    let timeout = stream_timeout(section, report, heartbeat);
    let turn = section.read(&TURN, report, positive_duration);
    let stall = section.read(&STALL_AFTER_HEARTBEATS, report, stall_after_heartbeats);
    let skip = section.read(&SKIP_MESSAGES_WITHOUT_CHANGE, report, boolean);
    let garbage = section.read(&INCLUDE_GARBAGE_COLLECTION, report, boolean);
    let clusters = section.read(&SOURCE_CLUSTER_INCLUDE_LIST, report, source_clusters);
    let adjustment = section.read(&BACKLOG_REPLICATION_ADJUSTMENT, report, duration);
    let unvalidated = section.read(&WITHOUT_VALIDATION, report, boolean);
    let retention_is_known = check_retention(section, report, unvalidated, begins);
    let connection = connection::read(section, report, base_dir);
    let admin = admin_endpoint(section, report, unvalidated, &connection);
    let monitoring = cloud_monitoring::read(section, report, Unsaid::Export);
    retention_is_known?;
    Ok(BigtableChangeStream {
        table: table?,
        app_profile: AppProfileId(app_profile?),
        change_stream_name: name?.map(StateName),
        start: start?,
        resume_fallback: fallback?,
        bounded_timestamp: end?,
        max_concurrent_streams: streams?,
        heartbeat_interval: heartbeat?,
        read_change_stream_timeout: timeout?,
        turn: turn?,
        stall_after_heartbeats: stall?,
        skip_messages_without_change: skip?,
        include_garbage_collection: garbage?,
        source_clusters: clusters?,
        backlog_replication_adjustment: adjustment?,
        without_validation: unvalidated?,
        connection: connection?,
        admin_endpoint: admin?,
        cloud_monitoring: monitoring?,
    })
}

/// Where reading begins, and the option that says it.
fn start(section: &Section<'_>, report: &mut Report) -> (&'static OptionSpec, Read<StartPosition>) {
    let position = section.read(&START_POSITION, report, start_position);
    let time = section.read_optional(&START_TIME, report, instant);
    if section.given(&START_TIME).is_none() {
        return (&START_POSITION, position);
    }
    let start = if section.given(&START_POSITION).is_some() {
        let message = "cannot be combined with start-position: both say where reading begins";
        Err(section.problem(&START_TIME, report, message))
    } else {
        time.and_then(|time| time.map_or(position, |at| Ok(StartPosition::At(at))))
    };
    (&START_TIME, start)
}

/// A stream that is ended before it has reported comes back with nothing, for ever.
fn stream_timeout(
    section: &Section<'_>,
    report: &mut Report,
    heartbeat: Read<Duration>,
) -> Read<Option<Duration>> {
    let timeout = section.read_optional(&READ_CHANGE_STREAM_TIMEOUT, report, positive_duration);
    if let (Ok(Some(timeout)), Ok(heartbeat)) = (timeout, heartbeat)
        && timeout <= heartbeat
    {
        let message = format!(
            "must be longer than heartbeat-interval, {heartbeat:?}: a quiet stream would be ended \
             before it reports"
        );
        return Err(section.problem(&READ_CHANGE_STREAM_TIMEOUT, report, message));
    }
    timeout
}

/// The earliest position lies as far back as the table's retention, which is not asked for.
fn check_retention(
    section: &Section<'_>,
    report: &mut Report,
    unvalidated: Read<bool>,
    begins: [(&'static OptionSpec, Option<StartPosition>); 2],
) -> Read<()> {
    let mut outcome = Ok(());
    for (option, begin) in begins {
        if unvalidated == Ok(true) && begin == Some(StartPosition::Earliest) {
            let message = "earliest needs the retention of the table, which is not asked for with \
                           without-validation; write { at: INSTANT } or { ago: DURATION }";
            outcome = Err(section.problem(option, report, message));
        }
    }
    outcome
}

fn admin_endpoint(
    section: &Section<'_>,
    report: &mut Report,
    unvalidated: Read<bool>,
    connection: &Read<Connection>,
) -> Read<Endpoint> {
    let admin = section.read_optional(&ADMIN_ENDPOINT, report, connection::service_endpoint);
    let given = section.given(&ADMIN_ENDPOINT).is_some();
    if given && section.given(&EMULATOR_ENDPOINT).is_some() {
        let message = "cannot be combined with emulator-endpoint: the emulator is asked for both";
        return Err(section.problem(&ADMIN_ENDPOINT, report, message));
    }
    if given && unvalidated == Ok(true) {
        let message = "has no use with without-validation: the admin service is not asked";
        return Err(section.problem(&ADMIN_ENDPOINT, report, message));
    }
    let default = match connection {
        Ok(Connection {
            endpoint: emulator @ Endpoint::Emulator { .. },
            ..
        }) => emulator.clone(),
        Ok(_) | Err(_) => Endpoint::Google,
    };
    Ok(admin?.unwrap_or(default))
}
