//! Where lines differ from the expected ones, for a person to read.

use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use similar::{Algorithm, DiffOp, capture_diff_slices_deadline};

/// Differences that are shown of one file. The rest is counted.
const SHOWN_MAX: usize = 20;
/// Characters of a line that are shown, from a little before the place where it differs.
const LINE_SHOWN: usize = 160;
/// Characters before that place.
const BEFORE_SHOWN: usize = 40;
/// How long the smallest difference is looked for; past it, one that is not the smallest will do.
const PATIENCE: Duration = Duration::from_secs(2);

/// How the lines of one file differ.
#[derive(Debug)]
pub struct Difference {
    path: PathBuf,
    /// Each run of lines that differs.
    runs: Vec<Run>,
}

/// A run of lines, expected and found. One of the two may be empty.
#[derive(Debug)]
struct Run {
    expected: Vec<Numbered>,
    found: Vec<Numbered>,
}

/// A line with its number in its own file, from 1.
type Numbered = (usize, String);

impl Difference {
    /// The difference; none for equal lines.
    pub(super) fn of(path: &Path, expected: &[&str], found: &[&str]) -> Option<Self> {
        let until = Instant::now().checked_add(PATIENCE);
        let steps = capture_diff_slices_deadline(Algorithm::Myers, expected, found, until);
        let runs = steps
            .iter()
            .filter(|step| !matches!(step, DiffOp::Equal { .. }));
        let runs: Vec<Run> = runs
            .map(|step| Run {
                expected: numbered(expected, step.old_range()),
                found: numbered(found, step.new_range()),
            })
            .collect();
        (!runs.is_empty()).then(|| Self {
            path: path.to_owned(),
            runs,
        })
    }
}

fn numbered(lines: &[&str], range: Range<usize>) -> Vec<Numbered> {
    let first = range.start + 1;
    let lines = lines.get(range).unwrap_or_default();
    (first..)
        .zip(lines.iter().map(|line| (*line).to_owned()))
        .collect()
}

/// The file, then lines with `-` that were expected and lines with `+` that were found.
impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} differs (- expected, + found):", self.path.display())?;
        for run in self.runs.iter().take(SHOWN_MAX) {
            run.fmt(f)?;
        }
        match self.runs.len().saturating_sub(SHOWN_MAX) {
            0 => Ok(()),
            more => write!(f, "\n  and in {more} more places"),
        }
    }
}

impl Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pairs = self.expected.len().max(self.found.len());
        for place in (0..pairs).take(SHOWN_MAX) {
            let (expected, found) = (self.expected.get(place), self.found.get(place));
            let from = match (expected, found) {
                (Some((_, expected)), Some((_, found))) => window(expected, found),
                (Some(_) | None, _) => 0,
            };
            for (sign, line) in [('-', expected), ('+', found)] {
                if let Some((number, text)) = line {
                    write!(f, "\n  {number:>5} {sign} {}", clipped(text, from))?;
                }
            }
        }
        match pairs.saturating_sub(SHOWN_MAX) {
            0 => Ok(()),
            more => write!(f, "\n        and {more} more lines here"),
        }
    }
}

/// Where both lines are shown from, so that they stand one below the other: a little before the
/// first character at which they differ, and not so late that less than a window is left of the
/// longer one.
fn window(expected: &str, found: &str) -> usize {
    let equal = expected.chars().zip(found.chars());
    let equal = equal.take_while(|(a, b)| a == b).count();
    let length = expected.chars().count().max(found.chars().count());
    let latest = length.saturating_sub(LINE_SHOWN);
    equal.saturating_sub(BEFORE_SHOWN).min(latest)
}

/// A window of a line.
fn clipped(line: &str, from: usize) -> String {
    let part: String = line.chars().skip(from).take(LINE_SHOWN).collect();
    let before = if from > 0 { "…" } else { "" };
    let goes_on = line.chars().nth(from + LINE_SHOWN).is_some();
    let after = if goes_on { "…" } else { "" };
    format!("{before}{part}{after}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(expected: &[&str], found: &[&str]) -> String {
        let difference = Difference::of(Path::new("outputs.ndjson"), expected, found);
        difference.map_or(String::new(), |difference| difference.to_string())
    }

    #[test]
    fn equal_lines_do_not_differ() {
        assert_eq!(told(&["a", "b"], &["a", "b"]), "");
        assert_eq!(told(&[], &[]), "");
    }

    #[test]
    fn a_changed_a_missing_and_a_new_line_are_told_with_their_numbers() {
        assert_eq!(
            told(&["a", "b", "c", "d"], &["a", "B", "c", "d", "e"]),
            "outputs.ndjson differs (- expected, + found):\n      2 - b\n      2 + B\n      5 + e"
        );
        assert_eq!(
            told(&["a", "b", "c"], &["a", "c"]),
            "outputs.ndjson differs (- expected, + found):\n      2 - b"
        );
    }

    #[test]
    fn a_long_line_is_shown_around_the_place_where_it_differs() {
        let long = |mark: &str| format!("{}{mark}{}", "é".repeat(500), "x".repeat(500));
        let told = told(&[&long("yes")], &[&long("no")]);
        assert!(told.contains("yes") && told.contains("no"), "{told}");
        assert!(
            told.lines().all(|line| line.chars().count() < 200),
            "{told}"
        );
    }

    #[test]
    fn what_a_line_has_more_at_its_end_is_shown() {
        let line = "x".repeat(500);
        let told = told(&[&line], &[&format!("{line}, and more")]);
        assert!(told.contains("and more"), "{told}");
    }

    #[test]
    fn what_is_past_the_limit_is_counted() {
        let expected: Vec<String> = (0..100).map(|line| line.to_string()).collect();
        let mut found = expected.clone();
        found.iter_mut().step_by(2).for_each(|line| line.push('!'));
        let lines = |lines: &'static [String]| lines.iter().map(String::as_str).collect::<Vec<_>>();
        let told = told(&lines(expected.leak()), &lines(found.leak()));
        assert!(told.ends_with("and in 30 more places"), "{told}");
    }
}
