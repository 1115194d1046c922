//! The rules that must always hold, by number.

/// A rule that does not hold.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{rule}: {what}")]
pub struct Violation {
    /// The number, as `INV-3`.
    pub rule: &'static str,
    /// What was seen.
    pub what: String,
}
