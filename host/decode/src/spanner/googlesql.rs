//! Change records of a GoogleSQL database: an array of structs of three arrays.
//!
//! Source: https://cloud.google.com/spanner/docs/change-streams/details#change_streams_record_format

use std::borrow::Cow;

use bytes::Bytes;

use crate::Malformed;
use crate::spanner::instant::Instant;
use crate::spanner::item::{Item, Items, Kind};
use crate::spanner::layout::{
    ChildField, ChildrenField, ColumnField, DataField, EnvelopeField, Field as _, HeartbeatField,
    Layout, ModField, each_field,
};
use crate::spanner::record::{DataRecord, EachMod, Mod};
use crate::spanner::schema::Column;
use crate::spanner::value::Value;
use crate::spanner::{ChildPartition, Step};

/// Finds the records in a row: the unread structs of the three arrays.
pub(crate) fn split(layout: &Layout, row: &Bytes, items: &mut Items) -> Result<(), Malformed> {
    let mut envelopes = Value::read(row)?.elements()?;
    while let Some(envelope) = envelopes.next()? {
        let before = items.len();
        let mut unknown = false;
        each_field(envelope, &layout.envelope, |field, value| {
            let kind = match field {
                EnvelopeField::Data => Kind::Data,
                EnvelopeField::Heartbeat => Kind::Heartbeat,
                EnvelopeField::Children => Kind::Children,
                EnvelopeField::Other => {
                    unknown |= matches!(Value::read(value)?, Value::List(list) if !list.is_empty());
                    return Ok(());
                }
            };
            let mut records = Value::read(value)?.elements()?;
            while let Some(record) = records.next()? {
                let bytes = row.slice_ref(record);
                items.push_back(Item { kind, bytes });
            }
            Ok(())
        })?;
        // A field that was added may be skipped beside a record, but not in place of one.
        if unknown && items.len() == before {
            return Err(Malformed::expected(
                "a data, heartbeat or child partitions record",
            ));
        }
    }
    Ok(())
}

pub(crate) fn data<'a>(layout: &Layout, item: &'a [u8]) -> Result<DataRecord<'a>, Malformed> {
    let mut record = DataRecord::default();
    each_field(item, &layout.data, |field, value| {
        if field == DataField::Other {
            return Ok(());
        }
        let read = Value::read(value)?;
        match field {
            DataField::CommitTimestamp => {
                record.commit = read.text()?.map(Instant::parse).transpose()?;
            }
            DataField::Sequence => record.sequence = Cow::Borrowed(read.text_or_empty()?),
            DataField::Transaction => record.transaction = Cow::Borrowed(read.text_or_empty()?),
            DataField::IsLast => record.is_last = read.flag()?,
            DataField::Table => record.table = Cow::Borrowed(read.text_or_empty()?),
            DataField::Columns => record.columns = Cow::Borrowed(value),
            DataField::Mods => record.mods = value,
            DataField::ModType => record.mod_type = Cow::Borrowed(read.text_or_empty()?),
            DataField::CaptureType => record.capture_type = Cow::Borrowed(read.text_or_empty()?),
            DataField::Records => record.records = read.int64()?,
            DataField::Partitions => record.partitions = read.int64()?,
            DataField::Tag => record.tag = Cow::Borrowed(read.text_or_empty()?),
            DataField::IsSystem => record.is_system = read.flag()?,
            DataField::Other => {}
        }
        Ok(())
    })?;
    Ok(record)
}

pub(crate) fn columns(layout: &Layout, columns: &[u8]) -> Result<Vec<Column>, Malformed> {
    let mut found = Vec::new();
    if columns.is_empty() {
        return Ok(found);
    }
    let mut elements = Value::read(columns)?.elements()?;
    while let Some(element) = elements.next()? {
        let mut column = Column::default();
        each_field(element, &layout.column, |field, value| {
            match field {
                ColumnField::Name => Value::read(value)?
                    .text_or_empty()?
                    .clone_into(&mut column.name),
                ColumnField::Type => {
                    Value::read(value)?
                        .text_or_empty()?
                        .clone_into(&mut column.type_json);
                }
                ColumnField::IsKey => column.is_key = Value::read(value)?.flag()?,
                ColumnField::Ordinal => column.ordinal = Value::read(value)?.int64()?,
                ColumnField::Other => {}
            }
            Ok(())
        })
        .map_err(|error| error.index(found.len()))?;
        found.push(column);
    }
    Ok(found)
}

pub(crate) fn mods(layout: &Layout, mods: &[u8], each: &mut EachMod<'_>) -> Result<(), Malformed> {
    if mods.is_empty() {
        return Ok(());
    }
    let mut elements = Value::read(mods)?.elements()?;
    let mut index = 0;
    while let Some(element) = elements.next()? {
        let mut found = Mod::default();
        each_field(element, &layout.modification, |field, value| {
            let object = match field {
                ModField::Keys => &mut found.keys,
                ModField::NewValues => &mut found.new_values,
                ModField::OldValues => &mut found.old_values,
                ModField::Other => return Ok(()),
            };
            *object = Some(Value::read(value)?.text()?.unwrap_or("null"));
            Ok(())
        })
        .map_err(|error| error.index(index).within(DataField::Mods.name()))?;
        each(found)?;
        index += 1;
    }
    Ok(())
}

pub(crate) fn heartbeat(layout: &Layout, item: &[u8]) -> Result<Step, Malformed> {
    let mut at = None;
    each_field(item, &layout.heartbeat, |field, value| {
        if field == HeartbeatField::Timestamp {
            at = Value::read(value)?
                .text()?
                .map(Instant::parse)
                .transpose()?;
        }
        Ok(())
    })?;
    let at = at.ok_or_else(|| Malformed::expected("a value").within("timestamp"))?;
    Ok(Step::Heartbeat(at.at))
}

pub(crate) fn children(layout: &Layout, item: &[u8]) -> Result<Step, Malformed> {
    let (mut start, mut sequence, mut partitions) = (None, String::new(), Vec::new());
    each_field(item, &layout.children, |field, value| {
        let read = Value::read(value)?;
        match field {
            ChildrenField::Start => start = read.text()?.map(Instant::parse).transpose()?,
            ChildrenField::Sequence => read.text_or_empty()?.clone_into(&mut sequence),
            ChildrenField::Partitions => {
                let mut elements = read.elements()?;
                while let Some(element) = elements.next()? {
                    let child = child(layout, element);
                    partitions.push(child.map_err(|error| error.index(partitions.len()))?);
                }
            }
            ChildrenField::Other => {}
        }
        Ok(())
    })?;
    let start = start.ok_or_else(|| Malformed::expected("a value").within("start_timestamp"))?;
    Ok(Step::Children {
        start: start.at,
        sequence,
        partitions,
    })
}

fn child(layout: &Layout, element: &[u8]) -> Result<ChildPartition, Malformed> {
    let (mut token, mut parents) = (String::new(), Vec::new());
    each_field(element, &layout.child, |field, value| {
        match field {
            ChildField::Token => Value::read(value)?.text_or_empty()?.clone_into(&mut token),
            ChildField::Parents => {
                let mut elements = Value::read(value)?.elements()?;
                while let Some(parent) = elements.next()? {
                    // The children of a root query may name a null as their parent.
                    // Source: https://cloud.google.com/spanner/docs/change-streams/details
                    let parent = Value::read(parent)?.text()?;
                    parents.extend(parent.map(str::to_owned));
                }
            }
            ChildField::Other => {}
        }
        Ok(())
    })?;
    if token.is_empty() {
        return Err(Malformed::expected("a value").within("token"));
    }
    Ok(ChildPartition { token, parents })
}
