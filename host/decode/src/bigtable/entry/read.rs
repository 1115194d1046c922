//! An entry as it is sent.
//!
//! Source: google/bigtable/v2/data.proto, `Mutation` and `Value`, for every field number.

use super::{Entry, Input};
use crate::Malformed;
use crate::wire::{Fields, Payload, utf8};

/// The numbers of `Mutation.mutation`.
const SET_CELL: u32 = 1;
const DELETE_FROM_COLUMN: u32 = 2;
const DELETE_FROM_FAMILY: u32 = 3;
const DELETE_FROM_ROW: u32 = 4;
const ADD_TO_CELL: u32 = 5;
const MERGE_TO_CELL: u32 = 6;

/// Reads a `Mutation`.
pub(crate) fn entry(mutation: &[u8]) -> Result<Entry<'_>, Malformed> {
    let (kind, message) = kind(mutation)?;
    match kind {
        SET_CELL => set_cell(message).map_err(|error| error.within("set_cell")),
        DELETE_FROM_COLUMN => {
            delete_from_column(message).map_err(|error| error.within("delete_from_column"))
        }
        DELETE_FROM_FAMILY => {
            let family = delete_from_family(message);
            family.map_err(|error| error.within("delete_from_family"))
        }
        ADD_TO_CELL => add_to_cell(message).map_err(|error| error.within("add_to_cell")),
        MERGE_TO_CELL => merge_to_cell(message).map_err(|error| error.within("merge_to_cell")),
        // Source: https://cloud.google.com/bigtable/docs/change-streams-overview
        DELETE_FROM_ROW => Err(Malformed::expected(
            "delete_from_family for each family, which a deleted row is sent as; \
             a newer Acequia may be needed",
        )),
        _ => Err(unknown()),
    }
}

/// The value of a `SetCell`, all that counts in a chunk that goes on with one.
///
/// Source: google/bigtable/v2/bigtable.proto, `MutationChunk.mutation`.
pub(crate) fn piece(mutation: &[u8]) -> Result<&[u8], Malformed> {
    let (SET_CELL, message) = kind(mutation)? else {
        return Err(Malformed::expected("a set_cell, as only it is chunked"));
    };
    let mut value = <&[u8]>::default();
    let mut fields = Fields::new(message);
    while let Some(field) = fields.next()? {
        if let (4, Payload::Bytes(bytes)) = field {
            value = bytes;
        }
    }
    Ok(value)
}

/// Which mutation it is, and its message.
fn kind(mutation: &[u8]) -> Result<(u32, &[u8]), Malformed> {
    let mut found = None;
    let mut fields = Fields::new(mutation);
    while let Some(field) = fields.next()? {
        match field {
            (kind @ SET_CELL..=MERGE_TO_CELL, Payload::Bytes(message)) => {
                found = Some((kind, message));
            }
            (SET_CELL..=MERGE_TO_CELL, _) => {
                return Err(Malformed::expected("a field of Mutation"));
            }
            _ => {}
        }
    }
    found.ok_or_else(unknown)
}

fn unknown() -> Malformed {
    Malformed::expected("a kind of mutation that is known; a newer Acequia may be needed")
}

fn set_cell(message: &[u8]) -> Result<Entry<'_>, Malformed> {
    let (mut name, mut qualifier, mut timestamp_micros, mut value) =
        ("", <&[u8]>::default(), 0, <&[u8]>::default());
    let mut fields = Fields::new(message);
    while let Some(field) = fields.next()? {
        match field {
            (1, Payload::Bytes(text)) => name = family(text)?,
            (2, Payload::Bytes(bytes)) => qualifier = bytes,
            (3, Payload::Varint(micros)) => timestamp_micros = micros.cast_signed(),
            (4, Payload::Bytes(bytes)) => value = bytes,
            (1..=4, _) => return Err(Malformed::expected("a field of SetCell")),
            _ => {}
        }
    }
    Ok(Entry::SetCell {
        family: named(name)?,
        qualifier,
        timestamp_micros,
        value,
    })
}

fn delete_from_column(message: &[u8]) -> Result<Entry<'_>, Malformed> {
    let (mut name, mut qualifier, mut range) = ("", <&[u8]>::default(), (0, 0));
    let mut fields = Fields::new(message);
    while let Some(field) = fields.next()? {
        match field {
            (1, Payload::Bytes(text)) => name = family(text)?,
            (2, Payload::Bytes(bytes)) => qualifier = bytes,
            (3, Payload::Bytes(message)) => range = time_range(message)?,
            (1..=3, _) => return Err(Malformed::expected("a field of DeleteFromColumn")),
            _ => {}
        }
    }
    Ok(Entry::DeleteCells {
        family: named(name)?,
        qualifier,
        range_start_micros: range.0,
        range_end_micros: range.1,
    })
}

/// Both bounds of a `TimestampRange`; an end of 0, or none, is no bound.
fn time_range(message: &[u8]) -> Result<(i64, i64), Malformed> {
    let mut range = (0, 0);
    let mut fields = Fields::new(message);
    while let Some(field) = fields.next()? {
        match field {
            (1, Payload::Varint(micros)) => range.0 = micros.cast_signed(),
            (2, Payload::Varint(micros)) => range.1 = micros.cast_signed(),
            (1..=2, _) => return Err(Malformed::expected("a field of TimestampRange")),
            _ => {}
        }
    }
    Ok(range)
}

fn delete_from_family(message: &[u8]) -> Result<Entry<'_>, Malformed> {
    let mut name = "";
    let mut fields = Fields::new(message);
    while let Some(field) = fields.next()? {
        match field {
            (1, Payload::Bytes(text)) => name = family(text)?,
            (1, _) => return Err(Malformed::expected("a field of DeleteFromFamily")),
            _ => {}
        }
    }
    Ok(Entry::DeleteFamily {
        family: named(name)?,
    })
}

fn add_to_cell(message: &[u8]) -> Result<Entry<'_>, Malformed> {
    let aggregate = Aggregate::read(message)?;
    Ok(Entry::AddToCell {
        family: aggregate.family,
        qualifier: aggregate.qualifier,
        timestamp_micros: aggregate.timestamp_micros,
        input: aggregate.input,
    })
}

fn merge_to_cell(message: &[u8]) -> Result<Entry<'_>, Malformed> {
    let aggregate = Aggregate::read(message)?;
    Ok(Entry::MergeToCell {
        family: aggregate.family,
        qualifier: aggregate.qualifier,
        timestamp_micros: aggregate.timestamp_micros,
        input: aggregate.input,
    })
}

/// `AddToCell` and `MergeToCell`, whose fields are the same.
struct Aggregate<'a> {
    family: &'a str,
    qualifier: &'a [u8],
    timestamp_micros: i64,
    input: Input<'a>,
}

impl<'a> Aggregate<'a> {
    fn read(message: &'a [u8]) -> Result<Self, Malformed> {
        let (mut name, mut qualifier, mut timestamp, mut input) = ("", None, None, None);
        let mut fields = Fields::new(message);
        while let Some(field) = fields.next()? {
            match field {
                (1, Payload::Bytes(text)) => name = family(text)?,
                (2, Payload::Bytes(message)) => qualifier = value(message)?,
                (3, Payload::Bytes(message)) => timestamp = value(message)?,
                (4, Payload::Bytes(message)) => input = value(message)?,
                (1..=4, _) => return Err(Malformed::expected("a field of an aggregate mutation")),
                _ => {}
            }
        }
        let missing = |what, field| Malformed::expected(what).within(field);
        let Some(Value::Raw(qualifier)) = qualifier else {
            return Err(missing("a raw_value", "column_qualifier"));
        };
        let Some(Value::TimestampMicros(timestamp_micros)) = timestamp else {
            return Err(missing("a raw_timestamp_micros", "timestamp"));
        };
        let input = match input {
            Some(Value::Int(number)) => Input::Number(number),
            Some(Value::Raw(bytes)) => Input::Bytes(bytes),
            Some(Value::TimestampMicros(_)) | None => {
                let what = "an int_value or a raw_value; a newer Acequia may be needed";
                return Err(missing(what, "input"));
            }
        };
        Ok(Self {
            family: named(name)?,
            qualifier,
            timestamp_micros,
            input,
        })
    }
}

/// The kinds of `Value` that mutations have.
enum Value<'a> {
    Raw(&'a [u8]),
    TimestampMicros(i64),
    Int(i64),
}

/// A `Value`, if it is of a kind that is known.
fn value(message: &[u8]) -> Result<Option<Value<'_>>, Malformed> {
    let mut found = None;
    let mut fields = Fields::new(message);
    while let Some(field) = fields.next()? {
        found = match field {
            (8, Payload::Bytes(bytes)) => Some(Value::Raw(bytes)),
            (9, Payload::Varint(micros)) => Some(Value::TimestampMicros(micros.cast_signed())),
            (6, Payload::Varint(number)) => Some(Value::Int(number.cast_signed())),
            // The type, which the family knows.
            (7, _) => found,
            _ => None,
        };
    }
    Ok(found)
}

fn family(text: &[u8]) -> Result<&str, Malformed> {
    utf8(text).map_err(|error| error.within("family_name"))
}

/// Every mutation names its family.
fn named(family: &str) -> Result<&str, Malformed> {
    if family.is_empty() {
        return Err(Malformed::expected("a value").within("family_name"));
    }
    Ok(family)
}
