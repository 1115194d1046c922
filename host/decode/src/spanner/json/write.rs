//! JSON texts for shapes that do not send them.

use std::io::Write as _;

use super::strings::plain_len;
use crate::Malformed;
use crate::spanner::value::{ELEMENT, Elements, Value, entry};
use crate::wire::{Fields, Payload, utf8};

/// Levels of lists and structs in one value. Columns have one.
const VALUE_DEPTH_MAX: u32 = 64;

/// Writes a string with its quotes.
pub(crate) fn push_string(out: &mut Vec<u8>, text: &str) {
    let mut rest = text.as_bytes();
    out.push(b'"');
    loop {
        let (plain, after) = rest
            .split_at_checked(plain_len(rest))
            .unwrap_or((rest, &[]));
        out.extend_from_slice(plain);
        let Some((special, after)) = after.split_first() else {
            break;
        };
        push_escape(out, *special);
        rest = after;
    }
    out.push(b'"');
}

fn push_escape(out: &mut Vec<u8>, byte: u8) {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    let short = match byte {
        b'"' | b'\\' => byte,
        0x08 => b'b',
        0x0c => b'f',
        b'\n' => b'n',
        b'\r' => b'r',
        b'\t' => b't',
        _ => {
            let digit = |nibble: u8| HEX.get(usize::from(nibble)).copied().unwrap_or(b'0');
            out.extend_from_slice(b"\\u00");
            out.extend_from_slice(&[digit(byte >> 4), digit(byte & 0x0f)]);
            return;
        }
    };
    out.extend_from_slice(&[b'\\', short]);
}

/// Writes a `google.protobuf.Value`. Numbers that JSON has no word for become the strings that
/// Spanner uses for them.
///
/// Source: google/spanner/v1/type.proto, `TypeCode.FLOAT64`.
pub(crate) fn push_value(out: &mut Vec<u8>, value: &[u8]) -> Result<(), Malformed> {
    push_nested(out, value, VALUE_DEPTH_MAX)
}

fn push_nested(out: &mut Vec<u8>, value: &[u8], depth: u32) -> Result<(), Malformed> {
    let depth = depth
        .checked_sub(1)
        .ok_or_else(|| Malformed::expected("at most 64 levels of values"))?;
    match Value::read(value)? {
        Value::Null => out.extend_from_slice(b"null"),
        Value::Bool(true) => out.extend_from_slice(b"true"),
        Value::Bool(false) => out.extend_from_slice(b"false"),
        Value::Number(number) => push_number(out, number),
        Value::Text(text) => push_string(out, utf8(text)?),
        Value::List(list) => {
            let mut elements = Elements::new(list);
            let mut open = b'[';
            while let Some(element) = elements.next()? {
                out.push(open);
                push_nested(out, element, depth)?;
                open = b',';
            }
            close(out, open, b'[', b']');
        }
        Value::Struct(object) => {
            let mut fields = Fields::new(object);
            let mut open = b'{';
            while let Some(field) = fields.next()? {
                let (ELEMENT, Payload::Bytes(member)) = field else {
                    continue;
                };
                let (name, value) = entry(member)?;
                out.push(open);
                push_string(out, utf8(name)?);
                out.push(b':');
                push_nested(out, value, depth)?;
                open = b',';
            }
            close(out, open, b'{', b'}');
        }
    }
    Ok(())
}

/// Ends a list or an object; `open` still begins it if nothing was written.
fn close(out: &mut Vec<u8>, open: u8, begin: u8, end: u8) {
    if open == begin {
        out.push(begin);
    }
    out.push(end);
}

fn push_number(out: &mut Vec<u8>, number: f64) {
    let written = if number.is_nan() {
        write!(out, "\"NaN\"")
    } else if number.is_infinite() {
        let sign = if number < 0.0 { "-" } else { "" };
        write!(out, "\"{sign}Infinity\"")
    } else {
        push_finite(out, number)
    };
    debug_assert!(written.is_ok(), "a Vec takes every write");
}

/// Writes the fewest digits that read back as the same number, as change records write them: an
/// exponent of at least two digits and a sign below 0.0001 and from 1e15 on, and `.0` after a whole
/// number.
///
/// Source: the Cloud Spanner emulator 1.5.28, FLOAT64 columns in `keys` and `new_values`.
fn push_finite(out: &mut Vec<u8>, number: f64) -> std::io::Result<()> {
    let magnitude = number.abs();
    if magnitude != 0.0 && !(1e-4..1e15).contains(&magnitude) {
        let text = format!("{number:e}");
        let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let (sign, exponent) = match exponent.strip_prefix('-') {
            Some(exponent) => ('-', exponent),
            None => ('+', exponent),
        };
        return write!(out, "{digits}e{sign}{exponent:0>2}");
    }
    // The display form has no exponent and no `.0`.
    let dot = if number.fract() == 0.0 { ".0" } else { "" };
    write!(out, "{number}{dot}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(number: f64) -> String {
        let mut out = Vec::new();
        push_number(&mut out, number);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn strings_read_back_as_they_were() {
        for text in [
            "",
            "a\"b\\c",
            "\u{0}\u{1f}\u{8}\n\r\t",
            "\u{e9}\u{1f600}\u{2028}",
        ] {
            let mut out = Vec::new();
            push_string(&mut out, text);
            let back: String = serde_json::from_slice(&out).unwrap();
            assert_eq!(back, text);
        }
    }

    #[test]
    fn numbers_are_json_and_lose_nothing() {
        for value in [
            0.0,
            -0.0,
            1.0,
            0.1,
            1e300,
            -5e-324,
            1e16,
            123_456.75,
            f64::MAX,
        ] {
            let back: f64 = serde_json::from_str(&number(value)).unwrap();
            assert_eq!(back.to_bits(), value.to_bits(), "{value}");
        }
    }

    /// What the emulator sends of FLOAT64 columns.
    #[test]
    fn numbers_are_written_as_change_records_write_them() {
        for (value, expected) in [
            (1.0, "1.0"),
            (-0.0, "-0.0"),
            (0.1, "0.1"),
            (1.0 / 3.0, "0.3333333333333333"),
            (123_456_789_012_345.0, "123456789012345.0"),
            (1e15, "1e+15"),
            (1_234_567_890_123_456.0, "1.234567890123456e+15"),
            (1e300, "1e+300"),
            (1e-4, "0.0001"),
            (1e-5, "1e-05"),
            (1.5e-7, "1.5e-07"),
            (5e-324, "5e-324"),
            (f64::from(0.1_f32), "0.10000000149011612"),
        ] {
            assert_eq!(number(value), expected);
        }
    }

    #[test]
    fn control_characters_are_escaped_as_change_records_escape_them() {
        let mut out = Vec::new();
        push_string(
            &mut out,
            "q\"b\\s/\u{8}\u{c}\n\r\t\u{1}\u{1f}\u{7f}\u{2028}",
        );
        let expected = "\"q\\\"b\\\\s/\\b\\f\\n\\r\\t\\u0001\\u001f\u{7f}\u{2028}\"";
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }

    #[test]
    fn numbers_without_a_word_in_json_are_spanner_s_strings() {
        assert_eq!(number(f64::NAN), "\"NaN\"");
        assert_eq!(number(f64::INFINITY), "\"Infinity\"");
        assert_eq!(number(f64::NEG_INFINITY), "\"-Infinity\"");
    }
}
