//! The statements that reading change streams needs, in both dialects.

use std::collections::HashMap;

use googleapis_tonic_google_spanner_v1::google::spanner::v1::{Type, TypeCode};
use jiff::Timestamp;
use prost_types::value::Kind;
use prost_types::{Struct, Value};

use crate::config::ChangeStreamName;

/// The SQL dialect of a database.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Dialect {
    /// GoogleSQL.
    GoogleSql,
    /// PostgreSQL.
    PostgreSql,
}

impl Dialect {
    /// The schema that names without one belong to.
    pub(super) fn default_schema(self) -> &'static str {
        match self {
            Self::GoogleSql => "",
            Self::PostgreSql => "public",
        }
    }

    /// How a statement's one parameter is written; [`Statement::bind_name`] gives its value.
    pub(super) fn placeholder(self) -> &'static str {
        match self {
            Self::GoogleSql => "@n",
            Self::PostgreSql => "$1",
        }
    }
}

/// How a change stream's partitions live.
///
/// Source: `partition_mode` in INFORMATION_SCHEMA.CHANGE_STREAM_OPTIONS.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum PartitionMode {
    /// A partition's key range never changes; it ends with its children's names.
    Immutable,
    /// Key ranges move between partitions that live on.
    Mutable,
}

/// A statement with its parameters.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Statement {
    /// The text.
    pub sql: String,
    /// Values by parameter name.
    pub params: Struct,
    /// Types by parameter name.
    pub param_types: HashMap<String, Type>,
}

impl Statement {
    /// A statement without parameters.
    pub fn new(sql: impl Into<String>) -> Self {
        Self {
            sql: sql.into(),
            ..Self::default()
        }
    }

    /// Binds the name of a change stream as the one parameter of a statement.
    pub(super) fn bind_name(self, dialect: Dialect, name: &ChangeStreamName) -> Self {
        let parameter = match dialect {
            Dialect::GoogleSql => "n",
            Dialect::PostgreSql => "p1",
        };
        self.bind(parameter, TypeCode::String, Some(name.as_str().to_owned()))
    }

    /// Binds a parameter.
    pub fn bind(mut self, name: &str, code: TypeCode, value: Option<String>) -> Self {
        let kind = value.map_or(Kind::NullValue(0), Kind::StringValue);
        self.params
            .fields
            .insert(name.to_owned(), Value { kind: Some(kind) });
        let of_type = Type {
            code: code.into(),
            ..Type::default()
        };
        self.param_types.insert(name.to_owned(), of_type);
        self
    }
}

/// One query of a change stream's partition.
#[derive(Clone, Debug, PartialEq)]
pub struct PartitionQuery<'a> {
    /// First commit timestamp, inclusive.
    pub start: Timestamp,
    /// Last commit timestamp, inclusive; none for an open end.
    pub end: Option<Timestamp>,
    /// The partition's token; none for the root query.
    pub token: Option<&'a str>,
    /// Heartbeat interval, milliseconds: 1,000 to 300,000.
    pub heartbeat_ms: u64,
}

/// The statement that reads a partition.
///
/// Source: https://cloud.google.com/spanner/docs/change-streams/details#change_stream_query_syntax
/// (the read options are always sent: some databases refuse four arguments with "Signature
/// requires at least 5 arguments").
pub fn read_partition(
    dialect: Dialect,
    mode: PartitionMode,
    stream: &ChangeStreamName,
    query: &PartitionQuery<'_>,
) -> Statement {
    let name = stream.as_str();
    let (sql, names) = match (dialect, mode) {
        (Dialect::GoogleSql, PartitionMode::Immutable | PartitionMode::Mutable) => (
            format!(
                "SELECT ChangeRecord FROM READ_{name}(start_timestamp => @s, end_timestamp => @e, \
                 partition_token => @t, read_options => NULL, heartbeat_milliseconds => @h)"
            ),
            ["s", "e", "t", "h"],
        ),
        (Dialect::PostgreSql, PartitionMode::Immutable) => (
            format!("SELECT * FROM \"spanner\".\"read_json_{name}\"($1, $2, $3, $4, null)"),
            ["p1", "p2", "p3", "p4"],
        ),
        (Dialect::PostgreSql, PartitionMode::Mutable) => (
            format!("SELECT * FROM \"spanner\".\"read_proto_bytes_{name}\"($1, $2, $3, $4, null)"),
            ["p1", "p2", "p3", "p4"],
        ),
    };
    let [start, end, token, heartbeat] = names;
    Statement::new(sql)
        // jiff prints a `Z`, which the service insists on.
        .bind(start, TypeCode::Timestamp, Some(query.start.to_string()))
        .bind(
            end,
            TypeCode::Timestamp,
            query.end.map(|end| end.to_string()),
        )
        .bind(token, TypeCode::String, query.token.map(str::to_owned))
        .bind(
            heartbeat,
            TypeCode::Int64,
            Some(query.heartbeat_ms.to_string()),
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn query() -> PartitionQuery<'static> {
        PartitionQuery {
            start: "2026-01-02T03:04:05.000000006Z".parse().unwrap(),
            end: None,
            token: None,
            heartbeat_ms: 2000,
        }
    }

    #[test]
    fn timestamps_end_in_z_and_an_absent_token_is_null() {
        let stream = "Orders".parse().unwrap();
        let statement = read_partition(
            Dialect::GoogleSql,
            PartitionMode::Immutable,
            &stream,
            &query(),
        );
        assert!(
            statement
                .sql
                .starts_with("SELECT ChangeRecord FROM READ_Orders(")
        );
        let kind = |name: &str| statement.params.fields[name].kind.clone().unwrap();
        assert_eq!(
            kind("s"),
            Kind::StringValue("2026-01-02T03:04:05.000000006Z".into())
        );
        assert_eq!(kind("e"), Kind::NullValue(0));
        assert_eq!(kind("t"), Kind::NullValue(0));
        assert_eq!(kind("h"), Kind::StringValue("2000".into()));
        assert_eq!(statement.param_types["h"].code, TypeCode::Int64 as i32);
    }

    #[test]
    fn a_mixed_case_postgresql_stream_is_quoted() {
        let stream = "MixedCase".parse().unwrap();
        let statement = read_partition(
            Dialect::PostgreSql,
            PartitionMode::Immutable,
            &stream,
            &query(),
        );
        assert_eq!(
            statement.sql,
            "SELECT * FROM \"spanner\".\"read_json_MixedCase\"($1, $2, $3, $4, null)"
        );
    }
}
