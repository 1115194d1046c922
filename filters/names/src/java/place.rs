//! Conditions on a place of a name: anchors and word boundaries.

use super::ast::{Assertion, LineEnds};
use super::charset::CharSet;
use super::predefined;
use super::unicode_13::properties;

/// What makes a word, for the boundaries of one kind.
#[derive(Debug)]
pub(super) struct Words {
    word: CharSet,
    letter_or_digit: CharSet,
    mark: CharSet,
}

impl Words {
    pub(super) fn new(unicode: bool) -> Self {
        let word = if unicode {
            predefined::word()
        } else {
            predefined::boundary_word()
        };
        Self {
            word,
            letter_or_digit: predefined::letters_and_digits(),
            mark: properties(&["Mn"]),
        }
    }

    /// True if a word ends or starts at `at`.
    pub(super) fn is_boundary(&self, name: &[char], at: usize) -> bool {
        let before = at
            .checked_sub(1)
            .is_some_and(|i| self.is_in_word(name, i) && !self.is_long_mark(name, i));
        before != self.is_in_word(name, at)
    }

    /// A mark belongs to a word if it stands, other marks between, on a letter or digit.
    fn is_in_word(&self, name: &[char], at: usize) -> bool {
        let Some(&c) = name.get(at) else { return false };
        self.word.contains(c) || (self.mark.contains(c) && self.has_base(name, at))
    }

    fn is_long_mark(&self, name: &[char], at: usize) -> bool {
        let is_long = |c: &char| !self.word.contains(*c) && self.mark.contains(*c) && !is_short(*c);
        name.get(at).is_some_and(is_long)
    }

    fn has_base(&self, name: &[char], at: usize) -> bool {
        let before = name.get(..at).unwrap_or_default();
        match before.iter().rev().find(|c| !self.is_short_mark(**c)) {
            Some(base) => is_short(*base) && self.letter_or_digit.contains(*base),
            None => false,
        }
    }

    fn is_short_mark(&self, c: char) -> bool {
        is_short(c) && self.mark.contains(c)
    }
}

/// True for what UTF-16 holds in one unit: Java goes back by units here, and so does not find a
/// base past U+FFFF.
fn is_short(c: char) -> bool {
    u32::from(c) <= 0xFFFF
}

/// True if an anchor holds at `at`.
/// Source: java.util.regex.Pattern, "Line terminators" and "Boundary matchers".
pub(super) fn anchor_holds(assertion: Assertion, name: &[char], at: usize) -> bool {
    match assertion {
        Assertion::InputStart => at == 0,
        Assertion::InputEnd => at == name.len(),
        Assertion::LineStart(ends) => is_line_start(ends, name, at),
        Assertion::LineEnd(ends) => at == name.len() || is_line_end(ends, name, at),
        Assertion::FinalLineEnd(ends) => is_final_line_end(ends, name, at),
        // Answered by `Words`.
        Assertion::WordBoundary { .. } => false,
    }
}

/// The end of the name starts no line.
fn is_line_start(ends: LineEnds, name: &[char], at: usize) -> bool {
    let Some(&next) = name.get(at) else {
        return false;
    };
    let Some(&before) = at.checked_sub(1).and_then(|i| name.get(i)) else {
        return true;
    };
    ends.holds(before) && !(ends == LineEnds::All && before == '\r' && next == '\n')
}

/// A line ends before its `\r\n`, not inside.
fn is_line_end(ends: LineEnds, name: &[char], at: usize) -> bool {
    let Some(&next) = name.get(at) else {
        return false;
    };
    let before = at.checked_sub(1).and_then(|i| name.get(i));
    ends.holds(next) && !(ends == LineEnds::All && next == '\n' && before == Some(&'\r'))
}

fn is_final_line_end(ends: LineEnds, name: &[char], at: usize) -> bool {
    let rest = name.get(at..).unwrap_or_default();
    match rest {
        [] => true,
        [_] => is_line_end(ends, name, at),
        ['\r', '\n'] => ends == LineEnds::All,
        _ => false,
    }
}

impl LineEnds {
    fn holds(self, c: char) -> bool {
        match self {
            Self::Unix => c == '\n',
            Self::All => matches!(c, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}'),
        }
    }
}
