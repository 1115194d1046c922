//! An undisturbed reader: plain queries of every partition, one after the other, up to a bound.
//!
//! It shares no code with the connector. What it misses too, the emulator does not deliver.

use std::collections::{BTreeMap, BTreeSet};

use googleapis_tonic_google_spanner_v1::google::spanner::v1::{ExecuteSqlRequest, Type, TypeCode};
use jiff::Timestamp;
use prost_types::{Struct, Value, value};
use serde_json::Value as Json;

use super::client::Session;
use super::shop::{Dialect, STREAM};
use super::verdict;
use super::writer::Change;

/// What a walk over all partitions found.
#[derive(Default)]
pub(crate) struct Reread {
    /// The partition of each change.
    partitions: BTreeMap<Change, String>,
    /// The parents of each partition.
    parents: BTreeMap<String, BTreeSet<String>>,
    /// Where each partition starts.
    starts: BTreeMap<String, Timestamp>,
}

impl Reread {
    /// The partition of a change; none where the emulator does not deliver it.
    pub(crate) fn partition(&self, change: &Change) -> Option<&str> {
        self.partitions.get(change).map(String::as_str)
    }

    /// Whether a partition is another one, or comes out of it.
    pub(crate) fn follows(&self, later: &str, earlier: &str) -> bool {
        let mut seen = BTreeSet::new();
        let mut waiting = vec![later];
        while let Some(token) = waiting.pop() {
            if token == earlier {
                return true;
            }
            if seen.insert(token) {
                let parents = self.parents.get(token).into_iter().flatten();
                waiting.extend(parents.map(String::as_str));
            }
        }
        false
    }

    /// The partitions that start no later than an instant, each with its parents.
    pub(crate) fn started_by(&self, at: Timestamp) -> BTreeMap<&str, &BTreeSet<String>> {
        let started = self.starts.iter().filter(|(_, start)| **start <= at);
        started
            .filter_map(|(token, _)| Some((token.as_str(), self.parents.get(token)?)))
            .collect()
    }

    /// How far each partition is from the root query.
    pub(crate) fn generations(&self) -> BTreeMap<&str, usize> {
        let mut found: BTreeMap<&str, usize> = BTreeMap::new();
        loop {
            let before = found.clone();
            for (token, parents) in &self.parents {
                let of_parents = parents
                    .iter()
                    .filter_map(|parent| found.get(parent.as_str()));
                let generation = of_parents.max().map_or(0, |generation| generation + 1);
                found.insert(token, generation);
            }
            if found == before {
                return found;
            }
        }
    }
}

/// Reads all changes from `start` to `end`, both inclusive.
pub(crate) async fn reread(
    session: &mut Session,
    dialect: Dialect,
    start: Timestamp,
    end: Timestamp,
) -> Reread {
    let mut found = Reread::default();
    let mut waiting = vec![(None, start)];
    while let Some((token, start)) = waiting.pop() {
        let query = query(dialect, token.as_deref(), start, end);
        for record in records(session, dialect, query).await {
            for data in list(&record["data_change_record"]) {
                let changes = verdict::changes_of_record(data).into_iter();
                let token: &str = token.as_deref().expect("the root query has no data");
                let placed = changes.map(|change| (change, token.to_owned()));
                found.partitions.extend(placed);
            }
            for children in list(&record["child_partitions_record"]) {
                let start = verdict::instant(&children["start_timestamp"]);
                for child in list(&children["child_partitions"]) {
                    let token = text(&child["token"]);
                    let parents = list(&child["parent_partition_tokens"]).iter().map(text);
                    let parents = parents.collect();
                    found.starts.insert(token.clone(), start);
                    let known = found.parents.insert(token.clone(), parents);
                    if known.is_none() && start <= end {
                        waiting.push((Some(token), start));
                    }
                }
            }
        }
    }
    found
}

fn text(value: &Json) -> String {
    value.as_str().expect("a text").to_owned()
}

fn query(
    dialect: Dialect,
    token: Option<&str>,
    start: Timestamp,
    end: Timestamp,
) -> ExecuteSqlRequest {
    let sql = match dialect {
        Dialect::GoogleSql => {
            format!("SELECT ChangeRecord FROM READ_{STREAM}(@p1, @p2, @p3, @p4, NULL)")
        }
        Dialect::PostgreSql => {
            format!("SELECT * FROM \"spanner\".\"read_json_{STREAM}\"($1, $2, $3, $4, null)")
        }
    };
    let values = [
        (TypeCode::Timestamp, Some(start.to_string())),
        (TypeCode::Timestamp, Some(end.to_string())),
        (TypeCode::String, token.map(str::to_owned)),
        (TypeCode::Int64, Some("300000".to_owned())),
    ];
    let mut request = ExecuteSqlRequest {
        sql,
        ..ExecuteSqlRequest::default()
    };
    let mut params = Struct::default();
    for (name, (code, value)) in ["p1", "p2", "p3", "p4"].into_iter().zip(values) {
        let kind = value.map_or(value::Kind::NullValue(0), value::Kind::StringValue);
        params
            .fields
            .insert(name.to_owned(), Value { kind: Some(kind) });
        let r#type = Type {
            code: code.into(),
            ..Type::default()
        };
        request.param_types.insert(name.to_owned(), r#type);
    }
    request.params = Some(params);
    request
}

/// The records of a query as JSON objects, named as the documentation names their members.
async fn records(session: &mut Session, dialect: Dialect, query: ExecuteSqlRequest) -> Vec<Json> {
    let mut stream = session.query(query).await.expect("the query is taken");
    let mut row_type = None;
    let mut cut: Option<Value> = None;
    let mut records = Vec::new();
    while let Some(frame) = stream.message().await.expect("the query ends well") {
        let columns = frame.metadata.and_then(|metadata| metadata.row_type);
        row_type = columns
            .and_then(|row| row.fields.into_iter().next()?.r#type)
            .or(row_type);
        let r#type = row_type.as_ref().expect("the first message has the type");
        let mut values = frame.values;
        if let (Some(left), Some(right)) = (cut.take(), values.first_mut()) {
            *right = joined(left, std::mem::take(right));
        }
        if frame.chunked_value {
            cut = values.pop();
        }
        for value in &values {
            match dialect {
                Dialect::GoogleSql => records.extend(list(&named(value, r#type)).iter().cloned()),
                Dialect::PostgreSql => records.push(parsed(value)),
            }
        }
    }
    records
}

/// Two parts of a value that was cut between messages.
///
/// Source: google/spanner/v1/result_set.proto, PartialResultSet.chunked_value
fn joined(left: Value, right: Value) -> Value {
    use value::Kind::{ListValue, StringValue};
    let kind = match (left.kind, right.kind) {
        (Some(StringValue(left)), Some(StringValue(right))) => StringValue(left + &right),
        (Some(ListValue(mut left)), Some(ListValue(right))) => {
            let mut right = right.values.into_iter();
            if let Some(last) = left.values.pop() {
                left.values
                    .push(match (&last.kind, right.as_slice().first()) {
                        (Some(StringValue(_) | ListValue(_)), Some(_)) => {
                            joined(last, right.next().expect("it was looked at"))
                        }
                        _ => last,
                    });
            }
            left.values.extend(right);
            ListValue(left)
        }
        (left, right) => panic!("{left:?} and {right:?} are no parts of one value"),
    };
    Value { kind: Some(kind) }
}

/// A GoogleSQL value with the names of its type's fields.
fn named(value: &Value, r#type: &Type) -> Json {
    let elements = r#type.array_element_type.as_deref();
    let fields = r#type.struct_type.as_ref();
    match (&value.kind, elements, fields) {
        (Some(value::Kind::ListValue(list)), Some(element), _) => list
            .values
            .iter()
            .map(|value| named(value, element))
            .collect(),
        (Some(value::Kind::ListValue(list)), None, Some(fields)) => fields
            .fields
            .iter()
            .zip(&list.values)
            .map(|(field, value)| {
                let r#type = field.r#type.as_ref().expect("a field has a type");
                (field.name.clone(), named(value, r#type))
            })
            .collect(),
        (Some(value::Kind::StringValue(_)), ..) if r#type.code() == TypeCode::Json => parsed(value),
        (Some(value::Kind::StringValue(text)), ..) => Json::from(text.as_str()),
        (Some(value::Kind::BoolValue(truth)), ..) => Json::from(*truth),
        _ => Json::Null,
    }
}

fn parsed(value: &Value) -> Json {
    match &value.kind {
        Some(value::Kind::StringValue(text)) => serde_json::from_str(text).expect("JSON"),
        other => panic!("{other:?} is no JSON"),
    }
}

/// The elements of a list. GoogleSQL sends a list of records where PostgreSQL sends the one.
fn list(value: &Json) -> &[Json] {
    if value.is_null() {
        return &[];
    }
    let elements = value.as_array().map(Vec::as_slice);
    elements.unwrap_or_else(|| std::slice::from_ref(value))
}
