//! Why there is no figure.

use std::error::Error;

/// A part of the bench that failed: which, and why. There is nothing to try again.
#[derive(Debug, thiserror::Error)]
#[error("{what}: {why}")]
pub struct Failed {
    what: &'static str,
    why: String,
}

impl Failed {
    pub(crate) fn new(what: &'static str, why: impl Into<String>) -> Self {
        Self {
            what,
            why: why.into(),
        }
    }
}

/// Says which part an error belongs to.
pub(crate) trait Of<T> {
    /// The error as that of a part.
    fn of(self, what: &'static str) -> Result<T, Failed>;
}

impl<T, E: Error> Of<T> for Result<T, E> {
    fn of(self, what: &'static str) -> Result<T, Failed> {
        self.map_err(|error| {
            let mut why = error.to_string();
            let mut cause = error.source();
            while let Some(error) = cause {
                why.push_str(": ");
                why.push_str(&error.to_string());
                cause = error.source();
            }
            Failed::new(what, why)
        })
    }
}
