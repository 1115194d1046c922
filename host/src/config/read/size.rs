//! Sizes: `12MiB`, `256KiB`, `1MB`, or a plain number of bytes.

use std::num::NonZeroUsize;

use super::field::Field;
use super::report::{Read, Report};
use super::tree::Value;

const WHAT: &str = "a size of at least one byte, such as 256KiB, 12MiB, 1MB or a number of bytes";

const UNITS: [(&str, u64); 7] = [
    ("B", 1),
    ("KB", 1_000),
    ("MB", 1_000_000),
    ("GB", 1_000_000_000),
    ("KiB", 1 << 10),
    ("MiB", 1 << 20),
    ("GiB", 1 << 30),
];

/// A number of bytes, at least one.
pub(crate) fn size(field: &Field<'_>, report: &mut Report) -> Read<NonZeroUsize> {
    let (bytes, shown) = match &field.node.value {
        Value::Number(number) => (number.as_u64(), number.to_string()),
        Value::Null | Value::Bool(_) | Value::Text(_) | Value::List(_) | Value::Map(_) => {
            let text = field.text(report, WHAT)?;
            (parse(text), format!("{text:?}"))
        }
    };
    bytes
        .and_then(|bytes| usize::try_from(bytes).ok())
        .and_then(NonZeroUsize::new)
        .ok_or_else(|| field.problem(report, format!("expected {WHAT}, found {shown}")))
}

fn parse(text: &str) -> Option<u64> {
    let digits = text.find(|c: char| !c.is_ascii_digit())?;
    let (number, unit) = text.split_at_checked(digits)?;
    let (_, bytes) = UNITS.iter().find(|(name, _)| *name == unit.trim_start())?;
    number.parse::<u64>().ok()?.checked_mul(*bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn binary_and_decimal_units_differ() {
        for (text, bytes) in [
            ("12MiB", 12_582_912),
            ("256KiB", 262_144),
            ("1MB", 1_000_000),
            ("1 MB", 1_000_000),
            ("1GiB", 1_073_741_824),
            ("100B", 100),
        ] {
            assert_eq!(parse(text), Some(bytes), "{text}");
        }
    }

    #[test]
    fn anything_else_is_no_size() {
        for text in [
            "",
            "MiB",
            "1.5MiB",
            "-1KB",
            "12mib",
            "12M",
            "99999999999999GiB",
        ] {
            assert_eq!(parse(text), None, "{text:?}");
        }
    }
}
