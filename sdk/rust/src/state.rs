//! What a guest made of its configuration.

use core::cell::OnceCell;

use crate::ConfigError;

/// What a call says that comes before `configure`.
pub(crate) const NOT_CONFIGURED: &str = "the component was called before it was configured";

/// The configured guest of an instance. An instance is configured once and has one thread.
pub struct State<T>(OnceCell<T>);

impl<T> State<T> {
    /// Nothing is configured.
    #[must_use]
    pub const fn new() -> Self {
        Self(OnceCell::new())
    }

    /// Keeps the configured guest.
    ///
    /// # Errors
    ///
    /// What is wrong with the configuration, or that there is one already.
    pub fn set(&self, configured: Result<T, Vec<ConfigError>>) -> Result<(), Vec<ConfigError>> {
        self.0.set(configured?).map_err(|_| {
            vec![ConfigError::new(
                "",
                "the instance is configured; a new configuration needs a new instance",
            )]
        })
    }

    /// The configured guest, if there is one.
    pub fn get(&self) -> Option<&T> {
        self.0.get()
    }

    /// The configured guest.
    ///
    /// # Errors
    ///
    /// A message for the operator, if there is none.
    pub fn configured(&self) -> Result<&T, String> {
        self.get().ok_or_else(|| NOT_CONFIGURED.to_owned())
    }
}

impl<T> Default for State<T> {
    fn default() -> Self {
        Self::new()
    }
}
