//! The values that every change stream has.

use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::time::Duration;

use jiff::Timestamp;

use super::StartPosition;
use crate::config::option::OptionSpec;
use crate::config::read::{
    Field, Read, Report, Section, count, duration, instant, positive_duration, unknown_word,
    variant,
};

/// Whether `at` lies in the future is known only when the run begins: [`StartPosition::resolve`].
pub(crate) fn start_position(field: &Field<'_>, report: &mut Report) -> Read<StartPosition> {
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
            let message = match name.split_once(char::is_whitespace) {
                Some((form @ ("at" | "ago"), value)) => {
                    format!("{form} needs braces; write {{ {form}: {} }}", value.trim())
                }
                Some(_) | None => unknown_word(name, &["latest", "earliest", "at", "ago"]),
            };
            Err(field.problem(report, message))
        }
    }
}

/// The end of reading, which must not lie before the positions at which reading may begin.
pub(crate) fn end_after_begin(
    section: &Section<'_>,
    report: &mut Report,
    (option, end): (&'static OptionSpec, Read<Option<Timestamp>>),
    begins: [(&OptionSpec, Option<StartPosition>); 2],
) -> Read<Option<Timestamp>> {
    let Some(instant) = end? else { return Ok(None) };
    let mut outcome = end;
    for (of, begin) in begins {
        if let Some(StartPosition::At(begin)) = begin
            && instant < begin
        {
            let message = format!("{instant} lies before {}, {begin}", of.name);
            outcome = Err(section.problem(option, report, message));
        }
    }
    outcome
}

/// Spanner takes 1 s to 5 min. What Bigtable takes is not published; the same is sensible there.
///
/// Source: https://cloud.google.com/spanner/docs/change-streams/details#change_stream_query_syntax
/// (`heartbeat_milliseconds`: 1,000 to 300,000)
pub(crate) fn heartbeat_interval(field: &Field<'_>, report: &mut Report) -> Read<Duration> {
    const RANGE: RangeInclusive<Duration> = Duration::from_secs(1)..=Duration::from_secs(300);
    let interval = duration(field, report)?;
    if !RANGE.contains(&interval) {
        return Err(field.problem(report, "must be from 1s to 5m"));
    }
    Ok(interval)
}

pub(crate) fn stall_after_heartbeats(field: &Field<'_>, report: &mut Report) -> Read<u32> {
    let number = count(field, report)?;
    u32::try_from(NonZeroUsize::get(number))
        .ok()
        .filter(|number| *number >= 2)
        .ok_or_else(|| {
            field.problem(
                report,
                "must be at least 2 and below 2^32: a quiet partition is silent for one interval",
            )
        })
}
