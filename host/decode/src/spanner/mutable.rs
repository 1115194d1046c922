//! Change records of a stream with mutable key ranges: one `ChangeStreamRecord` message a row.
//!
//! Source: google/spanner/v1/change_stream.proto, `ChangeStreamRecord`, for every field number.

mod names;
mod render;

use std::borrow::Cow;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use jiff::Timestamp;

use crate::Malformed;
use crate::spanner::Step;
use crate::spanner::instant::Instant;
use crate::spanner::item::{Item, Items, Kind};
use crate::spanner::record::DataRecord;
use crate::spanner::value::Value;
use crate::wire::{Fields, Payload, int32, put_bytes, utf8};

pub(crate) use render::{columns, mods, type_json};

/// Finds the record in a row. A PROTO value and a BYTES value are both sent as base64.
///
/// Source: google/spanner/v1/type.proto, `TypeCode.BYTES` and `TypeCode.PROTO`.
pub(crate) fn split(row: &Bytes, items: &mut Items) -> Result<(), Malformed> {
    let Some(text) = Value::read(row)?.text()? else {
        return Err(Malformed::expected("a base64 string"));
    };
    let message = STANDARD.decode(text);
    let message = Bytes::from(message.map_err(|_| Malformed::expected("a base64 string"))?);
    let mut found = None;
    let mut fields = Fields::new(&message);
    while let Some(field) = fields.next()? {
        let (kind, record) = match field {
            (1, Payload::Bytes(record)) => (Kind::Data, record),
            (2, Payload::Bytes(record)) => (Kind::Heartbeat, record),
            (3, Payload::Bytes(record)) => (Kind::PartitionStart, record),
            (4, Payload::Bytes(record)) => (Kind::PartitionEnd, record),
            (5, Payload::Bytes(record)) => (Kind::PartitionEvent, record),
            _ => continue,
        };
        let bytes = message.slice_ref(record);
        if found.replace(Item { kind, bytes }).is_some() {
            return Err(Malformed::expected("one record"));
        }
    }
    items.push_back(found.ok_or_else(|| Malformed::expected("a known kind of record"))?);
    Ok(())
}

pub(crate) fn data(item: &[u8]) -> Result<DataRecord<'_>, Malformed> {
    let mut record = DataRecord {
        mods: item,
        ..DataRecord::default()
    };
    let (mut columns, mut mod_type, mut capture_type) = (Vec::new(), 0, 0);
    let mut fields = Fields::new(item);
    while let Some(field) = fields.next()? {
        match field {
            (1, Payload::Bytes(at)) => record.commit = Some(timestamp(at)?),
            (2, Payload::Bytes(text)) => record.sequence = Cow::Borrowed(utf8(text)?),
            (3, Payload::Bytes(text)) => record.transaction = Cow::Borrowed(utf8(text)?),
            (4, Payload::Varint(bit)) => record.is_last = bit != 0,
            (5, Payload::Bytes(text)) => record.table = Cow::Borrowed(utf8(text)?),
            (6, Payload::Bytes(column)) => put_bytes(&mut columns, 6, column),
            (8, Payload::Varint(number)) => mod_type = int32(number),
            (9, Payload::Varint(number)) => capture_type = int32(number),
            (10, Payload::Varint(count)) => record.records = i64::from(int32(count)),
            (11, Payload::Varint(count)) => record.partitions = i64::from(int32(count)),
            (12, Payload::Bytes(text)) => record.tag = Cow::Borrowed(utf8(text)?),
            (13, Payload::Varint(bit)) => record.is_system = bit != 0,
            (7, Payload::Bytes(_)) | (14.., _) => {}
            _ => return Err(Malformed::expected("a field of DataChangeRecord")),
        }
    }
    record.columns = Cow::Owned(columns);
    record.mod_type = names::mod_type(mod_type);
    record.capture_type = names::capture_type(capture_type);
    Ok(record)
}

pub(crate) fn heartbeat(item: &[u8]) -> Result<Step, Malformed> {
    let mut at = None;
    let mut fields = Fields::new(item);
    while let Some(field) = fields.next()? {
        if let (1, Payload::Bytes(timestamp)) = field {
            at = Some(self::timestamp(timestamp)?);
        }
    }
    let at = at.ok_or_else(|| Malformed::expected("a value").within("timestamp"))?;
    Ok(Step::Heartbeat(at.at))
}

pub(crate) fn partition_start(item: &[u8]) -> Result<Step, Malformed> {
    let partition = Partition::read(item)?;
    Ok(Step::PartitionStart {
        at: partition.at()?,
        sequence: partition.sequence,
        tokens: partition.tokens,
    })
}

pub(crate) fn partition_end(item: &[u8]) -> Result<Step, Malformed> {
    let mut partition = Partition::read(item)?;
    Ok(Step::PartitionEnd {
        at: partition.at()?,
        token: partition.token()?,
        sequence: partition.sequence,
    })
}

pub(crate) fn partition_event(item: &[u8]) -> Result<Step, Malformed> {
    let mut partition = Partition::read(item)?;
    Ok(Step::PartitionEvent {
        at: partition.at()?,
        token: partition.token()?,
        sequence: partition.sequence,
        move_in: partition.move_in,
        move_out: partition.move_out,
    })
}

/// The records about partitions, whose fields have the same numbers.
#[derive(Default)]
struct Partition {
    at: Option<Timestamp>,
    sequence: String,
    tokens: Vec<String>,
    move_in: Vec<String>,
    move_out: Vec<String>,
}

impl Partition {
    fn read(item: &[u8]) -> Result<Self, Malformed> {
        let mut partition = Self::default();
        let mut fields = Fields::new(item);
        while let Some(field) = fields.next()? {
            match field {
                (1, Payload::Bytes(at)) => partition.at = Some(timestamp(at)?.at),
                (2, Payload::Bytes(text)) => utf8(text)?.clone_into(&mut partition.sequence),
                (3, Payload::Bytes(token)) => partition.tokens.push(utf8(token)?.to_owned()),
                (4, Payload::Bytes(event)) => partition.move_in.push(moved(event)?),
                (5, Payload::Bytes(event)) => partition.move_out.push(moved(event)?),
                (1..=5, _) => return Err(Malformed::expected("a field of a partition record")),
                _ => {}
            }
        }
        Ok(partition)
    }

    fn at(&self) -> Result<Timestamp, Malformed> {
        self.at
            .ok_or_else(|| Malformed::expected("a value").within("timestamp"))
    }

    /// The only token.
    fn token(&mut self) -> Result<String, Malformed> {
        let token = self.tokens.pop().filter(|_| self.tokens.is_empty());
        token.ok_or_else(|| Malformed::expected("one token").within("partition_token"))
    }
}

/// The other partition of a move. Both kinds of event have it as their first field.
fn moved(event: &[u8]) -> Result<String, Malformed> {
    let mut token = String::new();
    let mut fields = Fields::new(event);
    while let Some(field) = fields.next()? {
        if let (1, Payload::Bytes(text)) = field {
            utf8(text)?.clone_into(&mut token);
        }
    }
    if token.is_empty() {
        return Err(Malformed::expected("a token"));
    }
    Ok(token)
}

fn timestamp(message: &[u8]) -> Result<Instant<'static>, Malformed> {
    crate::timestamp::read(message).map(Instant::of)
}
