//! The envelope of all rows: `PartialResultSet`.
//!
//! Source: google/spanner/v1/result_set.proto, `PartialResultSet` and `ResultSetMetadata`.

use bytes::Bytes;

use crate::Malformed;
use crate::wire::{Fields, Payload};

/// One frame. The values are read on demand.
pub(crate) struct Frame<'a> {
    message: &'a [u8],
    /// The `StructType` of the rows, if the frame has one.
    pub(crate) row_type: Option<&'a [u8]>,
    /// How many values there are.
    pub(crate) values: usize,
    /// Whether the last value goes on in the next frame.
    pub(crate) chunked: bool,
    /// Empty for none.
    pub(crate) resume_token: &'a [u8],
}

impl<'a> Frame<'a> {
    pub(crate) fn read(message: &'a Bytes) -> Result<Self, Malformed> {
        let mut frame = Self {
            message,
            row_type: None,
            values: 0,
            chunked: false,
            resume_token: &[],
        };
        let mut fields = Fields::new(message);
        while let Some(field) = fields.next()? {
            match field {
                (1, Payload::Bytes(metadata)) => frame.row_type = row_type(metadata)?,
                (2, Payload::Bytes(_)) => frame.values += 1,
                (3, Payload::Varint(bit)) => frame.chunked = bit != 0,
                (4, Payload::Bytes(token)) => frame.resume_token = token,
                (1..=4, _) => return Err(Malformed::expected("a field of PartialResultSet")),
                _ => {}
            }
        }
        Ok(frame)
    }

    /// Calls `each` with every value and whether it is the last.
    pub(crate) fn each_value(
        &self,
        mut each: impl FnMut(&'a [u8], bool) -> Result<(), Malformed>,
    ) -> Result<(), Malformed> {
        let mut index = 0;
        let mut fields = Fields::new(self.message);
        while let Some(field) = fields.next()? {
            if let (2, Payload::Bytes(value)) = field {
                index += 1;
                let read = each(value, index == self.values);
                read.map_err(|error| error.index(index - 1).within("values"))?;
            }
        }
        Ok(())
    }
}

fn row_type(metadata: &[u8]) -> Result<Option<&[u8]>, Malformed> {
    let mut found = None;
    let mut fields = Fields::new(metadata);
    while let Some(field) = fields.next()? {
        if let (1, Payload::Bytes(row_type)) = field {
            found = Some(row_type);
        }
    }
    Ok(found)
}
