//! Unicode properties as Java 17 knows them, which is Unicode 13.
//!
//! The tables here are of a later version. A character that was assigned after 13 has no property,
//! and the few whose properties changed since are put back.
//! Source: <https://docs.oracle.com/en/java/javase/17/docs/api/java.base/java/lang/Character.html>,
//! "Unicode Conformance"; `sets_test` compares every set with a JDK's.

use std::sync::OnceLock;

use super::charset::CharSet;

/// A property by its Unicode name, such as `Lu` or `Script=GREEK`; none if the tables lack it.
pub(super) fn property(name: &str) -> Option<CharSet> {
    let mut set = CharSet::newest(name)?.and(assigned());
    for change in CHANGES.iter().filter(|change| change.property == name) {
        let characters = CharSet::of(change.characters.iter().copied());
        set = if change.had_it {
            set.or(&characters)
        } else {
            set.minus(&characters)
        };
    }
    Some(set)
}

/// The union of properties; what the tables lack adds nothing.
pub(super) fn properties(names: &[&str]) -> CharSet {
    names
        .iter()
        .filter_map(|name| property(name))
        .fold(CharSet::empty(), |a, b| a.or(&b))
}

/// Everything that is assigned, private use and noncharacters included.
pub(super) fn assigned() -> &'static CharSet {
    static ASSIGNED: OnceLock<CharSet> = OnceLock::new();
    ASSIGNED.get_or_init(|| CharSet::newest("Age=13.0").unwrap_or_else(CharSet::empty))
}

/// Characters whose property is another since.
struct Change {
    property: &'static str,
    had_it: bool,
    characters: &'static [(char, char)],
}

const fn had(property: &'static str, characters: &'static [(char, char)]) -> Change {
    Change {
        property,
        had_it: true,
        characters,
    }
}

const fn lacked(property: &'static str, characters: &'static [(char, char)]) -> Change {
    Change {
        property,
        had_it: false,
        characters,
    }
}

/// Source: <https://www.unicode.org/Public/13.0.0/ucd/>.
const CHANGES: &[Change] = &[
    had(
        "Mn",
        &[('\u{1734}', '\u{1734}'), ('\u{1171E}', '\u{1171E}')],
    ),
    lacked(
        "Mc",
        &[('\u{1734}', '\u{1734}'), ('\u{1171E}', '\u{1171E}')],
    ),
    lacked(
        "Alphabetic",
        &[
            ('\u{363}', '\u{36F}'),
            ('\u{C04}', '\u{C04}'),
            ('\u{F82}', '\u{F83}'),
            ('\u{1DD3}', '\u{1DE6}'),
            ('\u{11080}', '\u{11081}'),
        ],
    ),
    lacked(
        "Lowercase",
        &[('\u{10FC}', '\u{10FC}'), ('\u{AB69}', '\u{AB69}')],
    ),
    had("ID_Start", &[('\u{2E2F}', '\u{2E2F}')]),
    had("ID_Continue", &[('\u{2E2F}', '\u{2E2F}')]),
    lacked(
        "ID_Continue",
        &[('\u{30FB}', '\u{30FB}'), ('\u{FF65}', '\u{FF65}')],
    ),
    had("Script=COMMON", &[('\u{16FE2}', '\u{16FE3}')]),
    lacked("Script=HAN", &[('\u{16FE2}', '\u{16FE3}')]),
];
