//! Which WebAssembly component to use, and how it is configured.

use std::path::PathBuf;

use super::Problem;

/// A component that the configuration names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GuestRef {
    /// Where its bytes come from.
    pub origin: Origin,
    /// The SHA-256 digest that its bytes must have. Default: none, any bytes will do.
    pub sha256: Option<[u8; 32]>,
    /// The JSON object that its `configure` takes. Default: `{}`.
    pub config: serde_json::Value,
    /// Where that object stands in the file, for the errors that `configure` answers with.
    pub config_path: String,
}

impl GuestRef {
    /// A built-in component without a configuration of its own.
    #[must_use]
    pub fn builtin(name: &str, config_path: impl Into<String>) -> Self {
        Self {
            origin: Origin::Builtin(name.to_owned()),
            sha256: None,
            config: serde_json::json!({}),
            config_path: config_path.into(),
        }
    }

    /// One error of the component's `configure` as a problem of the file.
    #[must_use]
    pub fn problem(&self, member: &str, message: &str) -> Problem {
        let path = match member {
            "" => self.config_path.clone(),
            index if index.starts_with('[') => format!("{}{index}", self.config_path),
            name => format!("{}.{name}", self.config_path),
        };
        Problem::new(path, message)
    }
}

/// Where the bytes of a component come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// A component inside this binary, by name.
    Builtin(String),
    /// A file: a component or a core module. A relative path is already joined with the directory
    /// of the configuration file.
    Path(PathBuf),
}
