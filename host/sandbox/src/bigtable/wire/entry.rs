//! One entry as a mutation of `google/bigtable/v2/data.proto`.

use bytes::Bytes;
use googleapis_tonic_google_bigtable_v2::google::bigtable::v2::{
    Mutation, TimestampRange, Value,
    mutation::{
        AddToCell, DeleteFromColumn, DeleteFromFamily, MergeToCell, Mutation as Kind, SetCell,
    },
    value::Kind as ValueKind,
};

use crate::bigtable::history::{Column, Entry, Input};

/// The mutation that says what `entry` did.
pub(super) fn mutation(entry: &Entry) -> Mutation {
    let kind = match entry {
        Entry::SetCell {
            column,
            timestamp_micros,
            value,
        } => Kind::SetCell(set_cell(column, *timestamp_micros, value.clone())),
        Entry::DeleteCells {
            column,
            start_micros,
            end_micros,
        } => Kind::DeleteFromColumn(delete_cells(column, *start_micros, *end_micros)),
        Entry::DeleteFamily { family } => Kind::DeleteFromFamily(DeleteFromFamily {
            family_name: family.clone(),
        }),
        Entry::AddToCell {
            column,
            timestamp_micros,
            input,
        } => Kind::AddToCell(AddToCell {
            family_name: column.family.clone(),
            column_qualifier: Some(value(ValueKind::RawValue(column.qualifier.clone()))),
            timestamp: Some(value(ValueKind::RawTimestampMicros(*timestamp_micros))),
            input: Some(self::input(input)),
        }),
        Entry::MergeToCell {
            column,
            timestamp_micros,
            input,
        } => Kind::MergeToCell(MergeToCell {
            family_name: column.family.clone(),
            column_qualifier: Some(value(ValueKind::RawValue(column.qualifier.clone()))),
            timestamp: Some(value(ValueKind::RawTimestampMicros(*timestamp_micros))),
            input: Some(self::input(input)),
        }),
    };
    of(kind)
}

/// The rest of a cell whose value is chunked: nothing but the piece of its value.
pub(super) fn continued(value: Bytes) -> Mutation {
    of(Kind::SetCell(SetCell {
        value,
        ..SetCell::default()
    }))
}

pub(super) fn first_piece(column: &Column, timestamp_micros: i64, value: Bytes) -> Mutation {
    of(Kind::SetCell(set_cell(column, timestamp_micros, value)))
}

fn set_cell(column: &Column, timestamp_micros: i64, value: Bytes) -> SetCell {
    SetCell {
        family_name: column.family.clone(),
        column_qualifier: column.qualifier.clone(),
        timestamp_micros,
        value,
    }
}

/// Source: `google/bigtable/v2/data.proto`, `TimestampRange`: an end of 0 is no bound.
fn delete_cells(column: &Column, start: i64, end: Option<i64>) -> DeleteFromColumn {
    DeleteFromColumn {
        family_name: column.family.clone(),
        column_qualifier: column.qualifier.clone(),
        time_range: Some(TimestampRange {
            start_timestamp_micros: start,
            end_timestamp_micros: end.unwrap_or(0),
        }),
    }
}

fn input(input: &Input) -> Value {
    value(match input {
        Input::Number(number) => ValueKind::IntValue(*number),
        Input::Bytes(bytes) => ValueKind::RawValue(bytes.clone()),
    })
}

fn value(kind: ValueKind) -> Value {
    Value {
        r#type: None,
        kind: Some(kind),
    }
}

fn of(mutation: Kind) -> Mutation {
    Mutation {
        mutation: Some(mutation),
    }
}
