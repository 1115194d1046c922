//! Protocol Buffers on the wire. The only file that speaks to `prost::encoding`, which prost keeps
//! public for its own generated code: its version is pinned.
//!
//! Source: https://protobuf.dev/programming-guides/encoding/

use prost::encoding::{
    DecodeContext, WireType, decode_key, decode_varint, encode_key, encode_varint,
    encoded_len_varint, key_len, skip_field,
};

use crate::Malformed;

/// What a field holds. A wire type that no field of ours has is skipped, as an unknown field is.
#[derive(Clone, Copy)]
pub(crate) enum Payload<'a> {
    Varint(u64),
    Fixed64(u64),
    Bytes(&'a [u8]),
    Skipped,
}

/// The fields of one message, in the order of the wire.
#[derive(Clone)]
pub(crate) struct Fields<'a> {
    rest: &'a [u8],
    len: usize,
}

impl<'a> Fields<'a> {
    pub(crate) fn new(message: &'a [u8]) -> Self {
        Self {
            rest: message,
            len: message.len(),
        }
    }

    /// Whether all fields were read.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// The next field number and its payload.
    #[inline]
    pub(crate) fn next(&mut self) -> Result<Option<(u32, Payload<'a>)>, Malformed> {
        if let Some(field) = self.short() {
            return Ok(Some(field));
        }
        if self.rest.is_empty() {
            return Ok(None);
        }
        self.any().map(Some)
    }

    /// A length-delimited field with one byte of key and one or two of length, as nearly all of ours
    /// are.
    #[inline]
    fn short(&mut self) -> Option<(u32, Payload<'a>)> {
        let (key, len, rest) = match self.rest {
            [key @ ..0x80, len @ ..0x80, rest @ ..] => (key, usize::from(*len), rest),
            [key @ ..0x80, low, high @ ..0x80, rest @ ..] => {
                let len = usize::from(low & 0x7f) | usize::from(*high) << 7;
                (key, len, rest)
            }
            _ => return None,
        };
        let field = u32::from(key >> 3);
        if field == 0 || key & 7 != WireType::LengthDelimited as u8 {
            return None;
        }
        let (value, rest) = rest.split_at_checked(len)?;
        self.rest = rest;
        Some((field, Payload::Bytes(value)))
    }

    /// Any field; there is at least one byte.
    fn any(&mut self) -> Result<(u32, Payload<'a>), Malformed> {
        let Ok((field, wire_type)) = decode_key(&mut self.rest) else {
            return Err(self.broken("a field key"));
        };
        let payload = match wire_type {
            WireType::LengthDelimited => Payload::Bytes(self.delimited()?),
            WireType::Varint => match decode_varint(&mut self.rest) {
                Ok(value) => Payload::Varint(value),
                Err(_) => return Err(self.broken("a varint")),
            },
            WireType::SixtyFourBit => match self.rest.split_first_chunk::<8>() {
                Some((value, rest)) => {
                    self.rest = rest;
                    Payload::Fixed64(u64::from_le_bytes(*value))
                }
                None => return Err(self.broken("eight bytes")),
            },
            WireType::ThirtyTwoBit | WireType::StartGroup | WireType::EndGroup => {
                let context = DecodeContext::default();
                match skip_field(wire_type, field, &mut self.rest, context) {
                    Ok(()) => Payload::Skipped,
                    Err(_) => return Err(self.broken("a field that can be skipped")),
                }
            }
        };
        Ok((field, payload))
    }

    fn delimited(&mut self) -> Result<&'a [u8], Malformed> {
        let len = decode_varint(&mut self.rest).ok();
        let len = len.and_then(|len| usize::try_from(len).ok());
        match len.and_then(|len| self.rest.split_at_checked(len)) {
            Some((value, rest)) => {
                self.rest = rest;
                Ok(value)
            }
            None => Err(self.broken("a length within the message")),
        }
    }

    #[cold]
    fn broken(&self, expected: &'static str) -> Malformed {
        Malformed::expected(expected).offset(self.len - self.rest.len())
    }
}

/// The field that a message consists of, where it is one of those that [`Fields`] reads shortly.
#[inline(always)]
pub(crate) fn sole_field(message: &[u8]) -> Option<(u32, &[u8])> {
    let mut fields = Fields::new(message);
    match fields.short()? {
        (field, Payload::Bytes(value)) if fields.is_empty() => Some((field, value)),
        _ => None,
    }
}

/// The text of a string field.
pub(crate) fn utf8(bytes: &[u8]) -> Result<&str, Malformed> {
    std::str::from_utf8(bytes)
        .map_err(|error| Malformed::expected("UTF-8").offset(error.valid_up_to()))
}

/// An int32 or an enum number, of which negative ones are sent with 64 bits.
#[expect(
    clippy::cast_possible_truncation,
    reason = "the wire format takes the low 32 bits"
)]
pub(crate) fn int32(varint: u64) -> i32 {
    varint as i32
}

/// Writes a length-delimited field.
pub(crate) fn put_bytes(out: &mut Vec<u8>, field: u32, bytes: &[u8]) {
    put_header(out, field, bytes.len());
    out.extend_from_slice(bytes);
}

/// Writes the key and the length of a length-delimited field.
pub(crate) fn put_header(out: &mut Vec<u8>, field: u32, len: usize) {
    encode_key(field, WireType::LengthDelimited, out);
    encode_varint(len as u64, out);
}

/// Bytes that a length-delimited field takes with its key and its length.
pub(crate) fn field_len(field: u32, len: usize) -> usize {
    key_len(field) + encoded_len_varint(len as u64) + len
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first_error(message: &[u8]) -> &'static str {
        let mut fields = Fields::new(message);
        loop {
            match fields.next() {
                Ok(Some(_)) => {}
                Ok(None) => return "",
                Err(error) => return error.what(),
            }
        }
    }

    #[test]
    fn unknown_wire_types_are_skipped() {
        // Field 15 as fixed32, field 15 as a group around it, then field 1 as a varint.
        let message = [0x7d, 1, 2, 3, 4, 0x7b, 0x7d, 1, 2, 3, 4, 0x7c, 0x08, 0x05];
        let mut fields = Fields::new(&message);
        assert!(matches!(fields.next(), Ok(Some((15, Payload::Skipped)))));
        assert!(matches!(fields.next(), Ok(Some((15, Payload::Skipped)))));
        assert!(matches!(fields.next(), Ok(Some((1, Payload::Varint(5))))));
        assert!(matches!(fields.next(), Ok(None)));
    }

    #[test]
    fn a_length_of_any_number_of_bytes_is_read() {
        for len in [0, 1, 127, 128, 300, 16_383, 16_384, 100_000] {
            let value = vec![7; len];
            let mut message = Vec::new();
            put_bytes(&mut message, 2, &value);
            let mut fields = Fields::new(&message);
            let read = fields.next().map(|field| match field {
                Some((2, Payload::Bytes(bytes))) => bytes.len(),
                _ => usize::MAX,
            });
            assert_eq!(read, Ok(len));
            assert!(fields.is_empty());
        }
    }

    #[test]
    fn what_the_message_cannot_hold_is_refused() {
        assert_eq!(first_error(&[0x80]), "a field key");
        assert_eq!(first_error(&[0x08, 0xff]), "a varint");
        assert_eq!(first_error(&[0x09, 0, 0]), "eight bytes");
        assert_eq!(first_error(&[0x0a, 0x02, 0]), "a length within the message");
        assert_eq!(
            first_error(&[
                0x0a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01
            ]),
            "a length within the message"
        );
        assert_eq!(first_error(&[0x7b; 300]), "a field that can be skipped");
    }
}
