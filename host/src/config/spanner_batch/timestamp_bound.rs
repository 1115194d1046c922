//! At which instant a snapshot is read.

use std::time::Duration;

use jiff::Timestamp;

use crate::config::Kind;
use crate::config::option::{OptionSpec, Presence};
use crate::config::read::{Field, Read, Report, duration, instant, unknown_word, variant};

/// The instant of a snapshot. It is fixed when the read is planned, and every partition is read at it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimestampBound {
    /// The latest that is committed when the read is planned.
    Strong,
    /// An instant.
    ReadTimestamp(Timestamp),
    /// This long before the read is planned; zero is taken.
    ExactStaleness(Duration),
}

pub(crate) const TIMESTAMP_BOUND: OptionSpec = OptionSpec::new(
    "timestamp-bound",
    "strong, { read-timestamp: INSTANT } or { exact-staleness: DURATION }",
    Presence::Default("strong"),
    "The instant of the snapshot. It is resolved once, when the read is planned; a run that goes on \
     from a checkpoint keeps it. A stale read is cheaper to serve and any replica can answer it; a \
     strong one may have to reach the leader.",
)
.or_called(&["timestampBound"])
.with_members(&[
    &READ_TIMESTAMP,
    &EXACT_STALENESS,
    &MIN_READ_TIMESTAMP,
    &MAX_STALENESS,
])
.of_kind(Kind::WordOrMember(&["strong"]));

const READ_TIMESTAMP: OptionSpec = OptionSpec::new(
    "read-timestamp",
    "an instant",
    Presence::Optional("takes another bound"),
    "This instant. One that lies in the future is waited for.",
)
.or_called(&["readTimestamp", "ofReadTimestamp"]);

const EXACT_STALENESS: OptionSpec = OptionSpec::new(
    "exact-staleness",
    "a duration",
    Presence::Optional("takes another bound"),
    "So long before the read is planned.",
)
.or_called(&["exactStaleness", "ofExactStaleness"]);

/// Source: google.spanner.v1.TransactionOptions.ReadOnly.min_read_timestamp, max_staleness
const SINGLE_USE_ONLY: &str = "cannot bound this read: Spanner takes it in single-use transactions \
    only, and every partition joins the one transaction of the plan; write strong, \
    { read-timestamp: INSTANT } or { exact-staleness: DURATION }";

const MIN_READ_TIMESTAMP: OptionSpec = OptionSpec::refused("min-read-timestamp", SINGLE_USE_ONLY)
    .or_called(&["minReadTimestamp", "ofMinReadTimestamp"]);

const MAX_STALENESS: OptionSpec = OptionSpec::refused("max-staleness", SINGLE_USE_ONLY)
    .or_called(&["maxStaleness", "ofMaxStaleness"]);

/// Reads the option.
pub(super) fn read(field: &Field<'_>, report: &mut Report) -> Read<TimestampBound> {
    const WHAT: &str = TIMESTAMP_BOUND.value;
    let chosen = variant(field, report, WHAT)?;
    let mut members = TIMESTAMP_BOUND.members.iter();
    let member = members.find(|member| member.is_called(chosen.name));
    match (member, chosen.content) {
        (None, None) if chosen.name == "strong" => Ok(TimestampBound::Strong),
        (None, Some(content)) if chosen.name == "strong" => {
            Err(content.problem(report, "takes no value; write strong alone"))
        }
        (None, _) => {
            let known = ["strong", "read-timestamp", "exact-staleness"];
            Err(field.problem(report, unknown_word(chosen.name, &known)))
        }
        (
            Some(OptionSpec {
                presence: Presence::Refused(reason),
                ..
            }),
            content,
        ) => Err(content.as_ref().unwrap_or(field).problem(report, *reason)),
        (Some(member), None) => {
            let message = format!("{} needs a value; write {WHAT}", member.name);
            Err(field.problem(report, message))
        }
        (Some(member), Some(content)) if member.name == READ_TIMESTAMP.name => {
            instant(&content, report).map(TimestampBound::ReadTimestamp)
        }
        (Some(_), Some(content)) => duration(&content, report).map(TimestampBound::ExactStaleness),
    }
}
