//! Java regular expressions over whole names.
//!
//! ```text
//! text --cursor, parse--> node (flags and classes resolved) --program--> instructions --machine--> bool
//! ```
//!
//! The engines for Rust read the same text differently in many places: Unicode classes, case,
//! line ends, possessive quantifiers, class operations, look-behind. So the pattern is read and run
//! here, by Java's rules as of JDK 17: every class becomes a set of characters when it is read, and
//! the machine goes through its attempts in Java's order. What cannot be had the same way is refused
//! with its place; [`limits`] bounds the size of a pattern and the steps of a match.
//!
//! Source for the syntax and its meaning, unless a line says otherwise:
//! <https://docs.oracle.com/en/java/javase/17/docs/api/java.base/java/util/regex/Pattern.html>.
//! `tests/java` holds it to a JDK's own answers.

mod ast;
mod case;
mod category;
mod charset;
mod class;
mod compiler;
mod cursor;
mod error;
mod escape;
mod flags;
mod group;
pub mod limits;
mod machine;
mod measure;
mod parse;
mod place;
mod predefined;
mod program;
mod property;
mod quantifier;
mod references;
mod script_and_block;
#[cfg(test)]
mod sets_test;
mod unicode_13;

pub use error::{MatchError, PatternError, Reason};

use error::Fault;
use program::Program;

/// A pattern that matches whole names.
#[derive(Debug)]
pub struct Pattern {
    source: String,
    program: Program,
}

impl Pattern {
    /// Reads a pattern.
    ///
    /// # Errors
    ///
    /// If Java does not take the pattern, if this filter does not, or if it is past a limit.
    pub fn new(source: &str) -> Result<Self, PatternError> {
        read(source)
            .map(|program| Self {
                source: source.to_owned(),
                program,
            })
            .map_err(|fault| PatternError {
                pattern: source.to_owned(),
                at: fault.at,
                reason: fault.reason,
            })
    }

    /// True if the pattern matches the whole of `name`, as Java's `Matcher.matches` says.
    ///
    /// # Errors
    ///
    /// If the match needs more than [`limits::MATCH_STEPS_MAX`] steps, or if the pattern looks behind
    /// for more than characters up to U+FFFF and the name has one past it.
    pub fn matches(&self, name: &str) -> Result<bool, MatchError> {
        let chars: Vec<char> = name.chars().collect();
        if self.program.looks_behind_in_halves && chars.iter().any(|c| *c > '\u{FFFF}') {
            return Err(MatchError::LookBehind {
                pattern: self.source.clone(),
            });
        }
        machine::matches(&self.program, &chars).map_err(|machine::OutOfSteps| {
            MatchError::StepLimit {
                pattern: self.source.clone(),
            }
        })
    }
}

fn read(source: &str) -> Result<Program, Fault> {
    if source.len() > limits::PATTERN_BYTES_MAX {
        let message = format!("it is longer than {} bytes", limits::PATTERN_BYTES_MAX);
        return Err(Fault::too_large(0, message));
    }
    let parsed = parse::parse(source)?;
    if let Some(group) = references::uncertain(&parsed.node) {
        let what = format!(
            "a reference to group {group}, which Java does not undo with the part around it,"
        );
        return Err(Fault::unsupported(0, what));
    }
    Ok(Program::new(&parsed.node, parsed.groups))
}
