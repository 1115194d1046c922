//! The keys of Fluvio's connector files.

use crate::config::Kind;
use crate::config::connector::TYPES;
use crate::config::option::{OptionSpec, Presence};

pub(crate) const API_VERSION: OptionSpec = OptionSpec::new(
    "apiVersion",
    "0.1.0 or 0.2.0",
    Presence::Optional("is read as 0.1.0"),
    "The layout of the file. With 0.2.0, meta.topic is a mapping.",
)
.of_kind(Kind::Words(&["0.0.0", "0.1.0", "0.2.0"]));

pub(crate) const META: OptionSpec = OptionSpec::new(
    "meta",
    "a mapping",
    Presence::Required,
    "Who the connector is.",
)
.with_members(&[
    &NAME, &TYPE, &VERSION, &TOPIC, &SECRETS, &PRODUCER, &CONSUMER,
])
.of_kind(Kind::OpenMembers);

pub(crate) const NAME: OptionSpec = OptionSpec::new(
    "name",
    "a name",
    Presence::Required,
    "The name of this instance: letters, digits, dots, hyphens and underscores.",
)
.of_kind(Kind::Pattern("^[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}$"));

pub(crate) const TYPE: OptionSpec = OptionSpec::new(
    "type",
    "a connector type",
    Presence::Required,
    "The connector.",
)
.of_kind(Kind::Words(TYPES));

pub(crate) const VERSION: OptionSpec = OptionSpec::new(
    "version",
    "a version",
    Presence::Required,
    "The version of the connector package.",
);

pub(crate) const TOPIC: OptionSpec = OptionSpec::new(
    "topic",
    "a name or a mapping",
    Presence::Optional("has none"),
    "The topic of a Fluvio sink.",
)
.of_kind(Kind::Either(&[
    TOPIC_NAME,
    Kind::Holding(&["meta", "name"], &TOPIC_NAME),
]));

pub(crate) const SECRETS: OptionSpec = OptionSpec::new(
    "secrets",
    "a list of { name: N }",
    Presence::Optional("has none"),
    "The secrets that placeholders may name. Placeholders are not filled in yet.",
)
.of_kind(Kind::List {
    min: 0,
    max: u64::MAX,
    of: &Kind::Holding(&["name"], &Kind::Pattern("^[A-Za-z_][A-Za-z0-9_]*$")),
});

pub(crate) const PRODUCER: OptionSpec = OptionSpec::new(
    "producer",
    "a mapping",
    Presence::Optional("has none"),
    "The settings of a Fluvio sink.",
)
.of_kind(Kind::Anything);

pub(crate) const CONSUMER: OptionSpec = OptionSpec::new(
    "consumer",
    "a mapping",
    Presence::Optional("has none"),
    "The settings of connectors that read from Fluvio.",
)
.of_kind(Kind::Anything);

const TOPIC_NAME: Kind = Kind::Pattern("^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$");
