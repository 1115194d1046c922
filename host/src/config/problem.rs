//! What is wrong with a configuration file: every mistake at once, each with its place.

use std::fmt;

use super::{GuestRef, GuestRole};
use crate::batch::Shape;

/// One mistake in a configuration file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Where: option names from the top of the file, such as
    /// `spanner-change-stream.table-include-list[2]`. Empty for the file as a whole.
    pub path: String,
    /// What is wrong and what would be right. It never holds a secret.
    pub message: String,
}

impl Problem {
    /// A problem at `path`.
    pub fn new(path: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            message: message.into(),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.path.is_empty() {
            f.write_str(&self.message)
        } else {
            write!(f, "{}: {}", self.path, self.message)
        }
    }
}

/// All mistakes of one configuration file, in the order of the file. It is never empty.
///
/// `Display` gives one line for each: `path: message`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problems {
    first: Problem,
    rest: Vec<Problem>,
}

impl Problems {
    /// The problems of a list; none for an empty list.
    #[must_use]
    pub fn of(list: Vec<Problem>) -> Option<Self> {
        let mut list = list.into_iter();
        let first = list.next()?;
        Some(Self {
            first,
            rest: list.collect(),
        })
    }

    /// These problems and then more.
    #[must_use]
    pub fn and(mut self, more: impl IntoIterator<Item = Problem>) -> Self {
        self.rest.extend(more);
        self
    }

    /// Every problem, in order.
    pub fn iter(&self) -> impl Iterator<Item = &Problem> {
        std::iter::once(&self.first).chain(&self.rest)
    }
}

/// A file that gives no configuration.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{problems}")]
pub struct Rejected {
    /// Everything that is wrong with the file itself.
    pub problems: Problems,
    /// The guests that it names all the same: what they find wrong with their own parameters can
    /// be told together with the rest.
    pub guests: Vec<(GuestRole, GuestRef)>,
    /// What they work on.
    pub shape: Shape,
}

impl From<Problem> for Problems {
    fn from(first: Problem) -> Self {
        Self {
            first,
            rest: Vec::new(),
        }
    }
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.first)?;
        self.rest
            .iter()
            .try_for_each(|problem| write!(f, "\n{problem}"))
    }
}

impl std::error::Error for Problems {}
