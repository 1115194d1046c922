//! The options of requests to Spanner.

use crate::config::Kind;
use crate::config::option::{OptionSpec, Presence};

pub(crate) const RPC_PRIORITY: OptionSpec = OptionSpec::new(
    "rpc-priority",
    "low, medium or high",
    Presence::Optional("sends none, which Spanner reads as high"),
    "The priority that the queries run at.",
)
.or_called(&["rpcPriority"])
.of_kind(Kind::Words(&["low", "medium", "high"]));

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
