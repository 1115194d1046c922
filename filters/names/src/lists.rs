//! The lists of a configuration, and which names pass them.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value};

use crate::java::{MatchError, Pattern};

/// Which names pass: a pair of lists for each kind of name.
#[derive(Debug, Default)]
pub struct Filter {
    tables: Choice,
    columns: Choice,
    families: Choice,
    qualifiers: Choice,
}

/// One thing wrong with a configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListError {
    /// The member, such as `table-include-list[2]`; empty for the whole.
    pub path: String,
    /// What is wrong, with the remedy.
    pub message: String,
}

impl Filter {
    /// Reads the JSON object of a configuration. All members are optional; an empty list is no
    /// filter.
    ///
    /// # Errors
    ///
    /// Everything that is wrong, at once: text that is no JSON object, unknown members, wrong types,
    /// patterns that cannot be used, and both lists of a pair.
    pub fn from_json(json: &str) -> Result<Self, Vec<ListError>> {
        let whole = |message: String| {
            vec![ListError {
                path: String::new(),
                message,
            }]
        };
        let members = match serde_json::from_str(json) {
            Ok(Value::Object(members)) => members,
            Ok(_) => return Err(whole("the configuration must be a JSON object".into())),
            Err(e) => return Err(whole(format!("the configuration is not JSON: {e}"))),
        };
        let mut errors: Vec<ListError> = members.keys().filter_map(|name| unknown(name)).collect();
        let mut choice = |kind| Choice::read(kind, &members, &mut errors);
        let filter = Self {
            tables: choice("table"),
            columns: choice("column"),
            families: choice("family"),
            qualifiers: choice("qualifier"),
        };
        if errors.is_empty() {
            Ok(filter)
        } else {
            Err(errors)
        }
    }

    /// True if the table passes.
    ///
    /// # Errors
    ///
    /// If a pattern has no answer: see [`Pattern::matches`].
    pub fn table(&self, table: &str) -> Result<bool, MatchError> {
        self.tables.passes(table)
    }

    /// True if the column passes; the lists see `table.column`.
    ///
    /// # Errors
    ///
    /// If a pattern has no answer: see [`Pattern::matches`].
    pub fn column(&self, table: &str, column: &str) -> Result<bool, MatchError> {
        self.columns.passes(&format!("{table}.{column}"))
    }

    /// True if the column family passes.
    ///
    /// # Errors
    ///
    /// If a pattern has no answer: see [`Pattern::matches`].
    pub fn family(&self, family: &str) -> Result<bool, MatchError> {
        self.families.passes(family)
    }

    /// True if the qualifier passes; the lists see `family:` and the qualifier in padded standard
    /// Base64.
    ///
    /// # Errors
    ///
    /// If a pattern has no answer: see [`Pattern::matches`].
    pub fn qualifier(&self, family: &str, qualifier: &[u8]) -> Result<bool, MatchError> {
        self.qualifiers
            .passes(&format!("{family}:{}", STANDARD.encode(qualifier)))
    }
}

/// The pair of lists for one kind of name, of which one at most has patterns.
#[derive(Debug, Default)]
enum Choice {
    /// All names pass.
    #[default]
    All,
    /// Names that match at least one pattern pass.
    Include(Vec<Pattern>),
    /// Names that match no pattern pass.
    Exclude(Vec<Pattern>),
}

impl Choice {
    fn read(kind: &str, members: &Map<String, Value>, errors: &mut Vec<ListError>) -> Self {
        let include = format!("{kind}-include-list");
        let exclude = format!("{kind}-exclude-list");
        if has_entries(members.get(&include)) && has_entries(members.get(&exclude)) {
            let message = format!("cannot be used together with `{include}`; keep one of the two");
            errors.push(ListError {
                path: exclude.clone(),
                message,
            });
        }
        let included = patterns(&include, members.get(&include), errors);
        let excluded = patterns(&exclude, members.get(&exclude), errors);
        match (included.is_empty(), excluded.is_empty()) {
            (false, _) => Self::Include(included),
            (true, false) => Self::Exclude(excluded),
            (true, true) => Self::All,
        }
    }

    fn passes(&self, name: &str) -> Result<bool, MatchError> {
        match self {
            Self::All => Ok(true),
            Self::Include(patterns) => any_matches(patterns, name),
            Self::Exclude(patterns) => any_matches(patterns, name).map(|matched| !matched),
        }
    }
}

fn any_matches(patterns: &[Pattern], name: &str) -> Result<bool, MatchError> {
    for pattern in patterns {
        if pattern.matches(name)? {
            return Ok(true);
        }
    }
    Ok(false)
}

fn has_entries(list: Option<&Value>) -> bool {
    list.and_then(Value::as_array)
        .is_some_and(|entries| !entries.is_empty())
}

fn patterns(path: &str, list: Option<&Value>, errors: &mut Vec<ListError>) -> Vec<Pattern> {
    let Some(list) = list else { return Vec::new() };
    let mut wrong = |path: String, message: String| errors.push(ListError { path, message });
    let Some(entries) = list.as_array() else {
        wrong(path.to_owned(), "must be a list of patterns".to_owned());
        return Vec::new();
    };
    let mut patterns = Vec::with_capacity(entries.len());
    for (index, entry) in entries.iter().enumerate() {
        let path = format!("{path}[{index}]");
        match entry.as_str().map(Pattern::new) {
            Some(Ok(pattern)) => patterns.push(pattern),
            Some(Err(e)) => wrong(path, e.to_string()),
            None => wrong(path, "must be a text, a Java regular expression".to_owned()),
        }
    }
    patterns
}

/// The members of a configuration, each with what it holds.
pub const MEMBERS: [(&str, &str); 8] = [
    (
        "table-include-list",
        "Java regular expressions; a table passes if its whole name matches one. Default: none, all pass. Not together with table-exclude-list.",
    ),
    (
        "table-exclude-list",
        "Java regular expressions; a table passes unless its whole name matches one. Default: none, all pass. Not together with table-include-list.",
    ),
    (
        "column-include-list",
        "Java regular expressions; a non-key column passes if the whole of table.column matches one. Default: none, all pass. Not together with column-exclude-list.",
    ),
    (
        "column-exclude-list",
        "Java regular expressions; a non-key column passes unless the whole of table.column matches one. Default: none, all pass. Not together with column-include-list.",
    ),
    (
        "family-include-list",
        "Java regular expressions; a column family passes if its whole name matches one. Default: none, all pass. Not together with family-exclude-list.",
    ),
    (
        "family-exclude-list",
        "Java regular expressions; a column family passes unless its whole name matches one. Default: none, all pass. Not together with family-include-list.",
    ),
    (
        "qualifier-include-list",
        "Java regular expressions; a qualifier passes if the whole of family: and its padded standard Base64 matches one. Default: none, all pass. Not together with qualifier-exclude-list.",
    ),
    (
        "qualifier-exclude-list",
        "Java regular expressions; a qualifier passes unless the whole of family: and its padded standard Base64 matches one. Default: none, all pass. Not together with qualifier-include-list.",
    ),
];

fn unknown(name: &str) -> Option<ListError> {
    if MEMBERS.iter().any(|(known, _)| *known == name) {
        return None;
    }
    let known: Vec<&str> = MEMBERS.iter().map(|(known, _)| *known).collect();
    let message = format!("is unknown; the members are {}", known.join(", "));
    Some(ListError {
        path: name.to_owned(),
        message,
    })
}
