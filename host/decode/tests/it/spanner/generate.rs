//! Random streams: tables, change records, JSON texts, and their rows in each shape.

mod mutable;

use googleapis_tonic_google_spanner_v1::google::spanner::v1::{Type, TypeCode, struct_type::Field};
use prost_types::Value;
use serde_json::json;

use crate::random::Random;
use crate::spanner::frames::{flag, list, null, number, of, text};
use crate::spanner::slow::Record;

pub(crate) use mutable::{mutable_record, mutable_row};

/// A JSON text with white space and escapes where JSON allows them.
pub(crate) fn json_text(random: &mut Random, depth: usize) -> String {
    let space = [" ", "", "\n", "", "\t", ""][random.below(6)];
    match random.below(if depth == 0 { 7 } else { 9 }) {
        0 => "null".to_owned(),
        1 => random.pick(&["true", "false"]).to_owned(),
        2 => random
            .pick(&["0", "-1", "12.50", "1e3", "-0.0E-2", "123456789012345678"])
            .to_owned(),
        3 => "\"NaN\"".to_owned(),
        4 => "\"9007199254740993\"".to_owned(),
        5 | 6 => {
            let text = random.text(12);
            json_string(random, &text)
        }
        7 => {
            let elements = (0..random.below(4)).map(|_| json_text(random, depth - 1));
            let elements: Vec<_> = elements.collect();
            format!("[{space}{}{space}]", elements.join(&format!("{space},")))
        }
        _ => {
            let members = (0..random.below(4)).map(|index| {
                let name = format!("{index}{}", random.text(3));
                (name, json_text(random, depth - 1))
            });
            let members: Vec<_> = members.collect();
            json_object(random, &members)
        }
    }
}

/// A JSON string that stands for this text.
pub(crate) fn json_string(random: &mut Random, of: &str) -> String {
    let mut out = String::from("\"");
    for char in of.chars() {
        let must = matches!(char, '"' | '\\' | '\0'..='\u{1f}');
        match char {
            '"' | '\\' | '/' if random.once_in(2) => out.extend(['\\', char]),
            '\n' if random.once_in(2) => out.push_str("\\n"),
            _ if must || random.once_in(6) => {
                for unit in char.encode_utf16(&mut [0; 2]) {
                    out.push_str(&format!("\\u{unit:04x}"));
                }
            }
            _ => out.push(char),
        }
    }
    out.push('"');
    out
}

/// A JSON object with these members, whose values are texts.
pub(crate) fn json_object(random: &mut Random, members: &[(String, String)]) -> String {
    let mut space = || random.pick(&["", "", "", " ", "\r\n"]).to_owned();
    let spaces = [space(), space(), space(), space()];
    let members = members.iter().map(|(name, value)| {
        let name = json_string(random, name);
        format!("{}{name}{}:{}{value}", spaces[0], spaces[1], spaces[2])
    });
    let members: Vec<_> = members.collect();
    format!("{{{}{}}}", members.join(","), spaces[3])
}

/// A timestamp as Spanner prints it, with any number of digits.
pub(crate) fn timestamp(random: &mut Random) -> String {
    let digits = random.below(10);
    let fraction: String = (0..digits)
        .map(|_| char::from(b'0' + random.below(10) as u8))
        .collect();
    let dot = if digits == 0 { "" } else { "." };
    let (day, hour) = (1 + random.below(28), random.below(24));
    format!(
        "2026-{:02}-{day:02}T{hour:02}:41:09{dot}{fraction}Z",
        1 + random.below(12)
    )
}

/// A data change record of a table with some columns, whose objects name any of them.
pub(crate) fn record(random: &mut Random) -> Record {
    let columns: Vec<_> = (0..1 + random.below(6))
        .map(|index| {
            let name = format!("{}{index}", random.text(4));
            let code = random.pick(&["INT64", "FLOAT32", "SOMETHING_NEW"]);
            let is_key = index == 0 || random.once_in(4);
            (
                name,
                json!({ "code": code }).to_string(),
                is_key,
                index as i64 + 1,
            )
        })
        .collect();
    let object = |random: &mut Random, keys: bool| {
        let chosen = columns
            .iter()
            .filter(|column| column.2 == keys || random.once_in(9));
        let mut names: Vec<_> = chosen.map(|column| column.0.clone()).collect();
        if random.once_in(2) {
            names.reverse();
        }
        names.retain(|_| keys || !random.once_in(3));
        let members = names.into_iter().map(|name| (name, json_text(random, 2)));
        let members: Vec<_> = members.collect();
        json_object(random, &members)
    };
    let mods: Vec<_> = (0..random.below(4))
        .map(|_| {
            let optional = |random: &mut Random| match random.below(6) {
                0 => "null".to_owned(),
                _ => object(random, false),
            };
            let keys = object(random, true);
            [Some(keys), Some(optional(random)), Some(optional(random))]
        })
        .collect();
    Record {
        commit: timestamp(random),
        sequence: format!("{:08}", random.below(5)),
        transaction: format!("t{}", random.text(5)),
        last: random.once_in(2),
        table: format!("T{}", random.below(3)),
        columns,
        mods,
        mod_type: random
            .pick(&["INSERT", "UPDATE", "DELETE", "MERGE_SOMEHOW"])
            .to_owned(),
        capture: random
            .pick(&["OLD_AND_NEW_VALUES", "NEW_ROW", "LATER"])
            .to_owned(),
        tag: random.text(4),
        system: random.once_in(3),
        records: random.below(9) as i64,
        partitions: random.below(9) as i64 - 1,
    }
}

/// The row type of GoogleSQL with its fields in another order and new ones between.
pub(crate) fn shuffle(random: &mut Random, of: &mut Type) {
    if let Some(element) = &mut of.array_element_type {
        shuffle(random, element);
    }
    let Some(members) = &mut of.struct_type else {
        return;
    };
    for field in &mut members.fields {
        shuffle(random, field.r#type.as_mut().unwrap());
    }
    if random.once_in(3) {
        members.fields.push(Field {
            name: "added".to_owned(),
            r#type: Some(self::of(TypeCode::Float64)),
        });
    }
    for index in (1..members.fields.len()).rev() {
        members.fields.swap(index, random.below(index + 1));
    }
}

/// A struct of this type, with a value for every name that `each` knows.
fn structure(of: &Type, mut each: impl FnMut(&str, &Type) -> Option<Value>) -> Value {
    let fields = &of.struct_type.as_ref().unwrap().fields;
    list(fields.iter().map(|field| {
        let of = field.r#type.as_ref().unwrap();
        each(&field.name, of).unwrap_or_else(|| number(1.5))
    }))
}

fn element(of: &Type) -> &Type {
    of.array_element_type.as_ref().unwrap()
}

/// A row of GoogleSQL with a record of one kind.
pub(crate) fn google_sql_row(random: &mut Random, of: &Type) -> Value {
    let kind = random.below(4);
    let several = 1 + random.below(2);
    let envelope = structure(element(of), |name, of| {
        let of = element_or_self(of);
        let mut records = Vec::new();
        match (name, kind) {
            ("data_change_record", 0 | 1) => {
                records.extend((0..several).map(|_| google_sql_data(&record(random), of)));
            }
            ("heartbeat_record", 2) => {
                let at = timestamp(random);
                records.push(structure(of, |name, _| {
                    (name == "timestamp").then(|| text(&at))
                }));
            }
            ("child_partitions_record", 3) => records.push(children(random, of)),
            ("added", _) => return None,
            _ if random.once_in(2) => return Some(null()),
            _ => {}
        }
        Some(list(records))
    });
    list([envelope])
}

fn element_or_self(of: &Type) -> &Type {
    of.array_element_type.as_deref().unwrap_or(of)
}

fn google_sql_data(record: &Record, of: &Type) -> Value {
    structure(of, |name, of| {
        Some(match name {
            "commit_timestamp" => text(&record.commit),
            "record_sequence" => text(&record.sequence),
            "server_transaction_id" => text(&record.transaction),
            "is_last_record_in_transaction_in_partition" => flag(record.last),
            "table_name" => text(&record.table),
            "mod_type" => text(&record.mod_type),
            "value_capture_type" => text(&record.capture),
            "transaction_tag" if record.tag.is_empty() => null(),
            "transaction_tag" => text(&record.tag),
            "is_system_transaction" => flag(record.system),
            "number_of_records_in_transaction" => text(record.records.to_string()),
            "number_of_partitions_in_transaction" => text(record.partitions.to_string()),
            "column_types" => list(record.columns.iter().map(|column| {
                structure(element(of), |name, _| {
                    Some(match name {
                        "name" => text(&column.0),
                        "type" => text(&column.1),
                        "is_primary_key" => flag(column.2),
                        "ordinal_position" => text(column.3.to_string()),
                        _ => return None,
                    })
                })
            })),
            "mods" => list(record.mods.iter().map(|[keys, new, old]| {
                structure(element(of), |name, _| {
                    let object = match name {
                        "keys" => keys,
                        "new_values" => new,
                        "old_values" => old,
                        _ => return None,
                    };
                    Some(text(object.as_deref().unwrap()))
                })
            })),
            _ => return None,
        })
    })
}

fn children(random: &mut Random, of: &Type) -> Value {
    structure(of, |name, of| {
        Some(match name {
            "start_timestamp" => text(timestamp(random)),
            "record_sequence" => text(random.text(3)),
            "child_partitions" => list((0..random.below(3)).map(|index| {
                structure(element(of), |name, _| {
                    Some(match name {
                        "token" => text(format!("token{index}")),
                        "parent_partition_tokens" => match random.below(4) {
                            0 => null(),
                            1 => list([null()]),
                            several => list((1..several).map(|_| text(random.text(3)))),
                        },
                        _ => return None,
                    })
                })
            })),
            _ => return None,
        })
    })
}

/// A row of PostgreSQL with a data change record.
pub(crate) fn postgres_row(random: &mut Random, record: &Record) -> Value {
    let pair = |name: &str, value: String| (name.to_owned(), value);
    let columns = record.columns.iter().map(|(name, of, is_key, ordinal)| {
        let members = [
            pair("name", json!(name).to_string()),
            pair("type", of.clone()),
            pair("is_primary_key", is_key.to_string()),
            pair("ordinal_position", ordinal.to_string()),
        ];
        json_object(random, &members)
    });
    let columns = columns.collect::<Vec<_>>().join(",");
    let mods = record.mods.iter().map(|objects| {
        let names = ["keys", "new_values", "old_values"].into_iter();
        let members = names
            .zip(objects)
            .filter_map(|(name, object)| object.as_ref().map(|object| pair(name, object.clone())));
        let members: Vec<_> = members.collect();
        json_object(random, &members)
    });
    let mods = mods.collect::<Vec<_>>().join(", ");
    let zone = random.pick(&["Z", "+00:00", "-00:00"]);
    let commit = record.commit.replace('Z', zone);
    let string = |text: &str| json!(text).to_string();
    let members = [
        pair("added", json_text(random, 2)),
        pair("commit_timestamp", string(&commit)),
        pair("record_sequence", string(&record.sequence)),
        pair("mods", format!("[{mods}]")),
        pair("server_transaction_id", string(&record.transaction)),
        pair(
            "is_last_record_in_transaction_in_partition",
            record.last.to_string(),
        ),
        pair("table_name", string(&record.table)),
        pair("column_types", format!("[ {columns}]")),
        pair("mod_type", string(&record.mod_type)),
        pair("value_capture_type", string(&record.capture)),
        pair(
            "number_of_records_in_transaction",
            record.records.to_string(),
        ),
        pair(
            "number_of_partitions_in_transaction",
            record.partitions.to_string(),
        ),
        pair("transaction_tag", string(&record.tag)),
        pair("is_system_transaction", record.system.to_string()),
    ];
    let data = json_object(random, &members);
    text(json_object(random, &[pair("data_change_record", data)]))
}
