//! `google.protobuf.Value`, read in place.
//!
//! Source: google/protobuf/struct.proto, `Value`, `ListValue` and `Struct`.

use crate::Malformed;
use crate::wire::{Fields, Payload, sole_field, utf8};

/// Field numbers of `Value`.
pub(crate) const NULL: u32 = 1;
const NUMBER: u32 = 2;
pub(crate) const TEXT: u32 = 3;
const BOOL: u32 = 4;
pub(crate) const STRUCT: u32 = 5;
pub(crate) const LIST: u32 = 6;
/// Field number of `ListValue.values` and of `Struct.fields`.
pub(crate) const ELEMENT: u32 = 1;

/// One value. What it holds is still on the wire.
#[derive(Clone, Copy)]
pub(crate) enum Value<'a> {
    Null,
    Number(f64),
    /// Bytes that must be UTF-8.
    Text(&'a [u8]),
    Bool(bool),
    /// A `Struct` message.
    Struct(&'a [u8]),
    /// A `ListValue` message.
    List(&'a [u8]),
}

impl<'a> Value<'a> {
    /// Reads a value. It is one field, and mostly a text or a list: what else there may be is read
    /// apart.
    #[inline(always)]
    pub(crate) fn read(message: &'a [u8]) -> Result<Self, Malformed> {
        match sole_field(message) {
            Some((TEXT, text)) => Ok(Self::Text(text)),
            Some((LIST, list)) => Ok(Self::List(list)),
            _ => Self::read_any(message),
        }
    }

    /// Reads a value with whatever fields its message has.
    #[inline(never)]
    fn read_any(message: &'a [u8]) -> Result<Self, Malformed> {
        let mut fields = Fields::new(message);
        let mut found = None;
        while let Some(field) = fields.next()? {
            let value = Self::known(field)?;
            if value.is_some() && std::mem::replace(&mut found, value).is_some() {
                return Err(Malformed::expected("one kind of value"));
            }
        }
        found.ok_or_else(|| Malformed::expected("a kind of value"))
    }

    /// The kind that a field is; none for a field that `Value` does not have.
    fn known(field: (u32, Payload<'a>)) -> Result<Option<Self>, Malformed> {
        Ok(Some(match field {
            (TEXT, Payload::Bytes(text)) => Self::Text(text),
            (LIST, Payload::Bytes(list)) => Self::List(list),
            (BOOL, Payload::Varint(bit)) => Self::Bool(bit != 0),
            (NULL, Payload::Varint(_)) => Self::Null,
            (NUMBER, Payload::Fixed64(bits)) => Self::Number(f64::from_bits(bits)),
            (STRUCT, Payload::Bytes(fields)) => Self::Struct(fields),
            (NULL..=LIST, _) => return Err(Malformed::expected("a field of Value")),
            _ => return Ok(None),
        }))
    }

    /// A string; none for null.
    #[inline]
    pub(crate) fn text(self) -> Result<Option<&'a str>, Malformed> {
        match self {
            Self::Text(text) => utf8(text).map(Some),
            Self::Null => Ok(None),
            Self::Number(_) | Self::Bool(_) | Self::Struct(_) | Self::List(_) => {
                Err(Malformed::expected("a string"))
            }
        }
    }

    /// A string; empty for null.
    #[inline]
    pub(crate) fn text_or_empty(self) -> Result<&'a str, Malformed> {
        self.text().map(Option::unwrap_or_default)
    }

    /// A boolean; false for null.
    #[inline]
    pub(crate) fn flag(self) -> Result<bool, Malformed> {
        match self {
            Self::Bool(flag) => Ok(flag),
            Self::Null => Ok(false),
            Self::Number(_) | Self::Text(_) | Self::Struct(_) | Self::List(_) => {
                Err(Malformed::expected("a boolean"))
            }
        }
    }

    /// An INT64, which is sent as a decimal string; 0 for null.
    ///
    /// Source: google/spanner/v1/type.proto, `TypeCode.INT64`.
    #[inline]
    pub(crate) fn int64(self) -> Result<i64, Malformed> {
        match self.text()? {
            Some(digits) => digits
                .parse()
                .map_err(|_| Malformed::expected("a decimal INT64")),
            None => Ok(0),
        }
    }

    /// The elements of a list; none for null.
    #[inline]
    pub(crate) fn elements(self) -> Result<Elements<'a>, Malformed> {
        match self {
            Self::List(list) => Ok(Elements::new(list)),
            Self::Null => Ok(Elements::new(&[])),
            Self::Number(_) | Self::Bool(_) | Self::Text(_) | Self::Struct(_) => {
                Err(Malformed::expected("a list"))
            }
        }
    }
}

/// The elements of a `ListValue`, each an unread `Value`.
#[derive(Clone)]
pub(crate) struct Elements<'a>(Fields<'a>);

impl<'a> Elements<'a> {
    pub(crate) fn new(list: &'a [u8]) -> Self {
        Self(Fields::new(list))
    }

    #[inline]
    pub(crate) fn next(&mut self) -> Result<Option<&'a [u8]>, Malformed> {
        while let Some(field) = self.0.next()? {
            match field {
                (ELEMENT, Payload::Bytes(element)) => return Ok(Some(element)),
                (ELEMENT, _) => return Err(Malformed::expected("an element of ListValue")),
                _ => {}
            }
        }
        Ok(None)
    }
}

/// One entry of a `Struct`: its name and its unread `Value`.
pub(crate) fn entry(message: &[u8]) -> Result<(&[u8], &[u8]), Malformed> {
    const NAME: u32 = 1;
    const VALUE: u32 = 2;
    let mut fields = Fields::new(message);
    let (mut name, mut value) = (&[][..], None);
    while let Some(field) = fields.next()? {
        match field {
            (NAME, Payload::Bytes(bytes)) => name = bytes,
            (VALUE, Payload::Bytes(bytes)) => value = Some(bytes),
            _ => {}
        }
    }
    let value = value.ok_or_else(|| Malformed::expected("a value for a member of Struct"))?;
    Ok((name, value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_has_exactly_one_kind() {
        let what = |message: &[u8]| Value::read(message).err().map(|error| error.what());
        assert_eq!(what(&[]), Some("a kind of value"));
        assert_eq!(what(&[0x08, 0, 0x20, 1]), Some("one kind of value"));
        assert_eq!(what(&[0x18, 0]), Some("a field of Value"));
        assert_eq!(what(&[0x08, 0, 0x78, 1]), None);
    }

    #[test]
    fn integers_are_decimal_strings() {
        let read = |message: &[u8]| Value::read(message).and_then(Value::int64);
        assert_eq!(read(b"\x1a\x03-12"), Ok(-12));
        assert_eq!(read(&[0x08, 0]), Ok(0));
        assert!(read(b"\x1a\x031.5").is_err());
        assert!(read(&[0x20, 1]).is_err());
    }
}
