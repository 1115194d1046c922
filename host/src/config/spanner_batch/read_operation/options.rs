//! The options of what is read.

use crate::config::Kind;
use crate::config::option::{OptionSpec, Presence};

pub(crate) const READ_OPERATION: OptionSpec = OptionSpec::new(
    "read-operation",
    "{ query: … } or { table: … }",
    Presence::Required,
    "What is read: a query that can be partitioned, or a table with its columns.",
)
.or_called(&["readOperation"])
.with_members(&[&QUERY, &TABLE])
.of_kind(Kind::WordOrMember(&[]));

pub(super) const QUERY: OptionSpec = OptionSpec::new(
    "query",
    "SQL, or { sql: SQL, params: … }",
    Presence::Optional("takes table"),
    "A query of which the service can read parts by themselves: the first operator of its plan must \
     be a distributed union.",
)
.with_members(&[&SQL, &PARAMS])
.of_kind(Kind::Either(&[STATEMENT, Kind::Members { min: 0 }]));

pub(super) const SQL: OptionSpec = OptionSpec::new(
    "sql",
    "a text",
    Presence::Required,
    "The query, in the dialect of the database.",
)
.of_kind(STATEMENT);

pub(super) const PARAMS: OptionSpec = OptionSpec::new(
    "params",
    "{ NAME: VALUE }",
    Presence::Default("{}"),
    "Its parameters, by name without @; in PostgreSQL p1 for $1. A value is a boolean, a whole number, \
     a text, a list of those, or { type: TYPE, value: VALUE }.",
)
.of_kind(Kind::Named("^[A-Za-z_][A-Za-z0-9_]{0,127}$", &PARAMETER));

pub(super) const TABLE: OptionSpec = OptionSpec::new(
    "table",
    "a mapping",
    Presence::Optional("takes query"),
    "A table.",
)
.with_members(&[&NAME, &INDEX, &COLUMNS, &KEY_SET]);

pub(super) const NAME: OptionSpec =
    OptionSpec::new("name", "a name", Presence::Required, "The table.");

pub(super) const INDEX: OptionSpec = OptionSpec::new(
    "index",
    "a name",
    Presence::Optional("reads the table itself"),
    "The index that is read. key-set then names keys of the index, and columns are those that it \
     holds.",
);

pub(super) const COLUMNS: OptionSpec = OptionSpec::new(
    "columns",
    "a list of names",
    Presence::Required,
    "The columns, at least one, each once. With the whole primary key among them, ids are made of it.",
)
.of_kind(Kind::List {
    min: 1,
    max: u64::MAX,
    of: &Kind::Name,
});

pub(super) const KEY_SET: OptionSpec = OptionSpec::new(
    "key-set",
    "all, or { keys: …, ranges: … }",
    Presence::Default("all"),
    "Which rows, by their keys.",
)
.or_called(&["keySet"])
.with_members(&[&KEYS, &RANGES])
.of_kind(Kind::Either(&[
    Kind::Words(&["all"]),
    Kind::Members { min: 1 },
]));

pub(super) const KEYS: OptionSpec = OptionSpec::new(
    "keys",
    "a list of keys such as [[1, a], [2, b]]",
    Presence::Default("[]"),
    "Whole keys, each a list of its parts. A part is nothing, a boolean, a whole number, a text, or \
     { type: TYPE, value: VALUE }.",
)
.of_kind(Kind::List {
    min: 0,
    max: u64::MAX,
    of: &Kind::List {
        min: 1,
        max: u64::MAX,
        of: &PART,
    },
});

pub(super) const RANGES: OptionSpec = OptionSpec::new(
    "ranges",
    "a list of { start-closed: KEY, end-open: KEY }",
    Presence::Default("[]"),
    "Ranges of keys, in the order in which the key is declared. A range has one start and one end.",
)
.with_members(&[&START_CLOSED, &START_OPEN, &END_CLOSED, &END_OPEN])
.of_kind(Kind::List {
    min: 0,
    max: u64::MAX,
    of: &Kind::Members { min: 2 },
});

pub(super) const START_CLOSED: OptionSpec = OptionSpec::new(
    "start-closed",
    "a list of the first parts of a key",
    Presence::Optional("takes start-open"),
    "Where the range begins; keys that begin so belong to it. [] is the beginning of every key.",
)
.or_called(&["startClosed"])
.of_kind(PREFIX);

pub(super) const START_OPEN: OptionSpec = OptionSpec::new(
    "start-open",
    "a list of the first parts of a key",
    Presence::Optional("takes start-closed"),
    "Where the range begins; keys that begin so do not belong to it.",
)
.or_called(&["startOpen"])
.of_kind(PREFIX)
.not_with(&["start-closed"]);

pub(super) const END_CLOSED: OptionSpec = OptionSpec::new(
    "end-closed",
    "a list of the first parts of a key",
    Presence::Optional("takes end-open"),
    "Where the range ends; keys that begin so belong to it.",
)
.or_called(&["endClosed"])
.of_kind(PREFIX);

pub(super) const END_OPEN: OptionSpec = OptionSpec::new(
    "end-open",
    "a list of the first parts of a key",
    Presence::Optional("takes end-closed"),
    "Where the range ends; keys that begin so do not belong to it.",
)
.or_called(&["endOpen"])
.of_kind(PREFIX)
.not_with(&["end-closed"]);

/// A text that is not blank.
const STATEMENT: Kind = Kind::Pattern(r"^[\s\S]*\S[\s\S]*$");

const TYPED: Kind = Kind::Exactly(&[("type", Kind::Name), ("value", Kind::Anything)]);

const PARAMETER: Kind = Kind::Either(&[
    Kind::Boolean,
    Kind::Integer,
    Kind::Text,
    Kind::List {
        min: 1,
        max: u64::MAX,
        of: &Kind::Either(&[Kind::Boolean, Kind::Integer, Kind::Text]),
    },
    TYPED,
]);

const PART: Kind = Kind::Either(&[Kind::Null, Kind::Boolean, Kind::Integer, Kind::Text, TYPED]);

const PREFIX: Kind = Kind::List {
    min: 0,
    max: u64::MAX,
    of: &PART,
};
