//! Row mutations, as a table's change stream holds them.

use base64::{Engine, engine::general_purpose::STANDARD};
use bytes::Bytes;
use jiff::Timestamp;
use serde_json::{Value, json};

/// One atomic write to one row.
///
/// Source: `google/bigtable/v2/bigtable.proto`, `ReadChangeStreamResponse.DataChange`.
#[derive(Clone, Debug, PartialEq)]
pub struct Mutation {
    /// The row.
    pub row_key: Bytes,
    /// When it was committed where it was written; whole microseconds.
    pub commit_timestamp: Timestamp,
    /// Of mutations of one row with one commit timestamp, the one with the larger tie breaker wins.
    pub tie_breaker: i32,
    /// Who wrote it.
    pub source: Source,
    /// What it did, in this order.
    pub entries: Vec<Entry>,
}

/// Who wrote a mutation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A user, at this cluster.
    User(String),
    /// Garbage collection, which has no cluster.
    GarbageCollection,
}

/// One thing that a mutation did to its row.
///
/// Source: `google/bigtable/v2/data.proto`, `Mutation`; the service turns `DeleteFromRow` into
/// deletions of families.
#[derive(Clone, Debug, PartialEq)]
pub enum Entry {
    /// A cell was set.
    SetCell {
        /// The column.
        column: Column,
        /// The cell's timestamp.
        timestamp_micros: i64,
        /// Its value.
        value: Bytes,
    },
    /// Cells of a column were deleted.
    DeleteCells {
        /// The column.
        column: Column,
        /// The first timestamp that is deleted.
        start_micros: i64,
        /// The first one after that is not. `None`: all later ones are.
        end_micros: Option<i64>,
    },
    /// All cells of a family were deleted.
    DeleteFamily {
        /// The family.
        family: String,
    },
    /// Something was added to an aggregate.
    AddToCell {
        /// The column.
        column: Column,
        /// The cell's timestamp.
        timestamp_micros: i64,
        /// What was added.
        input: Input,
    },
    /// The state of an aggregate was merged into another.
    MergeToCell {
        /// The column.
        column: Column,
        /// The cell's timestamp.
        timestamp_micros: i64,
        /// The state.
        input: Input,
    },
}

/// A column of a family.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// The family's name.
    pub family: String,
    /// The qualifier; it may be empty.
    pub qualifier: Bytes,
}

/// What goes into an aggregate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// A number.
    Number(i64),
    /// Bytes, such as a sketch.
    Bytes(Bytes),
}

fn column(family: &str, qualifier: impl Into<Bytes>) -> Column {
    Column {
        family: family.to_owned(),
        qualifier: qualifier.into(),
    }
}

impl Entry {
    /// A cell was set.
    #[must_use]
    pub fn set(
        family: &str,
        qualifier: impl Into<Bytes>,
        timestamp_micros: i64,
        value: impl Into<Bytes>,
    ) -> Self {
        Self::SetCell {
            column: column(family, qualifier),
            timestamp_micros,
            value: value.into(),
        }
    }

    /// Every cell of a column was deleted.
    #[must_use]
    pub fn delete_column(family: &str, qualifier: impl Into<Bytes>) -> Self {
        Self::DeleteCells {
            column: column(family, qualifier),
            start_micros: 0,
            end_micros: None,
        }
    }

    /// The cells of a column before a timestamp were deleted.
    #[must_use]
    pub fn delete_before(family: &str, qualifier: impl Into<Bytes>, end_micros: i64) -> Self {
        Self::DeleteCells {
            column: column(family, qualifier),
            start_micros: 0,
            end_micros: Some(end_micros),
        }
    }

    /// All cells of a family were deleted.
    #[must_use]
    pub fn delete_family(family: &str) -> Self {
        Self::DeleteFamily {
            family: family.to_owned(),
        }
    }

    /// A number was added to an aggregate.
    #[must_use]
    pub fn add(
        family: &str,
        qualifier: impl Into<Bytes>,
        timestamp_micros: i64,
        number: i64,
    ) -> Self {
        Self::AddToCell {
            column: column(family, qualifier),
            timestamp_micros,
            input: Input::Number(number),
        }
    }

    /// The state of an aggregate was merged into another.
    #[must_use]
    pub fn merge(
        family: &str,
        qualifier: impl Into<Bytes>,
        timestamp_micros: i64,
        state: impl Into<Bytes>,
    ) -> Self {
        Self::MergeToCell {
            column: column(family, qualifier),
            timestamp_micros,
            input: Input::Bytes(state.into()),
        }
    }
}

impl Mutation {
    /// Commit timestamp, tie breaker, source cluster and row key in Base64, with `/` between them.
    #[must_use]
    pub fn id(&self) -> String {
        let (at, tie_breaker) = (micros(self.commit_timestamp), self.tie_breaker);
        let (cluster, row) = (self.cluster(), STANDARD.encode(&self.row_key));
        format!("{at}/{tie_breaker}/{cluster}/{row}")
    }

    /// The cluster at which it was written; empty for garbage collection.
    #[must_use]
    pub fn cluster(&self) -> &str {
        match &self.source {
            Source::User(cluster) => cluster,
            Source::GarbageCollection => "",
        }
    }

    /// What the JSON deserializer makes of it by default, without the table and the estimated low
    /// watermark: the one is not the mutation's, the other is another one each time it is read.
    #[must_use]
    pub fn to_json(&self) -> Value {
        json!({
            "id": self.id(),
            "row_key": STANDARD.encode(&self.row_key),
            "mutation_type": match self.source {
                Source::User(_) => "user",
                Source::GarbageCollection => "garbage_collection",
            },
            "source_cluster_id": self.cluster(),
            "commit_timestamp": micros(self.commit_timestamp),
            "tie_breaker": self.tie_breaker,
            "entries": self.entries.iter().map(Entry::to_json).collect::<Vec<_>>(),
        })
    }
}

impl Entry {
    fn to_json(&self) -> Value {
        match self {
            Self::SetCell {
                column: Column { family, qualifier },
                timestamp_micros,
                value,
            } => json!({
                "kind": "set_cell", "family": family, "qualifier": STANDARD.encode(qualifier),
                "timestamp_micros": timestamp_micros, "value": STANDARD.encode(value),
            }),
            Self::DeleteCells {
                column: Column { family, qualifier },
                start_micros,
                end_micros,
            } => json!({
                "kind": "delete_cells", "family": family, "qualifier": STANDARD.encode(qualifier),
                "start_timestamp_micros": start_micros, "end_timestamp_micros": end_micros,
            }),
            Self::DeleteFamily { family } => json!({ "kind": "delete_family", "family": family }),
            Self::AddToCell {
                column,
                timestamp_micros,
                input,
            } => aggregate("add_to_cell", column, *timestamp_micros, input),
            Self::MergeToCell {
                column,
                timestamp_micros,
                input,
            } => aggregate("merge_to_cell", column, *timestamp_micros, input),
        }
    }
}

fn aggregate(kind: &str, column: &Column, timestamp_micros: i64, input: &Input) -> Value {
    let input = match input {
        Input::Number(number) => json!(number),
        Input::Bytes(bytes) => json!(STANDARD.encode(bytes)),
    };
    json!({
        "kind": kind, "family": column.family, "qualifier": STANDARD.encode(&column.qualifier),
        "timestamp_micros": timestamp_micros, "input": input,
    })
}

/// RFC 3339 with six fraction digits.
fn micros(instant: Timestamp) -> String {
    format!("{instant:.6}")
}
