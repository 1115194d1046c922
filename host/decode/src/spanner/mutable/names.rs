//! Enum numbers by the names that the other shapes send. A number without a name is passed on.

use std::borrow::Cow;

/// Source: google/spanner/v1/change_stream.proto, `DataChangeRecord.ModType`.
pub(super) fn mod_type(number: i32) -> Cow<'static, str> {
    named(
        number,
        match number {
            0 => "MOD_TYPE_UNSPECIFIED",
            10 => "INSERT",
            20 => "UPDATE",
            30 => "DELETE",
            _ => "",
        },
    )
}

/// Source: google/spanner/v1/change_stream.proto, `DataChangeRecord.ValueCaptureType`.
pub(super) fn capture_type(number: i32) -> Cow<'static, str> {
    named(
        number,
        match number {
            0 => "VALUE_CAPTURE_TYPE_UNSPECIFIED",
            10 => "OLD_AND_NEW_VALUES",
            20 => "NEW_VALUES",
            30 => "NEW_ROW",
            40 => "NEW_ROW_AND_OLD_VALUES",
            _ => "",
        },
    )
}

/// Source: google/spanner/v1/type.proto, `TypeCode`.
pub(super) fn type_code(number: i32) -> Cow<'static, str> {
    named(
        number,
        match number {
            0 => "TYPE_CODE_UNSPECIFIED",
            1 => "BOOL",
            2 => "INT64",
            3 => "FLOAT64",
            4 => "TIMESTAMP",
            5 => "DATE",
            6 => "STRING",
            7 => "BYTES",
            8 => "ARRAY",
            9 => "STRUCT",
            10 => "NUMERIC",
            11 => "JSON",
            13 => "PROTO",
            14 => "ENUM",
            15 => "FLOAT32",
            16 => "INTERVAL",
            17 => "UUID",
            _ => "",
        },
    )
}

/// Source: google/spanner/v1/type.proto, `TypeAnnotationCode`.
pub(super) fn type_annotation(number: i32) -> Cow<'static, str> {
    named(
        number,
        match number {
            0 => "TYPE_ANNOTATION_CODE_UNSPECIFIED",
            2 => "PG_NUMERIC",
            3 => "PG_JSONB",
            4 => "PG_OID",
            _ => "",
        },
    )
}

fn named(number: i32, name: &'static str) -> Cow<'static, str> {
    if name.is_empty() {
        Cow::Owned(number.to_string())
    } else {
        Cow::Borrowed(name)
    }
}
