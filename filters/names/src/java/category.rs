//! What `\p{Name}` takes by exact spelling: general categories, the POSIX names for ASCII, and the
//! tests of `java.lang.Character`.
//! Source: java.util.regex.Pattern, "POSIX character classes" and "java.lang.Character classes".

use std::sync::OnceLock;

use super::charset::CharSet;
use super::predefined::letters_and_digits;
use super::unicode_13::{assigned, properties};

pub(super) fn named(name: &str, caseless: bool) -> Option<CharSet> {
    if let Some(test) = name.strip_prefix("java") {
        return java_test(test, caseless);
    }
    ascii_with_case(name, caseless).or_else(|| general_category(name, caseless))
}

/// What Unicode 13 does not assign, and the noncharacters.
pub(super) fn unassigned() -> &'static CharSet {
    static UNASSIGNED: OnceLock<CharSet> = OnceLock::new();
    UNASSIGNED.get_or_init(|| {
        let noncharacters = properties(&["Noncharacter_Code_Point"]);
        assigned().not().or(&noncharacters)
    })
}

/// A POSIX name, ASCII only.
pub(super) fn ascii(name: &str) -> Option<CharSet> {
    let ranges: &[(char, char)] = match name {
        "ASCII" => &[('\0', '\u{7F}')],
        "Alnum" => &[('0', '9'), ('A', 'Z'), ('a', 'z')],
        "Alpha" => &[('A', 'Z'), ('a', 'z')],
        "Blank" => &[('\t', '\t'), (' ', ' ')],
        "Cntrl" => &[('\0', '\u{1F}'), ('\u{7F}', '\u{7F}')],
        "Digit" => &[('0', '9')],
        "Graph" => &[('!', '~')],
        "Lower" => &[('a', 'z')],
        "Print" => &[(' ', '~')],
        "Punct" => &[('!', '/'), (':', '@'), ('[', '`'), ('{', '~')],
        "Space" => &[('\t', '\r'), (' ', ' ')],
        "Upper" => &[('A', 'Z')],
        "XDigit" => &[('0', '9'), ('A', 'F'), ('a', 'f')],
        _ => return None,
    };
    Some(CharSet::of(ranges.iter().copied()))
}

fn ascii_with_case(name: &str, caseless: bool) -> Option<CharSet> {
    let name = if caseless && matches!(name, "Lower" | "Upper") {
        "Alpha"
    } else {
        name
    };
    ascii(name)
}

fn general_category(name: &str, caseless: bool) -> Option<CharSet> {
    let names: &[&str] = match name {
        "Lu" | "Ll" | "Lt" if caseless => &["Lu", "Ll", "Lt"],
        "L" | "M" | "N" | "Z" | "P" | "S" | "Lu" | "Ll" | "Lt" | "Lm" | "Lo" | "Mn" | "Me"
        | "Mc" | "Nd" | "Nl" | "No" | "Zs" | "Zl" | "Zp" | "Cc" | "Cf" | "Co" | "Pd" | "Ps"
        | "Pe" | "Pc" | "Po" | "Sm" | "Sc" | "Sk" | "So" | "Pi" | "Pf" => &[name],
        "LC" => &["Lu", "Ll", "Lt"],
        "LD" => &["L", "Nd"],
        "Cn" => return Some(unassigned().clone()),
        "C" => return Some(unassigned().or(&properties(&["Cc", "Cf", "Co"]))),
        // Surrogates, which no name holds.
        "Cs" => return Some(CharSet::empty()),
        "L1" => return Some(CharSet::of([('\0', '\u{FF}')])),
        "all" => return Some(CharSet::empty().not()),
        _ => return None,
    };
    Some(properties(names))
}

/// `\p{javaTest}` is what `java.lang.Character.isTest` says.
fn java_test(test: &str, caseless: bool) -> Option<CharSet> {
    Some(match test {
        "LowerCase" | "UpperCase" | "TitleCase" if caseless => {
            properties(&["Lowercase", "Uppercase", "Lt"])
        }
        "LowerCase" => properties(&["Lowercase"]),
        "UpperCase" => properties(&["Uppercase"]),
        "TitleCase" => properties(&["Lt"]),
        "Alphabetic" => properties(&["Alphabetic"]),
        "Ideographic" => properties(&["Ideographic"]),
        "Digit" => properties(&["Nd"]),
        "Defined" => unassigned().not(),
        "Letter" => properties(&["L"]),
        "LetterOrDigit" => letters_and_digits(),
        "JavaIdentifierStart" => properties(&["L", "Nl", "Sc", "Pc"]),
        "JavaIdentifierPart" => {
            properties(&["L", "Nl", "Sc", "Pc", "Nd", "Mc", "Mn"]).or(&ignorable())
        }
        "UnicodeIdentifierStart" => properties(&["ID_Start"]),
        "UnicodeIdentifierPart" => properties(&["ID_Continue"]).or(&ignorable()),
        "IdentifierIgnorable" => ignorable(),
        "SpaceChar" => properties(&["Z"]),
        "Whitespace" => white_space(),
        "ISOControl" => properties(&["Cc"]),
        _ => return None,
    })
}

fn ignorable() -> CharSet {
    let controls = [('\0', '\u{8}'), ('\u{E}', '\u{1B}'), ('\u{7F}', '\u{9F}')];
    properties(&["Cf"]).or(&CharSet::of(controls))
}

fn white_space() -> CharSet {
    let no_break = CharSet::chars(['\u{A0}', '\u{2007}', '\u{202F}']);
    let controls = CharSet::of([('\t', '\r'), ('\u{1C}', '\u{1F}')]);
    properties(&["Z"]).minus(&no_break).or(&controls)
}
