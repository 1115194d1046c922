//! Random streams, cut at random: our reading equals the obvious one.

use acequia_decode::spanner::{Options, Shape};
use googleapis_tonic_google_spanner_v1::google::spanner::v1::change_stream_record::DataChangeRecord;
use googleapis_tonic_google_spanner_v1::google::spanner::v1::{Type, TypeCode};
use proptest::prelude::*;
use serde_json::{Value as Json, json};

use crate::random::Random;
use crate::soak;
use crate::spanner::chunker::cut;
use crate::spanner::drive::{Keep, Read, read};
use crate::spanner::frames::{encode, google_sql_type, of};
use crate::spanner::generate::{
    google_sql_row, mutable_record, mutable_row, postgres_row, record, shuffle,
};
use crate::spanner::slow::{self, Record};

/// A filter of columns: any rule by name will do.
fn odd_names(_table: &str, column: &str) -> bool {
    column.len() % 2 == 1 || column.is_empty()
}

fn everything(_table: &str, _column: &str) -> bool {
    true
}

const FILTERS: [Keep; 2] = [everything, odd_names];

/// Objects that were built anew keep their meaning, not the way their names were escaped.
fn canonical(reads: Vec<Read>, values_too: bool) -> Vec<Read> {
    reads
        .into_iter()
        .map(|read| match read {
            Read::Record(mut record) => {
                let rebuilt = record["dropped"] != 0;
                for modification in record["mods"].as_array_mut().unwrap() {
                    for name in ["keys", "new", "old"] {
                        let object = &mut modification[name];
                        if rebuilt || values_too {
                            object[0] = parsed(&object[0]);
                        }
                        for cell in object[1].as_array_mut().unwrap() {
                            if values_too {
                                cell[1] = parsed(&cell[1]);
                            }
                        }
                    }
                }
                Read::Record(record)
            }
            step @ Read::Step(_) => step,
        })
        .collect()
}

fn parsed(text: &Json) -> Json {
    match text.as_str().unwrap() {
        "" => Json::Null,
        text => json!([serde_json::from_str::<Json>(text).unwrap()]),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: soak::times(512, 100), ..ProptestConfig::default() })]

    #[test]
    fn google_sql_streams_read_as_the_generated_types_read_them(seed: u64, size in 0_usize..6) {
        let random = &mut Random(seed);
        let mut column = google_sql_type();
        shuffle(random, &mut column);
        let rows: Vec<_> = (0..size).map(|_| google_sql_row(random, &column)).collect();
        let frames = cut(random, &column, &rows);
        prop_assert_eq!(&slow::rows(&frames), &rows);
        for keep in FILTERS {
            let expected = slow::google_sql(&column, &rows, keep);
            let found = read(Shape::GoogleSql, Options::default(), keep, frames.iter().map(encode));
            prop_assert_eq!(canonical(found.unwrap(), false), canonical(expected, false));
        }
    }

    #[test]
    fn postgres_streams_read_as_serde_json_reads_them(seed: u64, size in 0_usize..4) {
        let random = &mut Random(seed);
        let records: Vec<_> = (0..size).map(|_| {
            let mut record = record(random);
            for object in record.mods.iter_mut().flatten().filter(|_| random.once_in(5)) {
                *object = None;
            }
            record
        }).collect();
        let rows: Vec<_> = records.iter().map(|record| postgres_row(random, record)).collect();
        let frames = cut(random, &of(TypeCode::Json), &rows);
        for keep in FILTERS {
            let expected = records.iter().map(|record| record.read(keep)).collect();
            let found = read(Shape::PostgresJson, Options::default(), keep, frames.iter().map(encode));
            prop_assert_eq!(canonical(found.unwrap(), false), canonical(expected, false));
        }
    }

    #[test]
    fn mutable_streams_read_as_the_generated_types_read_them(seed: u64, size in 0_usize..4) {
        let random = &mut Random(seed);
        let records: Vec<_> = (0..size).map(|_| mutable_record(random)).collect();
        let rows: Vec<_> = records.iter().map(mutable_row).collect();
        let column = Type { proto_type_fqn: "spanner.ChangeStreamRecord".to_owned(), ..of(TypeCode::Proto) };
        let frames = cut(random, &column, &rows);
        for keep in FILTERS {
            let expected = records.iter().map(|record| plain(record).read(keep)).collect();
            let found = read(Shape::MutableProto, Options::default(), keep, frames.iter().map(encode));
            prop_assert_eq!(canonical(found.unwrap(), true), canonical(expected, true));
        }
    }
}

/// A record of the generated types with its values as JSON.
fn plain(record: &DataChangeRecord) -> Record {
    use googleapis_tonic_google_spanner_v1::google::spanner::v1::change_stream_record::data_change_record::{ModType, ModValue, ValueCaptureType};
    let columns = record.column_metadata.iter();
    let columns = columns.map(|column| {
        let of = column.r#type.as_ref().unwrap().code();
        let of = json!({ "code": of.as_str_name() }).to_string();
        (
            column.name.clone(),
            of,
            column.is_primary_key,
            column.ordinal_position,
        )
    });
    let object = |values: &[ModValue]| {
        let members = values.iter().map(|value| {
            let column = &record.column_metadata[value.column_metadata_index as usize];
            let value = value.value.as_ref().map_or(Json::Null, proto_json);
            (column.name.clone(), value)
        });
        // The order of the list is kept, which a map would not.
        let members = members.map(|(name, value)| format!("{}:{value}", json!(name)));
        Some(format!("{{{}}}", members.collect::<Vec<_>>().join(",")))
    };
    let mods = record.mods.iter();
    let at = record.commit_timestamp.unwrap();
    let digits = match at.nanos {
        0 => 0,
        nanos if nanos % 1_000_000 == 0 => 3,
        nanos if nanos % 1_000 == 0 => 6,
        _ => 9,
    };
    let commit = jiff::Timestamp::new(at.seconds, at.nanos).unwrap();
    Record {
        commit: format!("{commit:.digits$}"),
        sequence: record.record_sequence.clone(),
        transaction: record.server_transaction_id.clone(),
        last: record.is_last_record_in_transaction_in_partition,
        table: record.table.clone(),
        columns: columns.collect(),
        mods: mods
            .map(|m| [&m.keys, &m.new_values, &m.old_values].map(|values| object(values)))
            .collect(),
        mod_type: ModType::try_from(record.mod_type).map_or(record.mod_type.to_string(), |known| {
            known.as_str_name().to_owned()
        }),
        capture: ValueCaptureType::try_from(record.value_capture_type)
            .map_or(record.value_capture_type.to_string(), |known| {
                known.as_str_name().to_owned()
            }),
        tag: record.transaction_tag.clone(),
        system: record.is_system_transaction,
        records: record.number_of_records_in_transaction.into(),
        partitions: record.number_of_partitions_in_transaction.into(),
    }
}

fn proto_json(value: &prost_types::Value) -> Json {
    use prost_types::value::Kind;
    match value.kind.as_ref().unwrap() {
        Kind::NullValue(_) => Json::Null,
        Kind::BoolValue(flag) => json!(flag),
        Kind::NumberValue(number) => json!(number),
        Kind::StringValue(text) => json!(text),
        Kind::ListValue(list) => list.values.iter().map(proto_json).collect(),
        Kind::StructValue(members) => members
            .fields
            .iter()
            .map(|(name, value)| (name.clone(), proto_json(value)))
            .collect(),
    }
}
