//! The keys of Fluvio's connector files.

use crate::config::option::{OptionSpec, Presence};

pub(crate) const API_VERSION: OptionSpec = OptionSpec::new(
    "apiVersion",
    "0.1.0 or 0.2.0",
    Presence::Optional("is read as 0.1.0"),
    "The layout of the file. With 0.2.0, meta.topic is a mapping.",
);

pub(crate) const META: OptionSpec = OptionSpec::new(
    "meta",
    "a mapping",
    Presence::Required,
    "Who the connector is.",
)
.with_members(&[
    &NAME, &TYPE, &VERSION, &TOPIC, &SECRETS, &PRODUCER, &CONSUMER,
]);

pub(crate) const NAME: OptionSpec = OptionSpec::new(
    "name",
    "a name",
    Presence::Required,
    "The name of this instance: letters, digits, dots, hyphens and underscores.",
);

pub(crate) const TYPE: OptionSpec = OptionSpec::new(
    "type",
    "a connector type",
    Presence::Required,
    "The connector.",
);

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
);

pub(crate) const SECRETS: OptionSpec = OptionSpec::new(
    "secrets",
    "a list of { name: N }",
    Presence::Optional("has none"),
    "The secrets that placeholders may name. Placeholders are not filled in yet.",
);

pub(crate) const PRODUCER: OptionSpec = OptionSpec::new(
    "producer",
    "a mapping",
    Presence::Optional("has none"),
    "The settings of a Fluvio sink.",
);

pub(crate) const CONSUMER: OptionSpec = OptionSpec::new(
    "consumer",
    "a mapping",
    Presence::Optional("has none"),
    "The settings of connectors that read from Fluvio.",
);
