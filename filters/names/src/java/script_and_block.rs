//! Scripts and blocks by the names that Java knows them by.
//!
//! `scripts.tsv` has a script's name and its ISO 15924 code; `blocks.tsv` the first and last code
//! point of a block, its name in capitals and, where it differs, the name of Java's constant.
//! Source: java.lang.Character.UnicodeScript and UnicodeBlock, `forName`, JDK 17.

use super::charset::CharSet;
use super::unicode_13::property;

const SCRIPTS: &str = include_str!("scripts.tsv");
const BLOCKS: &str = include_str!("blocks.tsv");

/// A script by name or code, in any case; none if there is no such script.
pub(super) fn script(name: &str) -> Option<CharSet> {
    let name = name.to_uppercase();
    let line = SCRIPTS
        .lines()
        .find(|line| line.split('\t').any(|n| n == name))?;
    let script = line.split('\t').next()?;
    if script == "UNKNOWN" {
        return Some(unknown());
    }
    property(&format!("Script={script}"))
}

/// What has no script: unassigned, private use, noncharacters.
fn unknown() -> CharSet {
    let scripts = SCRIPTS.lines().filter_map(|line| line.split('\t').next());
    let known = scripts.filter(|s| *s != "UNKNOWN");
    let sets = known.filter_map(|s| property(&format!("Script={s}")));
    sets.fold(CharSet::empty(), |a, b| a.or(&b)).not()
}

/// A block by name, with spaces, without them or as a constant, in any case; none if there is no
/// such block.
pub(super) fn block(name: &str) -> Option<CharSet> {
    let name = name.to_uppercase();
    let found = BLOCKS.lines().find(|line| has_name(line, &name))?;
    let mut fields = found.split('\t');
    let from = u32::from_str_radix(fields.next()?, 16).ok()?;
    let to = u32::from_str_radix(fields.next()?, 16).ok()?;
    // A block of surrogates holds nothing that a name holds.
    match (char::from_u32(from), char::from_u32(to)) {
        (Some(from), Some(to)) => Some(CharSet::of([(from, to)])),
        _ => Some(CharSet::empty()),
    }
}

fn has_name(line: &str, name: &str) -> bool {
    let mut fields = line.split('\t').skip(2);
    let spaced = fields.next().unwrap_or_default();
    let constant = fields
        .next()
        .map_or_else(|| spaced.replace([' ', '-'], "_"), str::to_owned);
    name == spaced || name == spaced.replace(' ', "") || name == constant
}
