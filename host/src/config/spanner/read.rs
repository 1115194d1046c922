//! From the section of the file to a [`SpannerChangeStream`].

use std::path::Path;
use std::time::Duration;

use super::options::{
    ABSENT_RETENTION_FALLBACK, CHANGE_STREAM_NAME, COLUMN_EXCLUDE_LIST, COLUMN_INCLUDE_LIST,
    DATABASE, DATABASE_ID, END_POSITION, HEARTBEAT_INTERVAL, MAX_CONCURRENT_QUERIES,
    RESUME_FALLBACK, SKIP_MESSAGES_WITHOUT_CHANGE, TABLE_EXCLUDE_LIST, TABLE_INCLUDE_LIST,
};
use super::{ChangeStreamName, ChangeStreamNameError, DatabaseName, SpannerChangeStream, requests};
use crate::config::change_stream::options::{STALL_AFTER_HEARTBEATS, START_POSITION, TURN};
use crate::config::change_stream::{
    self, Side, end_after_begin, stall_after_heartbeats, start_position,
};
use crate::config::cloud_monitoring::{self, Unsaid};
use crate::config::read::{
    Field, Read, Report, Section, boolean, count, duration, instant, positive_duration,
};
use crate::config::resource_name::{self, INSTANCE, PROJECT};
use crate::config::{GuestRef, RETENTION_MARGIN, connection};

/// Reads the options of the source.
pub(crate) fn read(
    section: &Section<'_>,
    report: &mut Report,
    base_dir: &Path,
) -> Read<SpannerChangeStream> {
    let database_name = section.read(&DATABASE, report, database);
    let stream = section.read(&CHANGE_STREAM_NAME, report, change_stream);
    let start = section.read(&START_POSITION, report, start_position);
    let end = section.read_optional(&END_POSITION, report, instant);
    let fallback = section.read_optional(&RESUME_FALLBACK, report, start_position);
    let begins = [
        (&START_POSITION, start.ok()),
        (&RESUME_FALLBACK, fallback.ok().flatten()),
    ];
    let end = end_after_begin(section, report, (&END_POSITION, end), begins);
    let retention = section.read(&ABSENT_RETENTION_FALLBACK, report, absent_retention);
    let heartbeat = section.read(&HEARTBEAT_INTERVAL, report, heartbeat_interval);
    let queries = section.read(&MAX_CONCURRENT_QUERIES, report, count);
    let skip = section.read(&SKIP_MESSAGES_WITHOUT_CHANGE, report, boolean);
    let turn = section.read(&TURN, report, positive_duration);
    let stall = section.read(&STALL_AFTER_HEARTBEATS, report, stall_after_heartbeats);
    let connection = connection::read(section, report, base_dir);
    let requests = requests::read(section, report);
    let monitoring = cloud_monitoring::read(section, report, Unsaid::Keep);
    Ok(SpannerChangeStream {
        database: database_name?,
        change_stream: stream?,
        start: start?,
        end: end?,
        resume_fallback: fallback?,
        absent_retention_fallback: retention?,
        heartbeat_interval: heartbeat?,
        max_concurrent_queries: queries?,
        skip_messages_without_change: skip?,
        connection: connection?,
        requests: requests?,
        turn: turn?,
        stall_after_heartbeats: stall?,
        cloud_monitoring: monitoring?,
    })
}

/// The lists of names that may be given.
const SIDES: [Side; 2] = [
    Side {
        include: &TABLE_INCLUDE_LIST,
        exclude: &TABLE_EXCLUDE_LIST,
    },
    Side {
        include: &COLUMN_INCLUDE_LIST,
        exclude: &COLUMN_EXCLUDE_LIST,
    },
];

/// Reads the component that chooses tables and columns.
pub(crate) fn names_filter(
    section: &Section<'_>,
    report: &mut Report,
    base_dir: &Path,
) -> Read<GuestRef> {
    change_stream::names_filter(section, report, base_dir, &SIDES)
}

/// Reads the name of a database.
pub(crate) fn database(field: &Field<'_>, report: &mut Report) -> Read<DatabaseName> {
    let parts = [&PROJECT, &INSTANCE, &DATABASE_ID];
    let [project, instance, database] = resource_name::read(field, report, &DATABASE, parts)?;
    Ok(DatabaseName {
        project,
        instance,
        database,
    })
}

fn change_stream(field: &Field<'_>, report: &mut Report) -> Read<ChangeStreamName> {
    let text = field.text(report, "a text")?;
    text.parse()
        .map_err(|error: ChangeStreamNameError| field.problem(report, error.to_string()))
}

fn absent_retention(field: &Field<'_>, report: &mut Report) -> Read<Duration> {
    let retention = duration(field, report)?;
    if retention <= RETENTION_MARGIN {
        return Err(field.problem(
            report,
            "must be longer than 1m, the margin that is kept above the oldest readable instant",
        ));
    }
    Ok(retention)
}

/// The service counts in whole milliseconds.
///
/// Source: https://cloud.google.com/spanner/docs/change-streams/details#change_stream_query_syntax
/// (`heartbeat_milliseconds`: 1,000 to 300,000)
fn heartbeat_interval(field: &Field<'_>, report: &mut Report) -> Read<Duration> {
    let interval = change_stream::heartbeat_interval(field, report)?;
    if !interval.subsec_micros().is_multiple_of(1000) {
        return Err(field.problem(report, "must be a whole number of milliseconds"));
    }
    Ok(interval)
}
