//! The options that say how Spanner is reached.

use crate::config::Kind;
use crate::config::option::{OptionSpec, Presence};

pub(crate) const SERVICE_ACCOUNT_KEY_FILE: OptionSpec = OptionSpec::new(
    "service-account-key-file",
    "a path",
    Presence::Optional("uses application-default credentials"),
    "A service-account key file (JSON). Not with emulator-endpoint or credentials-json.",
)
.or_called(&["serviceAccountKeyFile"])
.not_with(&["emulator-endpoint"]);

pub(crate) const CREDENTIALS_JSON: OptionSpec = OptionSpec::new(
    "credentials-json",
    "the JSON text of a service-account key",
    Presence::Optional("uses application-default credentials"),
    "The key itself. It is never shown. Not with emulator-endpoint or service-account-key-file.",
)
.of_kind(Kind::Either(&[Kind::Text, Kind::Mapping]))
.not_with(&["emulator-endpoint", "service-account-key-file"]);

pub(crate) const EMULATOR_ENDPOINT: OptionSpec = OptionSpec::new(
    "emulator-endpoint",
    "host:port",
    Presence::Optional("uses the service"),
    "An emulator, without TLS and without credentials; never production. The port is 1 to 65535; \
     an IPv6 address stands in brackets.",
)
.or_called(&["emulatorEndpoint"])
.of_kind(Kind::Pattern(
    r"^(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+):[0-9]+$",
));

pub(crate) const ENDPOINT: OptionSpec = OptionSpec::new(
    "endpoint",
    "https://host[:port]",
    Presence::Optional("uses spanner.googleapis.com"),
    "Another name of the service, such as a regional one. Always with TLS. Not with \
     emulator-endpoint.",
)
.of_kind(Kind::Pattern(
    r"^https://(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(:[0-9]+)?$",
))
.not_with(&["emulator-endpoint"]);

pub(crate) const DATABASE_ROLE: OptionSpec = OptionSpec::new(
    "database-role",
    "a name",
    Presence::Optional("lets IAM alone decide"),
    "The database role of the sessions, for fine-grained access control.",
);

pub(crate) const REQUEST_TAG: OptionSpec = OptionSpec::new(
    "request-tag",
    "a text",
    Presence::Optional("sends none"),
    "The tag of the queries in Spanner's statistics. At most 50 printable ASCII characters, not \
     beginning with an underscore.",
)
.of_kind(Kind::Pattern(r"^[!-\^`-~]([ -~]{0,48}[!-~])?$"));

pub(crate) const DIRECTED_READ: OptionSpec = OptionSpec::new(
    "directed-read",
    "{ include: … } or { exclude: … }",
    Presence::Optional("lets Spanner choose"),
    "Which replicas answer.",
)
.with_members(&[&INCLUDE, &EXCLUDE])
.of_kind(Kind::WordOrMember(&[]));

pub(crate) const INCLUDE: OptionSpec = OptionSpec::new(
    "include",
    "a mapping",
    Presence::Optional("takes exclude"),
    "Only these replicas, in this order.",
)
.with_members(&[&REPLICAS, &AUTO_FAILOVER_DISABLED]);

pub(crate) const EXCLUDE: OptionSpec = OptionSpec::new(
    "exclude",
    "a mapping",
    Presence::Optional("takes include"),
    "All replicas but these.",
)
.with_members(&[&REPLICAS]);

pub(crate) const REPLICAS: OptionSpec = OptionSpec::new(
    "replicas",
    "a list of { location: L, type: T }",
    Presence::Required,
    "One to ten; each has a location, a type, or both.",
)
.with_members(&[&LOCATION, &REPLICA_TYPE])
.of_kind(Kind::List {
    min: 1,
    max: 10,
    of: &Kind::Members { min: 1 },
});

pub(crate) const AUTO_FAILOVER_DISABLED: OptionSpec = OptionSpec::new(
    "auto-failover-disabled",
    "true or false",
    Presence::Default("false"),
    "Fails where none of the replicas is up, instead of asking another.",
);

pub(crate) const LOCATION: OptionSpec = OptionSpec::new(
    "location",
    "a name",
    Presence::Optional("is any"),
    "The location, such as us-east1.",
);

pub(crate) const REPLICA_TYPE: OptionSpec = OptionSpec::new(
    "type",
    "read-only or read-write",
    Presence::Optional("is any"),
    "The type.",
)
.of_kind(Kind::Words(&["read-only", "read-write"]));

pub(crate) const MESSAGE_BYTES_MAX: OptionSpec = OptionSpec::new(
    "message-bytes-max",
    "a size",
    Presence::Default("256MiB"),
    "The largest message that is accepted from the server. A row may have 100 MiB and come with \
     its old values.",
);
