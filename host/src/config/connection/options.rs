//! The options that say how a service of Google is reached.

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
    Presence::Optional("uses the service's own name"),
    "Another name of the service, such as a regional one. Always with TLS. Not with \
     emulator-endpoint.",
)
.of_kind(SERVICE)
.not_with(&["emulator-endpoint"]);

pub(crate) const MESSAGE_BYTES_MAX: OptionSpec = OptionSpec::new(
    "message-bytes-max",
    "a size",
    Presence::Default("256MiB"),
    "The largest message that is accepted from the server. A larger one fails with the name of this \
     limit.",
);

/// A server of the service.
pub(crate) const SERVICE: Kind =
    Kind::Pattern(r"^https://(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(:[0-9]+)?$");
