//! The inline flags of a pattern.
//! Source: java.util.regex.Pattern, "Special constructs", `(?idmsuxU-idmsuxU)`.

use super::ast::{Case, LineEnds};

#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Flags {
    /// `i`
    pub(super) caseless: bool,
    /// `d`
    pub(super) unix_lines: bool,
    /// `m`
    pub(super) multiline: bool,
    /// `s`
    pub(super) dot_all: bool,
    /// `u`
    pub(super) unicode_case: bool,
    /// `x`
    pub(super) comments: bool,
    /// `U`
    pub(super) unicode_classes: bool,
}

impl Flags {
    /// Sets or clears one flag; false if there is no such flag.
    pub(super) fn set(&mut self, letter: char, on: bool) -> bool {
        match letter {
            'i' => self.caseless = on,
            'd' => self.unix_lines = on,
            'm' => self.multiline = on,
            's' => self.dot_all = on,
            'u' => self.unicode_case = on,
            'x' => self.comments = on,
            'U' => {
                self.unicode_classes = on;
                self.unicode_case = on;
            }
            _ => return false,
        }
        true
    }

    pub(super) fn case(self) -> Case {
        match (self.caseless, self.unicode_case) {
            (false, _) => Case::Exact,
            (true, false) => Case::Ascii,
            (true, true) => Case::Unicode,
        }
    }

    pub(super) fn line_ends(self) -> LineEnds {
        if self.unix_lines {
            LineEnds::Unix
        } else {
            LineEnds::All
        }
    }
}
