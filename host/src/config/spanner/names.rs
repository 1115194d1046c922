//! Names of databases and change streams.

use std::fmt;
use std::str::FromStr;

/// A database, by its three names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DatabaseName {
    /// The project.
    pub project: String,
    /// The instance in it.
    pub instance: String,
    /// The database in that.
    pub database: String,
}

impl fmt::Display for DatabaseName {
    /// The resource name: `projects/P/instances/I/databases/D`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            project,
            instance,
            database,
        } = self;
        write!(
            f,
            "projects/{project}/instances/{instance}/databases/{database}"
        )
    }
}

/// The name of a change stream that may be written into SQL: ASCII letters, digits and underscores,
/// not beginning with a digit, 1 to 128 of them.
///
/// The read function of a stream is named after it, so the name stands in the text of the query and
/// cannot be a parameter. An underscore in front is PostgreSQL's.
///
/// Source: https://cloud.google.com/spanner/docs/reference/standard-sql/data-definition-language#names
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangeStreamName(String);

/// Why a text names no change stream.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ChangeStreamNameError {
    /// There is nothing in it.
    #[error("must not be blank")]
    Blank,
    /// White space stands around it.
    #[error("must not begin or end with white space")]
    SurroundingSpace,
    /// It holds a character that would need quoting in SQL.
    #[error(
        "must not hold {0:?}: the name is written into SQL, so only ASCII letters, digits and underscores are taken"
    )]
    Character(char),
    /// It begins with a digit.
    #[error("must begin with a letter or an underscore, as an SQL identifier does")]
    FirstCharacter,
    /// It is longer than Spanner's identifiers are.
    #[error("must not be longer than 128 characters, and has {0}")]
    Length(usize),
}

impl ChangeStreamName {
    /// Source: https://cloud.google.com/spanner/docs/reference/standard-sql/data-definition-language#names
    const LENGTH_MAX: usize = 128;

    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for ChangeStreamName {
    type Err = ChangeStreamNameError;

    fn from_str(text: &str) -> Result<Self, ChangeStreamNameError> {
        let refused = |c: &char| !c.is_ascii_alphanumeric() && *c != '_';
        if text.trim().is_empty() {
            Err(ChangeStreamNameError::Blank)
        } else if text.trim() != text {
            Err(ChangeStreamNameError::SurroundingSpace)
        } else if let Some(character) = text.chars().find(refused) {
            Err(ChangeStreamNameError::Character(character))
        } else if text.starts_with(|c: char| c.is_ascii_digit()) {
            Err(ChangeStreamNameError::FirstCharacter)
        } else if text.len() > Self::LENGTH_MAX {
            Err(ChangeStreamNameError::Length(text.len()))
        } else {
            Ok(Self(text.to_owned()))
        }
    }
}

impl fmt::Display for ChangeStreamName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
