//! Why a pattern cannot be used, and why a match has no answer.

use super::limits;

/// A pattern that is not used, with the place.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("pattern `{pattern}` cannot be used: at character {at}: {reason}")]
pub struct PatternError {
    /// The pattern as it was written.
    pub pattern: String,
    /// Where, in characters from 0.
    pub at: usize,
    /// What stands in the way.
    pub reason: Reason,
}

/// What stands in the way of a pattern.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    /// Java does not take the pattern either.
    #[error("{0}")]
    Malformed(String),
    /// Java takes the pattern; this filter does not, rather than match something else.
    #[error("{0} is not supported")]
    Unsupported(String),
    /// The pattern is past one of [`limits`].
    #[error("{0}")]
    TooLarge(String),
}

impl Reason {
    /// True if Java takes the pattern and this filter does not.
    pub fn is_refusal(&self) -> bool {
        match self {
            Self::Unsupported(_) | Self::TooLarge(_) => true,
            Self::Malformed(_) => false,
        }
    }
}

/// A match that was given up: neither a yes nor a no.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MatchError {
    /// The match is past a limit.
    #[error(
        "pattern `{pattern}` ran into its limit of {} steps; write it without nested repetitions",
        limits::MATCH_STEPS_MAX
    )]
    StepLimit {
        /// The pattern as it was written.
        pattern: String,
    },
    /// Java measures a look-behind in halves of such a character.
    #[error(
        "pattern `{pattern}` looks behind, which is not supported for a name with a character past \
         U+FFFF; write it without the look-behind"
    )]
    LookBehind {
        /// The pattern as it was written.
        pattern: String,
    },
}

/// A reason at a place of the pattern, before the pattern's text joins it.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) at: usize,
    pub(super) reason: Reason,
}

impl Fault {
    pub(super) fn malformed(at: usize, message: impl Into<String>) -> Self {
        Self {
            at,
            reason: Reason::Malformed(message.into()),
        }
    }

    pub(super) fn unsupported(at: usize, what: impl Into<String>) -> Self {
        Self {
            at,
            reason: Reason::Unsupported(what.into()),
        }
    }

    pub(super) fn too_large(at: usize, message: impl Into<String>) -> Self {
        Self {
            at,
            reason: Reason::TooLarge(message.into()),
        }
    }

    /// For what this filter takes for malformed and Java may not.
    pub(super) fn into_refusal(self, under: &str) -> Self {
        match self.reason {
            Reason::Malformed(what) => {
                Self::unsupported(self.at, format!("{what}; this under {under}"))
            }
            Reason::Unsupported(_) | Reason::TooLarge(_) => self,
        }
    }
}
