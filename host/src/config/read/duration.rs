//! Durations: `2s`, `500ms`, `1h30m`.

use std::time::Duration;

use super::field::Field;
use super::report::{Read, Report};

const WHAT: &str = "a duration, such as 500ms, 2s, 5m, 1h30m or 7d";

/// The units, largest first, in microseconds.
const UNITS: [(&str, u64); 6] = [
    ("d", 86_400_000_000),
    ("h", 3_600_000_000),
    ("m", 60_000_000),
    ("s", 1_000_000),
    ("ms", 1_000),
    ("us", 1),
];

/// A duration, zero included.
pub(crate) fn duration(field: &Field<'_>, report: &mut Report) -> Read<Duration> {
    let text = field.text(report, WHAT)?;
    parse(text).ok_or_else(|| field.problem(report, format!("expected {WHAT}, found {text:?}")))
}

/// A duration longer than zero.
pub(crate) fn positive(field: &Field<'_>, report: &mut Report) -> Read<Duration> {
    let duration = duration(field, report)?;
    if duration.is_zero() {
        return Err(field.problem(report, "must be longer than zero"));
    }
    Ok(duration)
}

/// Whole numbers, each with its unit, larger units first and each at most once.
pub fn parse(text: &str) -> Option<Duration> {
    let mut rest = text;
    let mut units = UNITS.as_slice();
    let mut total = 0_u64;
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit())?;
        let (number, tail) = rest.split_at_checked(digits)?;
        let letters = tail.find(|c: char| !c.is_ascii_alphabetic());
        let (unit, tail) = tail.split_at_checked(letters.unwrap_or(tail.len()))?;
        let at = units.iter().position(|(name, _)| *name == unit)?;
        let micros = units.get(at)?.1;
        units = units.get(at + 1..)?;
        let amount = number.parse::<u64>().ok()?.checked_mul(micros)?;
        total = total.checked_add(amount)?;
        rest = tail;
    }
    (!text.is_empty()).then_some(Duration::from_micros(total))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_whole_numbers_with_units() {
        for (text, micros) in [
            ("2s", 2_000_000),
            ("500ms", 500_000),
            ("250us", 250),
            ("5m", 300_000_000),
            ("1h30m", 5_400_000_000),
            ("7d", 604_800_000_000),
            ("1m0s", 60_000_000),
            ("0s", 0),
        ] {
            assert_eq!(parse(text), Some(Duration::from_micros(micros)), "{text}");
        }
    }

    #[test]
    fn anything_else_is_no_duration() {
        for text in [
            "",
            "2",
            "s",
            "2 s",
            "-2s",
            "1.5s",
            "2S",
            "30m1h",
            "1s1s",
            "PT2S",
            "2sec",
            "2s ",
            "99999999999999999999s",
            "٢s",
        ] {
            assert_eq!(parse(text), None, "{text:?}");
        }
    }
}
