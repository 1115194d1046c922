//! From the section of the file to a [`SpannerChangeStream`].

use std::num::NonZeroUsize;
use std::path::Path;
use std::time::Duration;

use jiff::Timestamp;

use super::options::{
    ABSENT_RETENTION_FALLBACK, CHANGE_STREAM_NAME, DATABASE, DATABASE_ID, END_POSITION,
    HEARTBEAT_INTERVAL, INSTANCE, MAX_CONCURRENT_QUERIES, PROJECT, RESUME_FALLBACK, RPC_PRIORITY,
    SKIP_MESSAGES_WITHOUT_CHANGE, STALL_AFTER_HEARTBEATS, START_POSITION, TURN,
};
use super::{
    ChangeStreamName, DatabaseName, RETENTION_MARGIN, RpcPriority, SpannerChangeStream,
    StartPosition,
};
use crate::config::connection;
use crate::config::read::{
    Field, Read, Report, Section, UnknownKeys, Value, boolean, count, duration, instant,
    positive_duration, unknown_word, variant, word,
};

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
    let end = end_after_start(section, report, end, start, fallback);
    let retention = section.read(&ABSENT_RETENTION_FALLBACK, report, absent_retention);
    let heartbeat = section.read(&HEARTBEAT_INTERVAL, report, heartbeat_interval);
    let priority = section.read_optional(&RPC_PRIORITY, report, rpc_priority);
    let queries = section.read(&MAX_CONCURRENT_QUERIES, report, count);
    let skip = section.read(&SKIP_MESSAGES_WITHOUT_CHANGE, report, boolean);
    let turn = section.read(&TURN, report, positive_duration);
    let stall = section.read(&STALL_AFTER_HEARTBEATS, report, heartbeats);
    let connection = connection::read(section, report, base_dir);
    Ok(SpannerChangeStream {
        database: database_name?,
        change_stream: stream?,
        start: start?,
        end: end?,
        resume_fallback: fallback?,
        absent_retention_fallback: retention?,
        heartbeat_interval: heartbeat?,
        rpc_priority: priority?,
        max_concurrent_queries: queries?,
        skip_messages_without_change: skip?,
        connection: connection?,
        turn: turn?,
        stall_after_heartbeats: stall?,
    })
}

fn database(field: &Field<'_>, report: &mut Report) -> Read<DatabaseName> {
    if matches!(field.node.value, Value::Map(_)) {
        return database_parts(field, report);
    }
    let text = field.text(
        report,
        "projects/PROJECT/instances/INSTANCE/databases/DATABASE",
    )?;
    text.parse()
        .map_err(|error: super::DatabaseNameError| field.problem(report, error.to_string()))
}

fn database_parts(field: &Field<'_>, report: &mut Report) -> Read<DatabaseName> {
    let section = Section::open(field, DATABASE.members, UnknownKeys::Refused, report)?;
    let mut part = |option| {
        section.read(option, report, |field, report| {
            let text = field.text(report, "a text")?;
            DatabaseName::part(text).map_err(|error| field.problem(report, error.to_string()))
        })
    };
    let parts = (part(&PROJECT), part(&INSTANCE), part(&DATABASE_ID));
    section.close();
    Ok(DatabaseName {
        project: parts.0?,
        instance: parts.1?,
        database: parts.2?,
    })
}

fn change_stream(field: &Field<'_>, report: &mut Report) -> Read<ChangeStreamName> {
    let text = field.text(report, "a text")?;
    text.parse()
        .map_err(|error: super::ChangeStreamNameError| field.problem(report, error.to_string()))
}

/// Whether `at` lies in the future is known only when the run begins: [`StartPosition::resolve`].
fn start_position(field: &Field<'_>, report: &mut Report) -> Read<StartPosition> {
    const WHAT: &str = "latest, earliest, { at: INSTANT } or { ago: DURATION }";
    let chosen = variant(field, report, WHAT)?;
    match (chosen.name, chosen.content) {
        ("latest", None) => Ok(StartPosition::Latest),
        ("earliest", None) => Ok(StartPosition::Earliest),
        ("at", Some(at)) => instant(&at, report).map(StartPosition::At),
        ("ago", Some(ago)) => positive_duration(&ago, report).map(StartPosition::Ago),
        (name @ ("latest" | "earliest"), Some(content)) => {
            Err(content.problem(report, format!("takes no value; write {name} alone")))
        }
        (name @ ("at" | "ago"), None) => {
            Err(field.problem(report, format!("{name} needs a value; write {WHAT}")))
        }
        (name, _) => {
            let message = unknown_word(name, &["latest", "earliest", "at", "ago"]);
            Err(field.problem(report, message))
        }
    }
}

fn end_after_start(
    section: &Section<'_>,
    report: &mut Report,
    end: Read<Option<Timestamp>>,
    start: Read<StartPosition>,
    fallback: Read<Option<StartPosition>>,
) -> Read<Option<Timestamp>> {
    let Some(instant) = end? else { return Ok(None) };
    let begins = [
        (&START_POSITION, start.ok()),
        (&RESUME_FALLBACK, fallback.ok().flatten()),
    ];
    let mut outcome = end;
    for (option, begin) in begins {
        if let Some(StartPosition::At(begin)) = begin
            && instant < begin
        {
            let message = format!("{instant} lies before {}, {begin}", option.name);
            outcome = Err(section.problem(&END_POSITION, report, message));
        }
    }
    outcome
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

/// Source: https://cloud.google.com/spanner/docs/change-streams/details#change_stream_query_syntax
/// (`heartbeat_milliseconds`: 1,000 to 300,000)
fn heartbeat_interval(field: &Field<'_>, report: &mut Report) -> Read<Duration> {
    const RANGE: std::ops::RangeInclusive<Duration> =
        Duration::from_secs(1)..=Duration::from_secs(300);
    let interval = duration(field, report)?;
    if !RANGE.contains(&interval) {
        return Err(field.problem(report, "must be from 1s to 5m"));
    }
    if !interval.subsec_micros().is_multiple_of(1000) {
        return Err(field.problem(report, "must be a whole number of milliseconds"));
    }
    Ok(interval)
}

fn rpc_priority(field: &Field<'_>, report: &mut Report) -> Read<RpcPriority> {
    word(
        field,
        report,
        &[
            ("low", RpcPriority::Low),
            ("medium", RpcPriority::Medium),
            ("high", RpcPriority::High),
        ],
    )
}

fn heartbeats(field: &Field<'_>, report: &mut Report) -> Read<u32> {
    let number = count(field, report)?;
    u32::try_from(NonZeroUsize::get(number))
        .ok()
        .filter(|number| *number >= 2)
        .ok_or_else(|| {
            field.problem(
                report,
                "must be at least 2 and below 2^32: a quiet query is silent for one interval",
            )
        })
}
