//! Letters without case, as Java compares them: one character to one character.
//!
//! Two letters are the same under `(?iu)` if the lower case of their upper case is the same.
//! Source: <https://docs.oracle.com/en/java/javase/17/docs/api/java.base/java/lang/Character.html#toUpperCase(int)>
//! (the simple mappings of UnicodeData.txt, Unicode 13).

use std::sync::OnceLock;

use super::ast::Case;
use super::charset::CharSet;
use super::unicode_13::assigned;

/// What `c` matches.
pub(super) fn literal(c: char, case: Case) -> CharSet {
    match case {
        Case::Exact => CharSet::one(c),
        Case::Ascii => CharSet::chars([c, c.to_ascii_lowercase(), c.to_ascii_uppercase()]),
        Case::Unicode => {
            let folded = fold(c);
            if upper(c) == folded {
                return CharSet::one(c);
            }
            let same = cased()
                .iter()
                .filter(|l| l.folded == folded)
                .map(|l| l.letter);
            CharSet::chars(same.chain([c, folded]))
        }
    }
}

/// True for a letter without another case that is the other case of a letter: Java lets it match that
/// letter beside other literals, and not when it stands alone.
pub(super) fn is_read_two_ways(c: char, case: Case) -> bool {
    case == Case::Unicode
        && upper(c) == fold(c)
        && cased().iter().any(|l| l.folded == fold(c) && l.letter != c)
}

/// What the range `from-to` matches.
pub(super) fn range(from: char, to: char, case: Case) -> CharSet {
    let within = |c: &char| (from..=to).contains(c);
    let set = CharSet::of([(from, to)]);
    match case {
        Case::Exact => set,
        Case::Ascii => {
            let letters = ('a'..='z').chain('A'..='Z');
            set.or(&CharSet::chars(letters.filter(|c| {
                within(&c.to_ascii_lowercase()) || within(&c.to_ascii_uppercase())
            })))
        }
        Case::Unicode => {
            let letters = cased()
                .iter()
                .filter(|l| within(&l.upper) || within(&l.folded));
            set.or(&CharSet::chars(letters.map(|l| l.letter)))
        }
    }
}

/// True if `a` and `b` are the same letter.
pub(super) fn same(a: char, b: char, case: Case) -> bool {
    match case {
        Case::Exact => a == b,
        Case::Ascii => a.eq_ignore_ascii_case(&b),
        Case::Unicode => a == b || upper(a) == upper(b) || fold(a) == fold(b),
    }
}

/// A letter that has another case.
struct Cased {
    letter: char,
    upper: char,
    folded: char,
}

fn cased() -> &'static [Cased] {
    static CASED: OnceLock<Vec<Cased>> = OnceLock::new();
    CASED.get_or_init(|| {
        assigned()
            .ranges()
            .iter()
            .flat_map(|(from, to)| *from..=*to)
            .map(|letter| Cased {
                letter,
                upper: upper(letter),
                folded: fold(letter),
            })
            .filter(|l| l.upper != l.letter || l.folded != l.letter)
            .collect()
    })
}

fn fold(c: char) -> char {
    lower(upper(c))
}

fn upper(c: char) -> char {
    let simple = match c {
        // Full upper case is two letters, simple upper case is the title case letter.
        '\u{1F80}'..='\u{1F87}' | '\u{1F90}'..='\u{1F97}' | '\u{1FA0}'..='\u{1FA7}' => {
            char::from_u32(u32::from(c) + 8)
        }
        '\u{1FB3}' | '\u{1FC3}' | '\u{1FF3}' => char::from_u32(u32::from(c) + 9),
        _ => single(c.to_uppercase()),
    };
    of_unicode_13(c, simple)
}

fn lower(c: char) -> char {
    let simple = match c {
        // Full lower case is `i` with a dot above it, simple lower case is `i`.
        '\u{130}' => Some('i'),
        _ => single(c.to_lowercase()),
    };
    of_unicode_13(c, simple)
}

fn single(mut mapping: impl Iterator<Item = char>) -> Option<char> {
    let first = mapping.next();
    if mapping.next().is_some() {
        None
    } else {
        first
    }
}

fn of_unicode_13(c: char, mapped: Option<char>) -> char {
    mapped
        .filter(|m| assigned().contains(c) && assigned().contains(*m))
        .unwrap_or(c)
}
