//! What a database says of a change stream before it is read.

use std::time::Duration;

use googleapis_tonic_google_spanner_v1::google::spanner::v1::{ResultSet, TypeCode};
use jiff::Timestamp;
use prost_types::value::Kind;

use super::client::Client;
use super::request::{Dialect, PartitionMode, PartitionQuery, Statement, read_partition};
use crate::config::ChangeStreamName;
use crate::google::{CallError, Disposition, retrying};

/// Why a change stream cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum DiscoverError {
    /// A question to the database failed.
    #[error("the database cannot be asked about what is read: {0}")]
    Call(#[from] CallError),
    /// There is no such change stream.
    #[error(
        "the database has no change stream named {name}{}",
        .folded.as_ref().map_or(String::new(), |folded| format!(
            "; it has {folded} (PostgreSQL folds unquoted names to lower case)"
        ))
    )]
    NoStream {
        /// The name asked for.
        name: String,
        /// A stream whose name differs by case only.
        folded: Option<String>,
    },
    /// An option of the stream has a value that we cannot read.
    #[error("{option} is {value}, which this version cannot read")]
    Option {
        /// The option's name.
        option: &'static str,
        /// Its value.
        value: String,
    },
    /// The service keeps nothing that can be read.
    #[error("no start of the change stream up to now can be read: {0}")]
    NothingReadable(CallError),
}

/// A change stream as its database describes it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Described {
    /// The database's dialect.
    pub dialect: Dialect,
    /// How its partitions live.
    pub mode: PartitionMode,
    /// How long its records are kept; none where the stream does not say.
    pub retention: Option<Duration>,
}

/// Asks the database about a change stream.
///
/// Source: https://cloud.google.com/spanner/docs/information-schema (and the PostgreSQL page)
///
/// # Errors
///
/// The stream does not exist, has an option that we cannot read, or a query failed.
pub async fn describe(
    client: &Client,
    name: &ChangeStreamName,
) -> Result<Described, DiscoverError> {
    let dialect = dialect(client).await?;
    exists(client, dialect, name).await?;
    let mut described = Described {
        dialect,
        mode: PartitionMode::Immutable,
        retention: None,
    };
    for row in rows(&client.query(options_of(dialect, name)).await?) {
        let [option, value] = row.as_slice() else {
            continue;
        };
        match option.as_str() {
            "retention_period" => {
                described.retention =
                    Some(retention(value).ok_or_else(|| DiscoverError::Option {
                        option: "retention_period",
                        value: value.clone(),
                    })?);
            }
            "partition_mode" => described.mode = mode(value)?,
            // Others, such as value_capture_type, change what records hold and not how to read.
            _ => {}
        }
    }
    Ok(described)
}

/// The earliest instant at or after `from` at which the stream can be read: `from` itself, unless
/// the stream is younger or its retention was lowered.
///
/// The creation time of a stream stands nowhere, and the text of the refusal is not a contract. So
/// root queries are tried, halving the interval down to a microsecond.
///
/// # Errors
///
/// A query failed for another reason, or not even `now` can be read.
pub async fn earliest_readable(
    client: &Client,
    described: &Described,
    name: &ChangeStreamName,
    from: Timestamp,
    now: Timestamp,
) -> Result<Timestamp, DiscoverError> {
    let (mut unreadable, mut readable) = (from.as_microsecond(), now.as_microsecond());
    if probe(client, described, name, &at_once(from))
        .await?
        .is_ok()
    {
        return Ok(from);
    }
    if let Err(refusal) = probe(client, described, name, &at_once(now)).await? {
        return Err(DiscoverError::NothingReadable(refusal));
    }
    while readable - unreadable > 1 {
        let middle = unreadable + (readable - unreadable) / 2;
        let Ok(at) = Timestamp::from_microsecond(middle) else {
            break;
        };
        match probe(client, described, name, &at_once(at)).await? {
            Ok(()) => readable = middle,
            Err(_refused) => unreadable = middle,
        }
    }
    Ok(Timestamp::from_microsecond(readable).unwrap_or(now))
}

/// A root query that ends where it starts: an end keeps it from waiting where a root query would
/// stay open.
pub fn at_once(at: Timestamp) -> PartitionQuery<'static> {
    PartitionQuery {
        start: at,
        end: Some(at),
        token: None,
        heartbeat_ms: 1000,
    }
}

/// Whether a query is taken; the inner error is the refusal of its position. What it reads is
/// thrown away.
///
/// # Errors
///
/// The query failed for another reason than its position.
pub async fn probe(
    client: &Client,
    described: &Described,
    name: &ChangeStreamName,
    query: &PartitionQuery<'_>,
) -> Result<Result<(), CallError>, DiscoverError> {
    let statement = read_partition(described.dialect, described.mode, name, query);
    let first = retrying(client.patience(), || {
        let (client, statement) = (client.clone(), statement.clone());
        async move { client.stream(statement).await?.next().await }
    })
    .await;
    match first {
        Ok(_frame) => Ok(Ok(())),
        Err(error) if error.disposition() == Disposition::OutOfRange => Ok(Err(error)),
        Err(error) => Err(error.into()),
    }
}

/// How long a database keeps old versions of rows that does not say.
///
/// Source: https://cloud.google.com/spanner/docs/use-pitr
const VERSION_RETENTION_DEFAULT: Duration = Duration::from_secs(3600);

/// How long the database keeps old versions of rows, and so how old a snapshot may become.
///
/// # Errors
///
/// The query failed, or the database's answer cannot be read.
pub(crate) async fn version_retention(
    client: &Client,
    dialect: Dialect,
) -> Result<Duration, DiscoverError> {
    let schema = dialect.default_schema();
    let statement = Statement::new(format!(
        "SELECT option_value FROM information_schema.database_options \
         WHERE schema_name = '{schema}' AND option_name = 'version_retention_period'"
    ));
    let found = rows(&client.query(statement).await?)
        .into_iter()
        .flatten()
        .next();
    match found {
        None => Ok(VERSION_RETENTION_DEFAULT),
        Some(value) => retention(&value).ok_or(DiscoverError::Option {
            option: "version_retention_period",
            value,
        }),
    }
}

/// The columns of a table's primary key; none if there is no such table.
///
/// # Errors
///
/// The query failed.
pub(crate) async fn primary_key(
    client: &Client,
    dialect: Dialect,
    table: &str,
) -> Result<Vec<String>, DiscoverError> {
    let (schema, table) = table
        .split_once('.')
        .unwrap_or((dialect.default_schema(), table));
    let names = match dialect {
        Dialect::GoogleSql => [("@s", "s"), ("@t", "t")],
        Dialect::PostgreSql => [("$1", "p1"), ("$2", "p2")],
    };
    let [(schema_is, of_schema), (table_is, of_table)] = names;
    let statement = Statement::new(format!(
        "SELECT column_name FROM information_schema.index_columns \
         WHERE table_schema = {schema_is} AND table_name = {table_is} \
         AND index_type = 'PRIMARY_KEY' ORDER BY ordinal_position"
    ))
    .bind(of_schema, TypeCode::String, Some(schema.to_owned()))
    .bind(of_table, TypeCode::String, Some(table.to_owned()));
    let columns = rows(&client.query(statement).await?);
    Ok(columns.into_iter().flatten().collect())
}

/// Asks the database for its dialect.
///
/// # Errors
///
/// The query failed, or the answer is one that this version does not know.
pub(crate) async fn dialect(client: &Client) -> Result<Dialect, DiscoverError> {
    let statement = Statement::new(
        "SELECT option_value FROM information_schema.database_options \
         WHERE option_name = 'database_dialect'",
    );
    match rows(&client.query(statement).await?)
        .first()
        .map(Vec::as_slice)
    {
        Some([value]) if value == "POSTGRESQL" => Ok(Dialect::PostgreSql),
        Some([value]) if value == "GOOGLE_STANDARD_SQL" => Ok(Dialect::GoogleSql),
        None => Ok(Dialect::GoogleSql),
        Some(other) => Err(DiscoverError::Option {
            option: "database_dialect",
            value: other.join(", "),
        }),
    }
}

async fn exists(
    client: &Client,
    dialect: Dialect,
    name: &ChangeStreamName,
) -> Result<(), DiscoverError> {
    let schema = dialect.default_schema();
    let statement = Statement::new(format!(
        "SELECT change_stream_name FROM information_schema.change_streams \
         WHERE change_stream_schema = '{schema}'"
    ));
    let names: Vec<String> = rows(&client.query(statement).await?)
        .into_iter()
        .flatten()
        .collect();
    if names.iter().any(|found| found == name.as_str()) {
        return Ok(());
    }
    Err(DiscoverError::NoStream {
        name: name.as_str().to_owned(),
        folded: names
            .into_iter()
            .find(|found| found.eq_ignore_ascii_case(name.as_str())),
    })
}

/// The catalog is not compared: the service gives the database's name, others nothing.
fn options_of(dialect: Dialect, name: &ChangeStreamName) -> Statement {
    let (schema, placeholder) = (dialect.default_schema(), dialect.placeholder());
    Statement::new(format!(
        "SELECT option_name, option_value FROM information_schema.change_stream_options \
         WHERE change_stream_schema = '{schema}' AND change_stream_name = {placeholder}"
    ))
    .bind_name(dialect, name)
}

fn mode(value: &str) -> Result<PartitionMode, DiscoverError> {
    match value {
        "IMMUTABLE_KEY_RANGE" => Ok(PartitionMode::Immutable),
        "MUTABLE_KEY_RANGE" => Ok(PartitionMode::Mutable),
        _ => Err(DiscoverError::Option {
            option: "partition_mode",
            value: value.to_owned(),
        }),
    }
}

/// A retention such as `36h` or `7d`.
///
/// Source: https://cloud.google.com/spanner/docs/change-streams/manage#create-retention
fn retention(value: &str) -> Option<Duration> {
    let unit_at = value.find(|c: char| !c.is_ascii_digit())?;
    let (number, unit) = value.split_at_checked(unit_at)?;
    let seconds = match unit {
        "s" => 1,
        "m" => 60,
        "h" => 3600,
        "d" => 24 * 3600,
        _ => return None,
    };
    let number: u64 = number.parse().ok()?;
    Some(Duration::from_secs(number.checked_mul(seconds)?))
}

/// The rows of a result of text columns; a null is an empty text. A boolean becomes the word that
/// PostgreSQL's INFORMATION_SCHEMA has in its place.
pub(super) fn rows(result: &ResultSet) -> Vec<Vec<String>> {
    let text = |kind: Option<&Kind>| match kind {
        Some(Kind::StringValue(text)) => text.clone(),
        Some(Kind::BoolValue(true)) => "YES".to_owned(),
        Some(Kind::BoolValue(false)) => "NO".to_owned(),
        Some(
            Kind::NullValue(_) | Kind::NumberValue(_) | Kind::StructValue(_) | Kind::ListValue(_),
        )
        | None => String::new(),
    };
    result
        .rows
        .iter()
        .map(|row| {
            row.values
                .iter()
                .map(|value| text(value.kind.as_ref()))
                .collect()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn retentions_are_read_as_the_information_schema_writes_them() {
        assert_eq!(retention("36h"), Some(Duration::from_secs(129_600)));
        assert_eq!(retention("7d"), Some(Duration::from_secs(604_800)));
        assert_eq!(retention("1d12h"), None);
        assert_eq!(retention(""), None);
        assert_eq!(retention("d"), None);
    }
}
