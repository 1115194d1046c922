//! The obvious reading of a stream: the generated types, values merged as trees, `serde_json`.

use std::collections::BTreeMap;

use acequia_decode::spanner::{ChildPartition, Step};
use googleapis_tonic_google_spanner_v1::google::spanner::v1::{PartialResultSet, Type};
use jiff::Timestamp;
use prost_types::Value;
use prost_types::value::Kind;
use serde_json::value::RawValue;
use serde_json::{Value as Json, json};

use crate::spanner::drive::{Keep, Read};

/// The rows of a stream, with chunks merged.
pub(crate) fn rows(frames: &[PartialResultSet]) -> Vec<Value> {
    let mut rows: Vec<Value> = Vec::new();
    let mut open = false;
    for frame in frames {
        for value in &frame.values {
            if std::mem::take(&mut open) {
                merge(rows.last_mut().unwrap(), value.clone());
            } else {
                rows.push(value.clone());
            }
        }
        open = frame.chunked_value || (open && frame.values.is_empty());
    }
    rows
}

fn merge(left: &mut Value, right: Value) {
    match (left.kind.as_mut().unwrap(), right.kind.unwrap()) {
        (Kind::StringValue(left), Kind::StringValue(right)) => left.push_str(&right),
        (Kind::ListValue(left), Kind::ListValue(right)) => {
            let mut right = right.values.into_iter();
            let joins = |value: &Value| match value.kind.as_ref().unwrap() {
                Kind::StringValue(_) => 1,
                Kind::ListValue(_) => 2,
                _ => 0,
            };
            if let (Some(last), Some(first)) = (left.values.last_mut(), right.as_slice().first())
                && joins(last) != 0
                && joins(last) == joins(first)
            {
                merge(last, right.next().unwrap());
            }
            left.values.extend(right);
        }
        _ => panic!("values that cannot be merged"),
    }
}

/// A struct as its fields by name.
fn fields<'a>(of: &'a Type, value: &'a Value) -> BTreeMap<&'a str, (&'a Type, &'a Value)> {
    let fields = &of.struct_type.as_ref().unwrap().fields;
    let values = elements(value);
    assert_eq!(fields.len(), values.len());
    let pairs = fields.iter().zip(values);
    pairs
        .map(|(field, value)| (field.name.as_str(), (field.r#type.as_ref().unwrap(), value)))
        .collect()
}

fn elements(value: &Value) -> &[Value] {
    match value.kind.as_ref().unwrap() {
        Kind::ListValue(list) => &list.values,
        Kind::NullValue(_) => &[],
        _ => panic!("no list"),
    }
}

fn element(of: &Type) -> &Type {
    of.array_element_type.as_ref().unwrap()
}

fn string(value: Option<&(&Type, &Value)>) -> String {
    match value.map(|(_, value)| value.kind.as_ref().unwrap()) {
        Some(Kind::StringValue(text)) => text.clone(),
        None | Some(Kind::NullValue(_)) => String::new(),
        _ => panic!("no string"),
    }
}

fn int(value: Option<&(&Type, &Value)>) -> i64 {
    let text = string(value);
    if text.is_empty() {
        0
    } else {
        text.parse().unwrap()
    }
}

fn bit(value: Option<&(&Type, &Value)>) -> bool {
    matches!(value, Some((_, value)) if value.kind == Some(Kind::BoolValue(true)))
}

/// All records of GoogleSQL rows.
pub(crate) fn google_sql(of: &Type, rows: &[Value], keep: Keep) -> Vec<Read> {
    let mut found = Vec::new();
    for envelope in rows.iter().flat_map(elements) {
        let envelope = fields(element(of), envelope);
        for (of, record) in all(&envelope, "data_change_record") {
            found.push(data(&fields(of, record), keep));
        }
        for (of, record) in all(&envelope, "heartbeat_record") {
            let at = string(fields(of, record).get("timestamp"));
            found.push(Read::Step(Step::Heartbeat(at.parse().unwrap())));
        }
        for (of, record) in all(&envelope, "child_partitions_record") {
            found.push(Read::Step(children(&fields(of, record))));
        }
    }
    found
}

fn all<'a>(
    envelope: &BTreeMap<&'a str, (&'a Type, &'a Value)>,
    name: &str,
) -> Vec<(&'a Type, &'a Value)> {
    let Some((of, records)) = envelope.get(name) else {
        return Vec::new();
    };
    elements(records)
        .iter()
        .map(|record| (element(of), record))
        .collect()
}

fn children(record: &BTreeMap<&str, (&Type, &Value)>) -> Step {
    let (of, partitions) = record["child_partitions"];
    let partition = |value| {
        let child = fields(element(of), value);
        let parents = elements(child["parent_partition_tokens"].1).iter();
        let parents = parents.filter_map(|parent| match parent.kind.as_ref().unwrap() {
            Kind::StringValue(token) => Some(token.clone()),
            _ => None,
        });
        ChildPartition {
            token: string(child.get("token")),
            parents: parents.collect(),
        }
    };
    Step::Children {
        start: string(record.get("start_timestamp")).parse().unwrap(),
        sequence: string(record.get("record_sequence")),
        partitions: elements(partitions).iter().map(partition).collect(),
    }
}

fn data(record: &BTreeMap<&str, (&Type, &Value)>, keep: Keep) -> Read {
    let (of, columns) = record["column_types"];
    let columns = elements(columns).iter().map(|column| {
        let column = fields(element(of), column);
        let of = string(column.get("type"));
        let (name, ordinal) = (
            string(column.get("name")),
            int(column.get("ordinal_position")),
        );
        (name, of, bit(column.get("is_primary_key")), ordinal)
    });
    let (of, mods) = record["mods"];
    let mods = elements(mods).iter().map(|modification| {
        let modification = fields(element(of), modification);
        ["keys", "new_values", "old_values"].map(|name| {
            let object = modification.get(name)?;
            let is_null = matches!(object.1.kind, Some(Kind::NullValue(_)));
            Some(if is_null {
                "null".to_owned()
            } else {
                string(Some(object))
            })
        })
    });
    let record = Record {
        commit: string(record.get("commit_timestamp")),
        sequence: string(record.get("record_sequence")),
        transaction: string(record.get("server_transaction_id")),
        last: bit(record.get("is_last_record_in_transaction_in_partition")),
        table: string(record.get("table_name")),
        columns: columns.collect(),
        mods: mods.collect(),
        mod_type: string(record.get("mod_type")),
        capture: string(record.get("value_capture_type")),
        tag: string(record.get("transaction_tag")),
        system: bit(record.get("is_system_transaction")),
        records: int(record.get("number_of_records_in_transaction")),
        partitions: int(record.get("number_of_partitions_in_transaction")),
    };
    record.read(keep)
}

/// A data change record whose objects are still texts.
pub(crate) struct Record {
    pub(crate) commit: String,
    pub(crate) sequence: String,
    pub(crate) transaction: String,
    pub(crate) last: bool,
    pub(crate) table: String,
    /// Name, type, whether it is a key, ordinal.
    pub(crate) columns: Vec<(String, String, bool, i64)>,
    /// Keys, new values, old values.
    pub(crate) mods: Vec<[Option<String>; 3]>,
    pub(crate) mod_type: String,
    pub(crate) capture: String,
    pub(crate) tag: String,
    pub(crate) system: bool,
    pub(crate) records: i64,
    pub(crate) partitions: i64,
}

impl Record {
    pub(crate) fn read(&self, keep: Keep) -> Read {
        let at: Timestamp = self.commit.parse().unwrap();
        let nanos = at.as_nanosecond().rem_euclid(1_000_000_000);
        let seconds = at.as_nanosecond().div_euclid(1_000_000_000);
        let id = format!("{}/{}/{}", self.commit, self.transaction, self.sequence);
        let mut dropped = 0;
        let mods = self
            .mods
            .iter()
            .enumerate()
            .map(|(index, [keys, new, old])| {
                let passes = |name: &str| {
                    let is_key = self
                        .columns
                        .iter()
                        .any(|column| column.0 == name && column.2);
                    is_key || keep(&self.table, name)
                };
                json!({
                    "id": format!("{id}/{index}"),
                    "keys": object(keys.as_deref(), &|_| true, &mut dropped),
                    "new": object(new.as_deref(), &passes, &mut dropped),
                    "old": object(old.as_deref(), &passes, &mut dropped),
                })
            });
        let mods: Vec<_> = mods.collect();
        Read::Record(json!({
            "id": id,
            "commit": self.commit,
            "seconds": seconds as i64,
            "nanos": nanos as u32,
            "sequence": self.sequence,
            "transaction": self.transaction,
            "last": u8::from(self.last),
            "table": self.table,
            "columns": self.columns,
            "mod_type": self.mod_type,
            "capture": self.capture,
            "tag": self.tag,
            "system": u8::from(self.system),
            "records": self.records,
            "partitions": self.partitions,
            "mods": mods,
            "dropped": dropped,
        }))
    }
}

/// An object as text and cells; the text is built anew if something was dropped.
fn object(text: Option<&str>, passes: &dyn Fn(&str) -> bool, dropped: &mut u32) -> Json {
    let text = text.unwrap_or_default();
    if text.is_empty() || text.trim() == "null" {
        return json!([text.trim(), []]);
    }
    let members = members(text).unwrap();
    let kept: Vec<_> = members.iter().filter(|(name, _)| passes(name)).collect();
    *dropped += (members.len() - kept.len()) as u32;
    let cells: Vec<_> = kept
        .iter()
        .map(|(name, value)| json!([name, value.get()]))
        .collect();
    if kept.len() == members.len() {
        return json!([text, cells]);
    }
    let built = kept
        .iter()
        .map(|(name, value)| format!("{}:{}", json!(name), value.get()));
    json!([
        format!("{{{}}}", built.collect::<Vec<_>>().join(",")),
        cells
    ])
}

/// The members of a JSON object in their order; an error for anything else and for a repeat.
pub(crate) fn members(text: &str) -> Result<Vec<(String, Box<RawValue>)>, String> {
    struct Members(Vec<(String, Box<RawValue>)>);
    impl<'de> serde::Deserialize<'de> for Members {
        fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
            struct Visitor;
            impl<'de> serde::de::Visitor<'de> for Visitor {
                type Value = Members;
                fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                    f.write_str("an object")
                }
                fn visit_map<A: serde::de::MapAccess<'de>>(
                    self,
                    mut map: A,
                ) -> Result<Members, A::Error> {
                    let mut members: Vec<(String, Box<RawValue>)> = Vec::new();
                    while let Some((name, value)) = map.next_entry::<String, _>()? {
                        if members.iter().any(|(known, _)| *known == name) {
                            return Err(serde::de::Error::custom("a member twice"));
                        }
                        members.push((name, value));
                    }
                    Ok(Members(members))
                }
            }
            from.deserialize_map(Visitor)
        }
    }
    let members: Result<Members, _> = serde_json::from_str(text);
    members
        .map(|members| members.0)
        .map_err(|error| error.to_string())
}
