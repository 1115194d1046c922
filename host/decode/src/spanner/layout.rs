//! Where the fields of the structs of a GoogleSQL stream stand.
//!
//! A struct arrives as a list of values without names. Its fields are found by the names in the
//! metadata, so that a field that Spanner adds moves nothing.
//!
//! Source: google/spanner/v1/type.proto, `Type` and `StructType`; for the names,
//! https://cloud.google.com/spanner/docs/change-streams/details#change_streams_record_format

use crate::Malformed;
use crate::spanner::value::{Elements, Value};
use crate::wire::{Fields, Payload, utf8};

/// The fields of one struct that are read, by name. `Other` is a field that is skipped.
macro_rules! fields {
    ($(#[$doc:meta])* $fields:ident { $($field:ident = $name:literal),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum $fields {
            $($field,)*
            Other,
        }

        impl Field for $fields {
            fn named(name: &str) -> Self {
                match name {
                    $($name => Self::$field,)*
                    _ => Self::Other,
                }
            }

            fn name(self) -> &'static str {
                match self {
                    $(Self::$field => $name,)*
                    Self::Other => "a field added since",
                }
            }
        }
    };
}

/// A field of a struct.
pub(crate) trait Field: Copy {
    fn named(name: &str) -> Self;
    fn name(self) -> &'static str;
}

fields! {
    /// A change record: three arrays.
    EnvelopeField {
        Data = "data_change_record",
        Heartbeat = "heartbeat_record",
        Children = "child_partitions_record",
    }
}
fields! {
    DataField {
        CommitTimestamp = "commit_timestamp",
        Sequence = "record_sequence",
        Transaction = "server_transaction_id",
        IsLast = "is_last_record_in_transaction_in_partition",
        Table = "table_name",
        Columns = "column_types",
        Mods = "mods",
        ModType = "mod_type",
        CaptureType = "value_capture_type",
        Records = "number_of_records_in_transaction",
        Partitions = "number_of_partitions_in_transaction",
        Tag = "transaction_tag",
        IsSystem = "is_system_transaction",
    }
}
fields! {
    ColumnField {
        Name = "name",
        Type = "type",
        IsKey = "is_primary_key",
        Ordinal = "ordinal_position",
    }
}
fields! {
    ModField {
        Keys = "keys",
        NewValues = "new_values",
        OldValues = "old_values",
    }
}
fields! {
    HeartbeatField {
        Timestamp = "timestamp",
    }
}
fields! {
    ChildrenField {
        Start = "start_timestamp",
        Sequence = "record_sequence",
        Partitions = "child_partitions",
    }
}
fields! {
    ChildField {
        Token = "token",
        Parents = "parent_partition_tokens",
    }
}

/// The fields of every struct, in the order of the wire.
#[derive(Debug, Default)]
pub(crate) struct Layout {
    pub(crate) envelope: Vec<EnvelopeField>,
    pub(crate) data: Vec<DataField>,
    pub(crate) column: Vec<ColumnField>,
    pub(crate) modification: Vec<ModField>,
    pub(crate) heartbeat: Vec<HeartbeatField>,
    pub(crate) children: Vec<ChildrenField>,
    pub(crate) child: Vec<ChildField>,
}

impl Layout {
    /// Resolves the row type of a query: one column, an array of change records.
    pub(crate) fn resolve(row_type: &[u8]) -> Result<Self, Malformed> {
        let column = sole_column(row_type)?;
        let mut layout = Self::default();
        let record = element_struct(column)?;
        layout.envelope = resolve(record, |field, of| match field {
            EnvelopeField::Data => layout.resolve_data(element_struct(of)?),
            EnvelopeField::Heartbeat => {
                layout.heartbeat = resolve(element_struct(of)?, |_, _| Ok(()))?;
                Ok(())
            }
            EnvelopeField::Children => layout.resolve_children(element_struct(of)?),
            EnvelopeField::Other => Ok(()),
        })?;
        Ok(layout)
    }

    fn resolve_data(&mut self, data: &[u8]) -> Result<(), Malformed> {
        self.data = resolve(data, |field, of| {
            if field == DataField::Columns {
                self.column = resolve(element_struct(of)?, |_, _| Ok(()))?;
            } else if field == DataField::Mods {
                self.modification = resolve(element_struct(of)?, |_, _| Ok(()))?;
            }
            Ok(())
        })?;
        Ok(())
    }

    fn resolve_children(&mut self, children: &[u8]) -> Result<(), Malformed> {
        self.children = resolve(children, |field, of| {
            if field == ChildrenField::Partitions {
                self.child = resolve(element_struct(of)?, |_, _| Ok(()))?;
            }
            Ok(())
        })?;
        Ok(())
    }
}

/// Reads a struct by its layout. `each` is called with every field and its unread value.
#[inline]
pub(crate) fn each_field<'a, F: Field>(
    value: &'a [u8],
    layout: &[F],
    mut each: impl FnMut(F, &'a [u8]) -> Result<(), Malformed>,
) -> Result<(), Malformed> {
    let Value::List(list) = Value::read(value)? else {
        return Err(Malformed::expected("a struct"));
    };
    let mut values = Elements::new(list);
    for field in layout {
        let Some(value) = values.next()? else {
            return Err(Malformed::expected("a value for each field"));
        };
        each(*field, value).map_err(|error| error.within(field.name()))?;
    }
    match values.next()? {
        Some(_) => Err(Malformed::expected("a field for each value")),
        None => Ok(()),
    }
}

/// The type of the only column of a row type.
pub(crate) fn sole_column(row_type: &[u8]) -> Result<&[u8], Malformed> {
    match struct_fields(row_type)?.as_slice() {
        [(_, column)] => Ok(column),
        _ => Err(Malformed::expected("a row of one column")),
    }
}

/// The names of a struct type's fields, and for each known one what `each` finds in its type.
fn resolve<'a, F: Field + PartialEq>(
    struct_type: &'a [u8],
    mut each: impl FnMut(F, &'a [u8]) -> Result<(), Malformed>,
) -> Result<Vec<F>, Malformed> {
    let mut layout: Vec<F> = Vec::new();
    for (name, of) in struct_fields(struct_type)? {
        let field = F::named(name);
        each(field, of).map_err(|error| error.within(field.name()))?;
        if layout.contains(&field) && field != F::named("") {
            return Err(Malformed::expected("each field once").within(field.name()));
        }
        layout.push(field);
    }
    Ok(layout)
}

/// The fields of a `StructType`: name and `Type`.
pub(crate) fn struct_fields(struct_type: &[u8]) -> Result<Vec<(&str, &[u8])>, Malformed> {
    const FIELDS: u32 = 1;
    const NAME: u32 = 1;
    const TYPE: u32 = 2;
    let mut found = Vec::new();
    let mut fields = Fields::new(struct_type);
    while let Some(field) = fields.next()? {
        let (FIELDS, Payload::Bytes(field)) = field else {
            continue;
        };
        let (mut name, mut of) = ("", &[][..]);
        let mut parts = Fields::new(field);
        while let Some(part) = parts.next()? {
            match part {
                (NAME, Payload::Bytes(bytes)) => name = utf8(bytes)?,
                (TYPE, Payload::Bytes(bytes)) => of = bytes,
                _ => {}
            }
        }
        found.push((name, of));
    }
    Ok(found)
}

/// The `StructType` of an array of structs.
fn element_struct(of: &[u8]) -> Result<&[u8], Malformed> {
    /// `TypeCode.ARRAY` and `TypeCode.STRUCT`.
    const ARRAY: u64 = 8;
    const STRUCT: u64 = 9;
    /// `Type.array_element_type` and `Type.struct_type`.
    const ELEMENT: u32 = 2;
    const FIELDS: u32 = 3;
    let element = part_of(of, ARRAY, ELEMENT)?;
    let fields = element.map(|element| part_of(element, STRUCT, FIELDS));
    let fields = fields.transpose()?.flatten();
    fields.ok_or_else(|| Malformed::expected("an array of structs in the row type"))
}

/// A part of a `Type`, if the type has this code.
fn part_of(of: &[u8], code: u64, part: u32) -> Result<Option<&[u8]>, Malformed> {
    const CODE: u32 = 1;
    let (mut is_code, mut found) = (false, None);
    let mut fields = Fields::new(of);
    while let Some(field) = fields.next()? {
        match field {
            (CODE, Payload::Varint(own)) => is_code = own == code,
            (number, Payload::Bytes(bytes)) if number == part => found = Some(bytes),
            _ => {}
        }
    }
    Ok(found.filter(|_| is_code))
}
