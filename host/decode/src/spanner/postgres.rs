//! Change records of a PostgreSQL database: one JSON text a row, with one member that says its
//! kind.
//!
//! Source: https://cloud.google.com/spanner/docs/change-streams/details#change_streams_record_format

use std::borrow::Cow;

use bytes::Bytes;

use crate::Malformed;
use crate::spanner::instant::Instant;
use crate::spanner::item::{Item, Items, Kind};
use crate::spanner::json::Scanner;
use crate::spanner::record::{DataRecord, EachMod, Mod};
use crate::spanner::schema::Column;
use crate::spanner::value::Value;
use crate::spanner::{ChildPartition, Step};
use crate::wire::utf8;

/// Finds the record in a row: the unread JSON object.
pub(crate) fn split(row: &Bytes, items: &mut Items) -> Result<(), Malformed> {
    let Some(text) = Value::read(row)?.text()? else {
        return Err(Malformed::expected("a JSON text"));
    };
    let mut found = None;
    let mut scanner = Scanner::new(text);
    scanner.object(|scanner, name| {
        let kind = match name.unescaped()?.as_ref() {
            "data_change_record" => Kind::Data,
            "heartbeat_record" => Kind::Heartbeat,
            "child_partitions_record" => Kind::Children,
            _ => return scanner.value().map(|_| ()),
        };
        let is_null = scanner.peek() == b'n';
        let bytes = row.slice_ref(scanner.value()?.as_bytes());
        if !is_null && found.replace(Item { kind, bytes }).is_some() {
            return Err(Malformed::expected("one record"));
        }
        Ok(())
    })?;
    scanner.finish()?;
    let expected = || Malformed::expected("a data, heartbeat or child partitions record");
    items.push_back(found.ok_or_else(expected)?);
    Ok(())
}

pub(crate) fn data(item: &[u8]) -> Result<DataRecord<'_>, Malformed> {
    let mut record = DataRecord::default();
    each_member(utf8(item)?, |scanner, name| {
        match name {
            "commit_timestamp" => record.commit = instant(scanner)?,
            "record_sequence" => record.sequence = text(scanner)?,
            "server_transaction_id" => record.transaction = text(scanner)?,
            "is_last_record_in_transaction_in_partition" => record.is_last = flag(scanner)?,
            "table_name" => record.table = text(scanner)?,
            "column_types" => record.columns = Cow::Borrowed(scanner.value()?.as_bytes()),
            "mods" => record.mods = scanner.value()?.as_bytes(),
            "mod_type" => record.mod_type = text(scanner)?,
            "value_capture_type" => record.capture_type = text(scanner)?,
            "number_of_records_in_transaction" => record.records = integer(scanner)?,
            "number_of_partitions_in_transaction" => record.partitions = integer(scanner)?,
            "transaction_tag" => record.tag = text(scanner)?,
            "is_system_transaction" => record.is_system = flag(scanner)?,
            _ => drop(scanner.value()?),
        }
        Ok(())
    })?;
    Ok(record)
}

pub(crate) fn columns(columns: &[u8]) -> Result<Vec<Column>, Malformed> {
    let mut found = Vec::new();
    each_element(&mut Scanner::new(utf8(columns)?), |scanner| {
        let mut column = Column::default();
        each_member(scanner.value()?, |scanner, name| {
            match name {
                "name" => column.name = text(scanner)?.into_owned(),
                // The type is a JSON object here and a string that holds one in GoogleSQL.
                "type" => column.type_json = value_or_empty(scanner)?.to_owned(),
                "is_primary_key" => column.is_key = flag(scanner)?,
                "ordinal_position" => column.ordinal = integer(scanner)?,
                _ => drop(scanner.value()?),
            }
            Ok(())
        })?;
        found.push(column);
        Ok(())
    })?;
    Ok(found)
}

pub(crate) fn mods(mods: &[u8], each: &mut EachMod<'_>) -> Result<(), Malformed> {
    each_element(&mut Scanner::new(utf8(mods)?), |scanner| {
        let mut found = Mod::default();
        each_member(scanner.value()?, |scanner, name| {
            let value = scanner.value()?;
            match name {
                "keys" => found.keys = Some(value),
                "new_values" => found.new_values = Some(value),
                "old_values" => found.old_values = Some(value),
                _ => {}
            }
            Ok(())
        })
        .map_err(|error| error.within("mods"))?;
        each(found)
    })
}

pub(crate) fn heartbeat(item: &[u8]) -> Result<Step, Malformed> {
    let mut at = None;
    each_member(utf8(item)?, |scanner, name| {
        match name {
            "timestamp" => at = instant(scanner)?,
            _ => drop(scanner.value()?),
        }
        Ok(())
    })?;
    let at = at.ok_or_else(|| Malformed::expected("a value").within("timestamp"))?;
    Ok(Step::Heartbeat(at.at))
}

pub(crate) fn children(item: &[u8]) -> Result<Step, Malformed> {
    let (mut start, mut sequence, mut partitions) = (None, String::new(), Vec::new());
    each_member(utf8(item)?, |scanner, name| {
        match name {
            "start_timestamp" => start = instant(scanner)?,
            "record_sequence" => sequence = text(scanner)?.into_owned(),
            "child_partitions" => each_element(scanner, |scanner| {
                partitions.push(child(scanner.value()?)?);
                Ok(())
            })?,
            _ => drop(scanner.value()?),
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

fn child(object: &str) -> Result<ChildPartition, Malformed> {
    let (mut token, mut parents) = (String::new(), Vec::new());
    each_member(object, |scanner, name| {
        match name {
            "token" => token = text(scanner)?.into_owned(),
            // The children of a root query may name a null as their parent.
            // Source: https://cloud.google.com/spanner/docs/change-streams/details
            "parent_partition_tokens" => each_element(scanner, |scanner| {
                parents.extend(optional_text(scanner)?.map(Cow::into_owned));
                Ok(())
            })?,
            _ => drop(scanner.value()?),
        }
        Ok(())
    })?;
    if token.is_empty() {
        return Err(Malformed::expected("a value").within("token"));
    }
    Ok(ChildPartition { token, parents })
}

/// Reads one JSON object from end to end. A member may stand in it once.
fn each_member<'a>(
    object: &'a str,
    mut each: impl FnMut(&mut Scanner<'a>, &str) -> Result<(), Malformed>,
) -> Result<(), Malformed> {
    let mut scanner = Scanner::new(object);
    let mut seen = std::collections::BTreeSet::new();
    scanner.object(|scanner, name| {
        let name = name.unescaped()?;
        each(scanner, &name).map_err(|error| error.within(&name))?;
        if !seen.insert(name) {
            return Err(Malformed::expected("each member once").offset(scanner.position()));
        }
        Ok(())
    })?;
    scanner.finish()
}

/// Reads a list; a null, or nothing at all, is an empty one.
fn each_element<'a>(
    scanner: &mut Scanner<'a>,
    mut each: impl FnMut(&mut Scanner<'a>) -> Result<(), Malformed>,
) -> Result<(), Malformed> {
    match scanner.peek() {
        b'n' => scanner.value().map(|_| ()),
        0 => scanner.finish(),
        _ => scanner.array(|scanner, index| each(scanner).map_err(|error| error.index(index))),
    }
}

fn optional_text<'a>(scanner: &mut Scanner<'a>) -> Result<Option<Cow<'a, str>>, Malformed> {
    if scanner.peek() == b'n' {
        return scanner.value().map(|_| None);
    }
    scanner.string().map(Some)
}

fn text<'a>(scanner: &mut Scanner<'a>) -> Result<Cow<'a, str>, Malformed> {
    optional_text(scanner).map(Option::unwrap_or_default)
}

fn value_or_empty<'a>(scanner: &mut Scanner<'a>) -> Result<&'a str, Malformed> {
    let is_null = scanner.peek() == b'n';
    let value = scanner.value()?;
    Ok(if is_null { "" } else { value })
}

fn instant<'a>(scanner: &mut Scanner<'a>) -> Result<Option<Instant<'a>>, Malformed> {
    match optional_text(scanner)? {
        Some(Cow::Borrowed(text)) => Instant::parse(text).map(Some),
        Some(Cow::Owned(text)) => Instant::parse(&text).map(|instant| Some(instant.into_owned())),
        None => Ok(None),
    }
}

fn flag(scanner: &mut Scanner<'_>) -> Result<bool, Malformed> {
    match scanner.value()? {
        "true" => Ok(true),
        "false" | "null" => Ok(false),
        _ => Err(Malformed::expected("a boolean").offset(scanner.position())),
    }
}

fn integer(scanner: &mut Scanner<'_>) -> Result<i64, Malformed> {
    match value_or_empty(scanner)? {
        "" => Ok(0),
        digits => digits
            .parse()
            .map_err(|_| Malformed::expected("an integer").offset(scanner.position())),
    }
}
