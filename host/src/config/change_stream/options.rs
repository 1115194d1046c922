//! The options of every change stream. A source may word one anew, or give it another default.

use crate::config::Kind;
use crate::config::option::{OptionSpec, Presence};

pub(crate) const START_POSITION: OptionSpec = OptionSpec::new(
    "start-position",
    "latest, earliest, { at: INSTANT } or { ago: DURATION }",
    Presence::Default("latest"),
    "Where a run without a checkpoint begins. Resolved once; ignored where a checkpoint is. The \
     future is refused; what has expired is moved up to the oldest readable instant plus a minute, \
     with a warning.",
)
.or_called(&["startPosition"])
.of_kind(POSITION);

pub(crate) const RESUME_FALLBACK: OptionSpec = OptionSpec::new(
    "resume-fallback",
    "as start-position",
    Presence::Optional("fails"),
    "Where to begin anew when the position of a checkpoint has expired. The lost interval becomes a \
     control record, and changes at or after this position may come again.",
)
.or_called(&["resumeFallback"])
.of_kind(POSITION);

pub(crate) const HEARTBEAT_INTERVAL: OptionSpec = OptionSpec::new(
    "heartbeat-interval",
    "a duration",
    Presence::Required,
    "How often a quiet partition reports, and so how long the watermark may stand still. 1s to 5m.",
)
.or_called(&["heartbeatInterval"]);

pub(crate) const SKIP_MESSAGES_WITHOUT_CHANGE: OptionSpec = OptionSpec::new(
    "skip-messages-without-change",
    "true or false",
    Presence::Default("false"),
    "Leaves a record out if the filters removed something from it and nothing is left.",
)
.or_called(&["skipMessagesWithoutChange"]);

pub(crate) const TURN: OptionSpec = OptionSpec::new(
    "turn",
    "a duration",
    Presence::Default("30s"),
    "How long a partition is read while others wait for a place. Longer than zero.",
)
.of_kind(Kind::PositiveDuration);

pub(crate) const STALL_AFTER_HEARTBEATS: OptionSpec = OptionSpec::new(
    "stall-after-heartbeats",
    "a number",
    Presence::Default("10"),
    "A partition that is silent for this many heartbeat intervals is opened again. At least 2: a \
     quiet one is silent for one.",
)
.of_kind(Kind::Count {
    min: 2,
    max: 0xFFFF_FFFF,
});

const POSITION: Kind = Kind::WordOr(
    &["latest", "earliest"],
    &[("at", Kind::Instant), ("ago", Kind::PositiveDuration)],
);
