//! Instants on the wire.

use jiff::Timestamp;

use crate::Malformed;
use crate::wire::{Fields, Payload, int32};

/// Reads a `Timestamp` message.
///
/// Source: google/protobuf/timestamp.proto, `Timestamp`.
pub(crate) fn read(message: &[u8]) -> Result<Timestamp, Malformed> {
    let (mut seconds, mut nanos) = (0, 0);
    let mut fields = Fields::new(message);
    while let Some(field) = fields.next()? {
        match field {
            (1, Payload::Varint(number)) => seconds = number.cast_signed(),
            (2, Payload::Varint(number)) => nanos = int32(number),
            _ => {}
        }
    }
    let at = Timestamp::new(seconds, nanos).ok().filter(|_| nanos >= 0);
    at.ok_or_else(|| Malformed::expected("a timestamp between the years -9999 and 9999"))
}
