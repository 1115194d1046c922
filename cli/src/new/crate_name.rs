//! Names that cargo takes for a library that is compiled for WebAssembly.

use std::fmt;

/// Longer ones are refused by registries, and are hard to read in logs.
const LENGTH_MAX: usize = 64;

/// Words that are no names in Rust, or mean something to cargo.
///
/// Source: The Rust Reference, "Keywords"; cargo, `restricted_names.rs`.
const RESERVED: &[&str] = &[
    "abstract",
    "alloc",
    "as",
    "async",
    "await",
    "become",
    "box",
    "break",
    "build",
    "const",
    "continue",
    "core",
    "crate",
    "deps",
    "do",
    "dyn",
    "else",
    "enum",
    "examples",
    "extern",
    "false",
    "final",
    "fn",
    "for",
    "gen",
    "if",
    "impl",
    "in",
    "incremental",
    "let",
    "loop",
    "macro",
    "match",
    "mod",
    "move",
    "mut",
    "override",
    "priv",
    "proc-macro",
    "proc_macro",
    "pub",
    "ref",
    "return",
    "self",
    "static",
    "std",
    "struct",
    "super",
    "test",
    "trait",
    "true",
    "try",
    "type",
    "typeof",
    "unsafe",
    "unsized",
    "use",
    "virtual",
    "where",
    "while",
    "yield",
];

/// The name of a crate.
#[derive(Clone, Debug)]
pub(super) struct CrateName(String);

/// Why a text is no name of a crate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum NameError {
    Length,
    Start,
    Character(char),
    Reserved,
    Dependency,
}

impl CrateName {
    /// Takes a name that is not that of a package which the crate depends on.
    pub(super) fn parse(name: &str, dependencies: &[&str]) -> Result<Self, NameError> {
        if name.is_empty() || name.len() > LENGTH_MAX {
            return Err(NameError::Length);
        }
        let is_known = |c: &char| matches!(c, 'a'..='z' | '0'..='9' | '-' | '_');
        if let Some(other) = name.chars().find(|c| !is_known(c)) {
            return Err(NameError::Character(other));
        }
        if !name.starts_with(|c: char| c.is_ascii_lowercase()) {
            return Err(NameError::Start);
        }
        if RESERVED.contains(&name) {
            return Err(NameError::Reserved);
        }
        if dependencies.contains(&name) {
            return Err(NameError::Dependency);
        }
        Ok(Self(name.to_owned()))
    }

    /// The name, as `Cargo.toml` has it.
    pub(super) fn as_str(&self) -> &str {
        &self.0
    }

    /// The name, as the compiler has it.
    pub(super) fn module(&self) -> String {
        self.0.replace('-', "_")
    }
}

impl fmt::Display for NameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length => write!(f, "it must have 1 to {LENGTH_MAX} characters"),
            Self::Start => f.write_str("it must begin with a small letter"),
            Self::Character(other) => {
                write!(
                    f,
                    "it has {other:?}; small letters, digits, - and _ are allowed"
                )
            }
            Self::Reserved => f.write_str("the word means something to Rust or to cargo"),
            Self::Dependency => f.write_str("a package that it depends on has that name"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(name: &str) -> NameError {
        CrateName::parse(name, &["wit-bindgen"]).unwrap_err()
    }

    #[test]
    fn a_name_is_what_cargo_takes() {
        for name in ["a", "flat-rows", "rows_2", "self-service"] {
            assert_eq!(CrateName::parse(name, &[]).unwrap().as_str(), name);
        }
        assert_eq!(
            CrateName::parse("flat-rows", &[]).unwrap().module(),
            "flat_rows"
        );
    }

    #[test]
    fn anything_else_is_refused_with_its_reason() {
        assert_eq!(refused(""), NameError::Length);
        assert_eq!(refused(&"a".repeat(65)), NameError::Length);
        assert_eq!(refused("Rows"), NameError::Character('R'));
        assert_eq!(refused("../rows"), NameError::Character('.'));
        assert_eq!(refused("rows é"), NameError::Character(' '));
        assert_eq!(refused("2rows"), NameError::Start);
        assert_eq!(refused("-rows"), NameError::Start);
        assert_eq!(refused("match"), NameError::Reserved);
        assert_eq!(refused("wit-bindgen"), NameError::Dependency);
    }
}
