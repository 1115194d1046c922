//! A value of a row by its type, as the JSON that change records hold.
//!
//! All but structs are on the wire what they are in JSON. A struct is sent as the list of its
//! values, and its names stand in the type.
//!
//! Source: google/spanner/v1/type.proto, `TypeCode`.

use crate::Malformed;
use crate::spanner::json::{push_string, push_value};
use crate::spanner::layout::struct_fields;
use crate::spanner::value::{Elements, Value};
use crate::wire::{Fields, Payload};

/// Levels of arrays and structs in a type. Spanner nests a query's structs at most 15 deep.
///
/// Source: https://cloud.google.com/spanner/quotas
const TYPE_DEPTH_MAX: u32 = 32;
/// Bytes of the name of a struct's field, which stands in every value.
const NAME_BYTES_MAX: usize = 1024;
/// Bytes of the values of one batch. The names of structs are not sent with each value, so that
/// few bytes can ask for many; this keeps the offsets, which are 32 bits, true.
const TEXT_BYTES_MAX: usize = 2 << 30;

/// What has to be known of a type to write its values.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// No struct is in it: the value says itself what it is.
    Plain,
    /// An array whose elements have this form.
    Array(Box<Form>),
    /// A struct: for each field its name as a member begins with it, and its form.
    Struct(Vec<(Vec<u8>, Form)>),
}

impl Form {
    /// The form of a `Type`.
    pub(crate) fn of(of: &[u8]) -> Result<Self, Malformed> {
        read(of, TYPE_DEPTH_MAX)
    }

    /// Writes a value of this type.
    pub(crate) fn push(&self, out: &mut Vec<u8>, value: &[u8]) -> Result<(), Malformed> {
        match self {
            Self::Plain => push_value(out, value),
            Self::Array(element) => push_array(out, value, element),
            Self::Struct(fields) => push_struct(out, value, fields),
        }
    }
}

fn read(of: &[u8], depth: u32) -> Result<Form, Malformed> {
    const ARRAY: u64 = 8;
    const STRUCT: u64 = 9;
    let depth = depth
        .checked_sub(1)
        .ok_or_else(|| Malformed::expected("at most 32 levels of types"))?;
    let (mut code, mut element, mut struct_type) = (0, None, &[][..]);
    let mut fields = Fields::new(of);
    while let Some(field) = fields.next()? {
        match field {
            (1, Payload::Varint(number)) => code = number,
            (2, Payload::Bytes(of)) => element = Some(of),
            (3, Payload::Bytes(of)) => struct_type = of,
            _ => {}
        }
    }
    match (code, element) {
        (ARRAY, Some(element)) => {
            let element = read(element, depth)?;
            let is_plain = element == Form::Plain;
            Ok(if is_plain {
                element
            } else {
                Form::Array(Box::new(element))
            })
        }
        (STRUCT, _) => read_struct(struct_type, depth),
        _ => Ok(Form::Plain),
    }
}

fn read_struct(struct_type: &[u8], depth: u32) -> Result<Form, Malformed> {
    let mut members = Vec::new();
    for (name, of) in struct_fields(struct_type)? {
        if name.len() > NAME_BYTES_MAX {
            return Err(Malformed::expected("names of at most 1024 bytes"));
        }
        let mut begin = if members.is_empty() { b"{" } else { b"," }.to_vec();
        push_string(&mut begin, name);
        begin.push(b':');
        members.push((begin, read(of, depth)?));
    }
    Ok(Form::Struct(members))
}

fn push_array(out: &mut Vec<u8>, value: &[u8], form: &Form) -> Result<(), Malformed> {
    let Some(mut elements) = elements(out, value)? else {
        return Ok(());
    };
    out.push(b'[');
    let mut index = 0;
    while let Some(element) = elements.next()? {
        if index > 0 {
            out.push(b',');
        }
        form.push(out, element)
            .map_err(|error| error.index(index))?;
        index += 1;
    }
    out.push(b']');
    Ok(())
}

/// Writes a struct as an object in the order of its fields. A query may leave fields unnamed or
/// name two alike: each is a member all the same, so that nothing is lost to who reads in order.
fn push_struct(
    out: &mut Vec<u8>,
    value: &[u8],
    fields: &[(Vec<u8>, Form)],
) -> Result<(), Malformed> {
    let Some(mut values) = elements(out, value)? else {
        return Ok(());
    };
    for (index, (begin, form)) in fields.iter().enumerate() {
        let Some(value) = values.next()? else {
            return Err(Malformed::expected("a value for each field"));
        };
        if out.len() > TEXT_BYTES_MAX {
            return Err(Malformed::expected("at most 2 GiB of structs"));
        }
        out.extend_from_slice(begin);
        form.push(out, value).map_err(|error| error.index(index))?;
    }
    if values.next()?.is_some() {
        return Err(Malformed::expected("a field for each value"));
    }
    if fields.is_empty() {
        out.push(b'{');
    }
    out.push(b'}');
    Ok(())
}

/// What an array or a struct holds; none for a null, which is written.
fn elements<'a>(out: &mut Vec<u8>, value: &'a [u8]) -> Result<Option<Elements<'a>>, Malformed> {
    let value = Value::read(value)?;
    if matches!(value, Value::Null) {
        out.extend_from_slice(b"null");
        return Ok(None);
    }
    value.elements().map(Some)
}
