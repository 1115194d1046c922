//! Columns and modifications of a `DataChangeRecord` as the JSON that the other shapes send.

use super::names;
use crate::Malformed;
use crate::spanner::json::{push_string, push_value};
use crate::spanner::record::{EachMod, Mod};
use crate::spanner::schema::{Column, Schema};
use crate::wire::{Fields, Payload, int32, utf8};

/// Levels of arrays and structs in a column's type. Spanner has two.
const TYPE_DEPTH_MAX: u32 = 32;

/// The columns, from `column_metadata`.
pub(crate) fn columns(columns: &[u8]) -> Result<Vec<Column>, Malformed> {
    let mut found = Vec::new();
    let mut fields = Fields::new(columns);
    while let Some((_, payload)) = fields.next()? {
        if let Payload::Bytes(column) = payload {
            let column = self::column(column);
            found.push(column.map_err(|error| error.index(found.len()))?);
        }
    }
    Ok(found)
}

fn column(message: &[u8]) -> Result<Column, Malformed> {
    let mut column = Column::default();
    let mut fields = Fields::new(message);
    while let Some(field) = fields.next()? {
        match field {
            (1, Payload::Bytes(name)) => utf8(name)?.clone_into(&mut column.name),
            (2, Payload::Bytes(of)) => column.type_json = type_json(of)?,
            (3, Payload::Varint(bit)) => column.is_key = bit != 0,
            (4, Payload::Varint(number)) => column.ordinal = number.cast_signed(),
            (1..=4, _) => return Err(Malformed::expected("a field of ColumnMetadata")),
            _ => {}
        }
    }
    Ok(column)
}

/// A `Type` as a JSON text.
pub(crate) fn type_json(of: &[u8]) -> Result<String, Malformed> {
    let mut json = Vec::new();
    push_type(&mut json, of, TYPE_DEPTH_MAX)?;
    utf8(&json).map(str::to_owned)
}

/// Writes a `Type` with the member names that Spanner uses in its JSON.
///
/// Source: google/spanner/v1/type.proto, `Type`;
/// https://cloud.google.com/spanner/docs/change-streams/details#data-change-records
fn push_type(out: &mut Vec<u8>, of: &[u8], depth: u32) -> Result<(), Malformed> {
    let depth = depth
        .checked_sub(1)
        .ok_or_else(|| Malformed::expected("at most 32 levels of types"))?;
    let (mut code, mut annotation, mut proto_name) = (0, 0, "");
    let (mut element, mut members) = (None, None);
    let mut fields = Fields::new(of);
    while let Some(field) = fields.next()? {
        match field {
            (1, Payload::Varint(number)) => code = int32(number),
            (2, Payload::Bytes(of)) => element = Some(of),
            (3, Payload::Bytes(of)) => members = Some(of),
            (4, Payload::Varint(number)) => annotation = int32(number),
            (5, Payload::Bytes(name)) => proto_name = utf8(name)?,
            (1..=5, _) => return Err(Malformed::expected("a field of Type")),
            _ => {}
        }
    }
    out.extend_from_slice(b"{\"code\":");
    push_string(out, &names::type_code(code));
    if let Some(element) = element {
        out.extend_from_slice(b",\"array_element_type\":");
        push_type(out, element, depth)?;
    }
    if let Some(members) = members {
        out.extend_from_slice(b",\"struct_type\":{\"fields\":[");
        push_members(out, members, depth)?;
        out.extend_from_slice(b"]}");
    }
    if annotation != 0 {
        out.extend_from_slice(b",\"type_annotation\":");
        push_string(out, &names::type_annotation(annotation));
    }
    if !proto_name.is_empty() {
        out.extend_from_slice(b",\"proto_type_fqn\":");
        push_string(out, proto_name);
    }
    out.push(b'}');
    Ok(())
}

/// Writes the fields of a `StructType`.
fn push_members(out: &mut Vec<u8>, struct_type: &[u8], depth: u32) -> Result<(), Malformed> {
    let mut is_first = true;
    let mut fields = Fields::new(struct_type);
    while let Some(field) = fields.next()? {
        let (1, Payload::Bytes(member)) = field else {
            continue;
        };
        let (mut name, mut of) = ("", &[][..]);
        let mut parts = Fields::new(member);
        while let Some(part) = parts.next()? {
            match part {
                (1, Payload::Bytes(text)) => name = utf8(text)?,
                (2, Payload::Bytes(bytes)) => of = bytes,
                _ => {}
            }
        }
        out.extend_from_slice(if is_first {
            b"{\"name\":"
        } else {
            b",{\"name\":"
        });
        push_string(out, name);
        out.extend_from_slice(b",\"type\":");
        push_type(out, of, depth)?;
        out.push(b'}');
        is_first = false;
    }
    Ok(())
}

/// The modifications of a record, each as three objects. A list that was not sent is an empty one,
/// as it is in the other shapes.
pub(crate) fn mods(
    record: &[u8],
    schema: &Schema,
    each: &mut EachMod<'_>,
) -> Result<(), Malformed> {
    let mut texts = <[Vec<u8>; 3]>::default();
    let mut fields = Fields::new(record);
    let mut index = 0;
    while let Some(field) = fields.next()? {
        let (7, Payload::Bytes(modification)) = field else {
            continue;
        };
        read_mod(&mut texts, modification, schema)
            .map_err(|error| error.index(index).within("mods"))?;
        let [keys, old_values, new_values] = &texts;
        each(Mod {
            keys: Some(utf8(keys)?),
            new_values: Some(utf8(new_values)?),
            old_values: Some(utf8(old_values)?),
        })?;
        index += 1;
    }
    Ok(())
}

/// Writes the objects of one `Mod` in the order of its fields.
fn read_mod(
    texts: &mut [Vec<u8>; 3],
    modification: &[u8],
    schema: &Schema,
) -> Result<(), Malformed> {
    for text in &mut *texts {
        text.clear();
        text.push(b'{');
    }
    let mut fields = Fields::new(modification);
    while let Some(field) = fields.next()? {
        let [keys, old_values, new_values] = &mut *texts;
        match field {
            (1, Payload::Bytes(value)) => push_member(keys, value, schema)?,
            (2, Payload::Bytes(value)) => push_member(old_values, value, schema)?,
            (3, Payload::Bytes(value)) => push_member(new_values, value, schema)?,
            (1..=3, _) => return Err(Malformed::expected("a field of Mod")),
            _ => {}
        }
    }
    for text in texts {
        text.push(b'}');
    }
    Ok(())
}

/// Writes a `ModValue` as a member of an object.
fn push_member(out: &mut Vec<u8>, mod_value: &[u8], schema: &Schema) -> Result<(), Malformed> {
    let (mut index, mut value) = (0, None);
    let mut fields = Fields::new(mod_value);
    while let Some(field) = fields.next()? {
        match field {
            (1, Payload::Varint(number)) => index = int32(number),
            (2, Payload::Bytes(bytes)) => value = Some(bytes),
            (1..=2, _) => return Err(Malformed::expected("a field of ModValue")),
            _ => {}
        }
    }
    let column = usize::try_from(index).ok();
    let column = column.and_then(|index| schema.columns.get(index));
    let column = column.ok_or_else(|| {
        Malformed::expected("the index of a column").within("column_metadata_index")
    })?;
    if out.len() > 1 {
        out.push(b',');
    }
    push_string(out, &column.name);
    out.push(b':');
    match value {
        Some(value) => push_value(out, value),
        None => {
            out.extend_from_slice(b"null");
            Ok(())
        }
    }
}
