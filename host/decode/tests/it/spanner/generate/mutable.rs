//! Random records of a stream with mutable key ranges.

use base64::Engine as _;
use googleapis_tonic_google_spanner_v1::google::spanner::v1::change_stream_record::{
    DataChangeRecord, data_change_record, data_change_record::ModValue,
};
use googleapis_tonic_google_spanner_v1::google::spanner::v1::{
    ChangeStreamRecord, TypeCode, change_stream_record,
};
use prost::Message as _;
use prost_types::Value;

use crate::random::Random;
use crate::spanner::frames::{flag, list, null, number, of, text};

/// A row of a stream with mutable key ranges, from values that the generated types hold.
pub(crate) fn mutable_row(record: &DataChangeRecord) -> Value {
    let message = ChangeStreamRecord {
        record: Some(change_stream_record::Record::DataChangeRecord(
            record.clone(),
        )),
    };
    text(base64::engine::general_purpose::STANDARD.encode(message.encode_to_vec()))
}

/// A data change record of the generated types.
pub(crate) fn mutable_record(random: &mut Random) -> DataChangeRecord {
    let columns = 1 + random.below(5);
    let column_metadata = (0..columns).map(|index| data_change_record::ColumnMetadata {
        name: format!("{}{index}", random.text(4)),
        r#type: Some(of(TypeCode::Int64)),
        is_primary_key: index == 0,
        ordinal_position: index as i64 + 1,
    });
    let column_metadata = column_metadata.collect();
    let values = |random: &mut Random, range: std::ops::Range<usize>| {
        let chosen = range
            .filter(|_| !random.once_in(4))
            .collect::<Vec<_>>()
            .into_iter();
        let value = |index| ModValue {
            column_metadata_index: index as i32,
            value: (!random.once_in(9)).then(|| proto_value(random, 2)),
        };
        chosen.map(value).collect::<Vec<_>>()
    };
    let mods = (0..random.below(4)).map(|_| data_change_record::Mod {
        keys: values(random, 0..1),
        new_values: values(random, 1..columns),
        old_values: values(random, 1..columns),
    });
    DataChangeRecord {
        mods: mods.collect(),
        column_metadata,
        commit_timestamp: Some(prost_types::Timestamp {
            seconds: 1_790_000_000 + random.below(1_000_000) as i64,
            nanos: [0, 120_000_000, 1_000, 123_456_789][random.below(4)],
        }),
        record_sequence: format!("{:08}", random.below(5)),
        server_transaction_id: format!("t{}", random.text(5)),
        is_last_record_in_transaction_in_partition: random.once_in(2),
        table: format!("T{}", random.below(3)),
        mod_type: [10, 20, 30, 40, -1][random.below(5)],
        value_capture_type: [10, 20, 30, 40, 50][random.below(5)],
        number_of_records_in_transaction: random.below(9) as i32 - 1,
        number_of_partitions_in_transaction: random.below(9) as i32,
        transaction_tag: random.text(3),
        is_system_transaction: random.once_in(2),
    }
}

fn proto_value(random: &mut Random, depth: usize) -> Value {
    match random.below(if depth == 0 { 5 } else { 6 }) {
        0 => null(),
        1 => flag(random.once_in(2)),
        2 => number([0.0, -1.5, 1e300, 123_456.0, 5e-324][random.below(5)]),
        3 | 4 => text(random.text(9)),
        _ => list((0..random.below(4)).map(|_| proto_value(random, depth - 1))),
    }
}
