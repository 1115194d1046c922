//! `\p{...}`: POSIX names, general categories, binary properties, scripts and blocks, each by the
//! spellings that Java takes.
//! Source: java.util.regex.Pattern, "Unicode support".

use super::category::{self, ascii};
use super::charset::CharSet;
use super::error::Fault;
use super::parse::Parser;
use super::predefined;
use super::script_and_block::{block, script};
use super::unicode_13::properties;

impl Parser {
    /// Reads what follows `\p`.
    pub(super) fn property(&mut self, at: usize) -> Result<CharSet, Fault> {
        let name = self.property_name(at)?;
        let unknown = || Fault::malformed(at, format!("there is no property `{name}`"));
        if matches!(name.as_str(), "javaMirrored" | "IsBidi_Mirrored") {
            return Err(Fault::unsupported(at, format!("the property `{name}`")));
        }
        let caseless = self.flags.caseless;
        if let Some((key, value)) = name.split_once('=') {
            return match key.to_ascii_lowercase().as_str() {
                "sc" | "script" => script(value).ok_or_else(unknown),
                "blk" | "block" => block(value).ok_or_else(unknown),
                "gc" | "general_category" => category::named(value, caseless).ok_or_else(unknown),
                _ => Err(unknown()),
            };
        }
        if let Some(name) = name.strip_prefix("In") {
            return block(name).ok_or_else(unknown);
        }
        if let Some(name) = name.strip_prefix("Is") {
            return binary(name, caseless)
                .or_else(|| category::named(name, caseless))
                .or_else(|| script(name))
                .ok_or_else(unknown);
        }
        let posix = if self.flags.unicode_classes {
            unicode_posix(&name, caseless)
        } else {
            None
        };
        posix
            .or_else(|| category::named(&name, caseless))
            .ok_or_else(unknown)
    }

    /// One letter, or what stands between `{` and `}`.
    fn property_name(&mut self, at: usize) -> Result<String, Fault> {
        let incomplete = || Fault::malformed(at, "`\\p` is not followed by a property");
        let first = self.cursor.take().ok_or_else(incomplete)?;
        if first.quoted {
            return Err(Fault::unsupported(at, "`\\Q` in a property"));
        }
        if first.ch != '{' {
            return Ok(first.ch.to_string());
        }
        let mut name = String::new();
        loop {
            let token = self.cursor.take().ok_or_else(incomplete)?;
            if token.quoted {
                return Err(Fault::unsupported(at, "`\\Q` in a property"));
            }
            if token.ch == '}' {
                break;
            }
            name.push(token.ch);
        }
        if name.is_empty() {
            Err(incomplete())
        } else {
            Ok(name)
        }
    }
}

/// `\p{IsName}`, in any case.
fn binary(name: &str, caseless: bool) -> Option<CharSet> {
    let name = name.to_uppercase();
    Some(match name.as_str() {
        "ALPHABETIC" => properties(&["Alphabetic"]),
        "ASSIGNED" => category::unassigned().not(),
        "CONTROL" => properties(&["Cc"]),
        "HEXDIGIT" | "HEX_DIGIT" => hex_digit(),
        "IDEOGRAPHIC" => properties(&["Ideographic"]),
        "JOINCONTROL" | "JOIN_CONTROL" => properties(&["Join_Control"]),
        "LETTER" => properties(&["L"]),
        "LOWERCASE" | "UPPERCASE" | "TITLECASE" if caseless => {
            properties(&["Lowercase", "Uppercase", "Lt"])
        }
        "LOWERCASE" => properties(&["Lowercase"]),
        "UPPERCASE" => properties(&["Uppercase"]),
        "TITLECASE" => properties(&["Lt"]),
        "NONCHARACTERCODEPOINT" | "NONCHARACTER_CODE_POINT" => {
            properties(&["Noncharacter_Code_Point"])
        }
        "PUNCTUATION" => properties(&["P"]),
        "WHITESPACE" | "WHITE_SPACE" => properties(&["White_Space"]),
        "WORD" => predefined::word(),
        _ => return unicode_posix_upper(&name, caseless),
    })
}

/// A POSIX name as it reads under the flag `U`.
fn unicode_posix(name: &str, caseless: bool) -> Option<CharSet> {
    unicode_posix_upper(&name.to_uppercase(), caseless)
}

fn unicode_posix_upper(name: &str, caseless: bool) -> Option<CharSet> {
    Some(match name {
        "ALPHA" => properties(&["Alphabetic"]),
        "LOWER" | "UPPER" if caseless => properties(&["Lowercase", "Uppercase", "Lt"]),
        "LOWER" => properties(&["Lowercase"]),
        "UPPER" => properties(&["Uppercase"]),
        "SPACE" => properties(&["White_Space"]),
        "PUNCT" => properties(&["P"]),
        "XDIGIT" => hex_digit(),
        "ALNUM" => properties(&["Alphabetic", "Nd"]),
        "CNTRL" => properties(&["Cc"]),
        "DIGIT" => properties(&["Nd"]),
        "BLANK" => properties(&["Zs"]).or(&CharSet::one('\t')),
        "GRAPH" => graph(),
        "PRINT" => graph()
            .or(&properties(&["Zs"]))
            .or(&CharSet::one('\t'))
            .minus(&properties(&["Cc"])),
        _ => return None,
    })
}

fn graph() -> CharSet {
    let absent = properties(&["Z", "Cc", "Cs"]).or(category::unassigned());
    absent.not()
}

fn hex_digit() -> CharSet {
    let wide = [
        ('\u{FF10}', '\u{FF19}'),
        ('\u{FF21}', '\u{FF26}'),
        ('\u{FF41}', '\u{FF46}'),
    ];
    properties(&["Nd"])
        .or(&ascii("XDigit").unwrap_or_else(CharSet::empty))
        .or(&CharSet::of(wide))
}
