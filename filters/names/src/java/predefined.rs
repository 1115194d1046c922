//! `\d`, `\w`, `\s`, `\h`, `\v`, what they are not, and what makes a word.

use super::charset::CharSet;
use super::flags::Flags;
use super::unicode_13::properties;

/// The class of a letter after a backslash; none if the letter names no class.
pub(super) fn by_letter(letter: char, flags: Flags) -> Option<CharSet> {
    let unicode = flags.unicode_classes;
    let set = match letter.to_ascii_lowercase() {
        'd' if unicode => properties(&["Nd"]),
        'd' => CharSet::of([('0', '9')]),
        'w' if unicode => word(),
        'w' => CharSet::of([('a', 'z'), ('A', 'Z'), ('0', '9'), ('_', '_')]),
        's' if unicode => properties(&["White_Space"]),
        's' => CharSet::of([('\t', '\r'), (' ', ' ')]),
        'h' => CharSet::of([
            (' ', ' '),
            ('\t', '\t'),
            ('\u{A0}', '\u{A0}'),
            ('\u{1680}', '\u{1680}'),
            ('\u{180E}', '\u{180E}'),
            ('\u{2000}', '\u{200A}'),
            ('\u{202F}', '\u{202F}'),
            ('\u{205F}', '\u{205F}'),
            ('\u{3000}', '\u{3000}'),
        ]),
        'v' => CharSet::of([('\n', '\r'), ('\u{85}', '\u{85}'), ('\u{2028}', '\u{2029}')]),
        _ => return None,
    };
    Some(if letter.is_ascii_uppercase() {
        set.not()
    } else {
        set
    })
}

/// `\w` under the flag `U`.
/// Source: java.util.regex.Pattern, "UNICODE_CHARACTER_CLASS".
pub(super) fn word() -> CharSet {
    properties(&["Alphabetic", "M", "Nd", "Pc", "Join_Control"])
}

/// What `\b` takes for a word without the flag `U`: not `\w`, as a JDK before 19 has it.
/// Source: <https://bugs.openjdk.org/browse/JDK-8264160>.
pub(super) fn boundary_word() -> CharSet {
    letters_and_digits().or(&CharSet::one('_'))
}

pub(super) fn letters_and_digits() -> CharSet {
    properties(&["L", "Nd"])
}
