//! Instants: RFC 3339 with an offset.

use jiff::Timestamp;

use super::field::Field;
use super::report::{Read, Report};

const WHAT: &str = "an RFC 3339 instant with an offset, such as 2026-01-31T12:00:00Z";

/// A text that is not an instant.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected {WHAT}, found {0:?}")]
pub struct NotAnInstant(pub String);

/// Reads an instant as every option that has one does.
///
/// # Errors
///
/// The text is not RFC 3339 with an offset.
pub fn parse_instant(text: &str) -> Result<Timestamp, NotAnInstant> {
    parse(text).ok_or_else(|| NotAnInstant(text.to_owned()))
}

/// An instant.
pub(crate) fn instant(field: &Field<'_>, report: &mut Report) -> Read<Timestamp> {
    let text = field.text(report, WHAT)?;
    parse_instant(text).map_err(|error| field.problem(report, error.to_string()))
}

/// jiff reads more than RFC 3339 (an instant without seconds, a space, a zone in brackets), so the
/// shape is checked first.
fn parse(text: &str) -> Option<Timestamp> {
    let (local, offset) = match text.strip_suffix(['Z', 'z']) {
        Some(local) => (local, "+00:00"),
        None => text.split_at_checked(text.len().checked_sub(6)?)?,
    };
    let (whole, fraction) = local.split_once('.').unwrap_or((local, "0"));
    let shaped = has_shape(whole, "####-##-##T##:##:##")
        && (has_shape(offset, "+##:##") || has_shape(offset, "-##:##"))
        && (1..=9).contains(&fraction.len())
        && fraction.bytes().all(|b| b.is_ascii_digit());
    shaped.then(|| text.parse().ok()).flatten()
}

fn has_shape(text: &str, shape: &str) -> bool {
    let fits = |(t, s): (u8, u8)| match s {
        b'#' => t.is_ascii_digit(),
        b'T' => t == b'T' || t == b't',
        other => t == other,
    };
    text.len() == shape.len() && text.bytes().zip(shape.bytes()).all(fits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instant_has_an_offset_and_up_to_nine_fraction_digits() {
        for (text, seconds, nanos) in [
            ("1970-01-01T00:00:01Z", 1, 0),
            ("1970-01-01T01:00:00+01:00", 0, 0),
            ("1970-01-01T00:00:00.123456789Z", 0, 123_456_789),
            ("1969-12-31T19:00:00.5-05:00", 0, 500_000_000),
        ] {
            assert_eq!(parse(text), Timestamp::new(seconds, nanos).ok(), "{text}");
        }
    }

    #[test]
    fn anything_else_is_no_instant() {
        for text in [
            "2026-01-01",
            "2026-01-01T00:00:00",
            "2026-01-01 00:00:00Z",
            "2026-01-01T00:00Z",
            "2026-13-01T00:00:00Z",
            "2026-02-30T00:00:00Z",
            "2026-01-01T00:00:00.Z",
            "2026-01-01T00:00:00.1234567890Z",
            "2026-01-01T00:00:00+0100",
            "2026-01-01T00:00:00+01:00[Europe/Berlin]",
            "yesterday",
            "",
            "é",
        ] {
            assert_eq!(parse(text), None, "{text:?}");
        }
    }
}
