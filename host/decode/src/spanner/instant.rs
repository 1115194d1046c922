//! Timestamps as Spanner prints them.

use std::borrow::Cow;

use jiff::Timestamp;
use jiff::civil::{Date, Time};
use jiff::tz::Offset;

use crate::Malformed;

/// A timestamp and its text with a `Z`.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Instant<'a> {
    pub(crate) at: Timestamp,
    /// The fraction has the digits that were sent.
    pub(crate) text: Cow<'a, str>,
}

/// What a timestamp must look like.
const EXPECTED: &str = "an RFC 3339 timestamp";
/// Bytes of `2026-11-30T20:41:00`.
const SECONDS_END: usize = 19;
/// Digits of a fraction of a second.
const FRACTION_DIGITS_MAX: usize = 9;

impl<'a> Instant<'a> {
    /// Reads an RFC 3339 timestamp. GoogleSQL sends a `Z`; the JSON of PostgreSQL sends `+00:00`,
    /// which the service refuses when it comes back as an argument.
    ///
    /// Source: https://cloud.google.com/spanner/docs/change-streams/details#data-change-records
    pub(crate) fn parse(text: &'a str) -> Result<Self, Malformed> {
        Self::read(text).ok_or_else(|| Malformed::expected(EXPECTED))
    }

    fn read(text: &'a str) -> Option<Self> {
        let (seconds, rest) = text.split_at_checked(SECONDS_END)?;
        let (fraction, zone) = match rest.strip_prefix('.') {
            Some(rest) => {
                let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
                let (fraction, zone) = rest.split_at_checked(digits)?;
                (Some(fraction), zone)
            }
            None => (None, rest),
        };
        let civil = date(seconds)?.to_datetime(time(seconds, fraction)?);
        if zone == "Z" {
            let at = Offset::UTC.to_timestamp(civil).ok()?;
            let text = Cow::Borrowed(text);
            return Some(Self { at, text });
        }
        let offset = offset(zone)?;
        let at = offset.to_timestamp(civil).ok()?;
        let utc = Offset::UTC.to_datetime(at);
        let (date, time) = (utc.date(), utc.time());
        let mut text = format!(
            "{date}T{:02}:{:02}:{:02}",
            time.hour(),
            time.minute(),
            time.second()
        );
        if let Some(fraction) = fraction {
            text.push('.');
            text.push_str(fraction);
        }
        text.push('Z');
        let text = Cow::Owned(text);
        Some(Self { at, text })
    }
}

impl Instant<'_> {
    pub(crate) fn into_owned(self) -> Instant<'static> {
        Instant {
            at: self.at,
            text: Cow::Owned(self.text.into_owned()),
        }
    }
}

impl Instant<'static> {
    /// Prints an instant with 0, 3, 6 or 9 digits of a fraction, whichever are the fewest that
    /// lose nothing.
    ///
    /// Source: google/protobuf/timestamp.proto, `Timestamp`, "JSON Mapping".
    pub(crate) fn of(at: Timestamp) -> Self {
        let nanos = at.subsec_nanosecond();
        let digits = match nanos {
            0 => 0,
            _ if nanos % 1_000_000 == 0 => 3,
            _ if nanos % 1_000 == 0 => 6,
            _ => 9,
        };
        let text = Cow::Owned(format!("{at:.digits$}"));
        Self { at, text }
    }
}

/// `2026-11-30` of a text that is `SECONDS_END` bytes long.
fn date(seconds: &str) -> Option<Date> {
    let bytes = seconds.as_bytes();
    if bytes.get(4) != Some(&b'-') || bytes.get(7) != Some(&b'-') {
        return None;
    }
    let year = i16::try_from(decimal(bytes.get(0..4)?)?).ok()?;
    let month = i8::try_from(decimal(bytes.get(5..7)?)?).ok()?;
    let day = i8::try_from(decimal(bytes.get(8..10)?)?).ok()?;
    Date::new(year, month, day).ok()
}

/// `T20:41:00` of the same text, and the fraction after it.
fn time(seconds: &str, fraction: Option<&str>) -> Option<Time> {
    let bytes = seconds.as_bytes();
    if bytes.get(10) != Some(&b'T') || bytes.get(13) != Some(&b':') || bytes.get(16) != Some(&b':')
    {
        return None;
    }
    let hour = i8::try_from(decimal(bytes.get(11..13)?)?).ok()?;
    let minute = i8::try_from(decimal(bytes.get(14..16)?)?).ok()?;
    let second = i8::try_from(decimal(bytes.get(17..19)?)?).ok()?;
    let nanos = match fraction {
        Some(digits) => nanos(digits)?,
        None => 0,
    };
    Time::new(hour, minute, second, nanos).ok()
}

fn nanos(digits: &str) -> Option<i32> {
    if digits.is_empty() || digits.len() > FRACTION_DIGITS_MAX {
        return None;
    }
    let missing = u32::try_from(FRACTION_DIGITS_MAX - digits.len()).ok()?;
    i32::try_from(decimal(digits.as_bytes())? * 10_u32.pow(missing)).ok()
}

/// `+02:00` or `-08:00`.
fn offset(zone: &str) -> Option<Offset> {
    let bytes = zone.as_bytes();
    let sign = match bytes.first()? {
        b'+' => 1,
        b'-' => -1,
        _ => return None,
    };
    if bytes.len() != 6 || bytes.get(3) != Some(&b':') {
        return None;
    }
    let hours = decimal(bytes.get(1..3)?)?;
    let minutes = decimal(bytes.get(4..6)?)?;
    if hours > 23 || minutes > 59 {
        return None;
    }
    let seconds = i32::try_from((hours * 60 + minutes) * 60).ok()?;
    Offset::from_seconds(sign * seconds).ok()
}

/// At most nine decimal digits and nothing else.
fn decimal(digits: &[u8]) -> Option<u32> {
    digits.iter().try_fold(0, |value, digit| match digit {
        b'0'..=b'9' => Some(value * 10 + u32::from(digit - b'0')),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_with_a_z_stays_as_it_is() {
        for text in [
            "2026-11-30T20:41:00Z",
            "2026-11-30T20:41:00.000Z",
            "2026-11-30T20:41:00.123456789Z",
            "1969-12-31T23:59:59.5Z",
        ] {
            let instant = Instant::parse(text).unwrap();
            assert_eq!(instant.text, text);
            assert_eq!(instant.at, text.parse::<Timestamp>().unwrap());
        }
    }

    #[test]
    fn an_offset_becomes_a_z_and_the_fraction_keeps_its_digits() {
        for (sent, expected) in [
            ("2026-11-30T20:41:00+00:00", "2026-11-30T20:41:00Z"),
            ("2026-11-30T20:41:00.120-00:00", "2026-11-30T20:41:00.120Z"),
            ("2026-12-01T01:11:00.1+05:30", "2026-11-30T19:41:00.1Z"),
            (
                "2026-12-31T16:00:00.000000-08:00",
                "2027-01-01T00:00:00.000000Z",
            ),
        ] {
            let instant = Instant::parse(sent).unwrap();
            assert_eq!(instant.text, expected);
            assert_eq!(instant.at, sent.parse::<Timestamp>().unwrap());
        }
    }

    #[test]
    fn anything_else_is_refused() {
        for text in [
            "",
            "2026-11-30",
            "2026-11-30 20:41:00Z",
            "2026-11-30t20:41:00Z",
            "2026-11-30T20:41:00z",
            "2026-11-30T20:41:00",
            "2026-11-30T20:41:00.Z",
            "2026-11-30T20:41:00.1234567890Z",
            "2026-11-30T20:41:60Z",
            "2026-02-29T20:41:00Z",
            "2026-11-30T20:41:00+0000",
            "2026-11-30T20:41:00+24:00",
            "2026-11-30T20:41:00Z ",
            "2026-11-30T20:41:0\u{e9}Z",
        ] {
            assert!(Instant::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_printed_instant_has_0_3_6_or_9_digits() {
        for (nanos, expected) in [
            (0, "1970-01-01T00:00:07Z"),
            (120_000_000, "1970-01-01T00:00:07.120Z"),
            (120_000, "1970-01-01T00:00:07.000120Z"),
            (1, "1970-01-01T00:00:07.000000001Z"),
        ] {
            let at = Timestamp::new(7, nanos).unwrap();
            assert_eq!(Instant::of(at).text, expected);
        }
    }
}
