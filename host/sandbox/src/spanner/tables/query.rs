//! Queries whose answer is written down.

use serde_json::Value as Json;

use crate::spanner::history::Row;

/// A query and its answer, the same at every timestamp. The statement is not read: it must come with
/// exactly this text.
#[derive(Clone, Debug, PartialEq)]
pub struct Query {
    /// The statement.
    pub sql: String,
    /// The parameters that it must come with, as JSON in the wire's form (an INT64 is a string).
    pub params: Row,
    /// Names and types of its columns; a name may be empty or come twice.
    pub columns: Vec<(String, Json)>,
    /// Its rows, in the order of the columns.
    pub rows: Vec<Vec<Json>>,
    /// Whether it can be partitioned.
    pub partitionable: bool,
}

/// What the service's plan for a statement does not begin with a distributed union for. A join of
/// interleaved tables is an exception.
///
/// Source: <https://cloud.google.com/spanner/docs/reads#read_data_in_parallel>.
const NOT_PARTITIONABLE: [&str; 9] = [
    "ORDER",
    "GROUP",
    "JOIN",
    "LIMIT",
    "DISTINCT",
    "UNION",
    "INTERSECT",
    "EXCEPT",
    "HAVING",
];

const AGGREGATES: [&str; 5] = ["COUNT", "SUM", "AVG", "MIN", "MAX"];

/// Whether a statement has none of the words after which the service refuses to partition it.
pub(crate) fn looks_partitionable(sql: &str) -> bool {
    let words = sql.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    let is_any = |word: &str, of: &[&str]| of.iter().any(|other| other.eq_ignore_ascii_case(word));
    let mut words = words.filter(|word| !word.is_empty());
    !words.any(|word| is_any(word, &NOT_PARTITIONABLE) || is_any(word, &AGGREGATES))
}

impl Query {
    /// A query without parameters and rows; whether it can be partitioned is seen from its words.
    #[must_use]
    pub fn new<'a>(sql: &str, columns: impl IntoIterator<Item = (&'a str, Json)>) -> Self {
        let columns = columns.into_iter();
        Self {
            sql: sql.to_owned(),
            params: Row::new(),
            columns: columns
                .map(|(name, r#type)| (name.to_owned(), r#type))
                .collect(),
            rows: Vec::new(),
            partitionable: looks_partitionable(sql),
        }
    }

    /// Adds rows.
    #[must_use]
    pub fn with(mut self, rows: impl IntoIterator<Item = Vec<Json>>) -> Self {
        self.rows.extend(rows);
        self
    }

    /// Adds a parameter.
    #[must_use]
    pub fn param(mut self, name: &str, value: Json) -> Self {
        self.params.insert(name.to_owned(), value);
        self
    }
}
