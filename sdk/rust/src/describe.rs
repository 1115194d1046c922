//! Short ways to the descriptions and errors of the contract.

use crate::{ConfigError, Description, Parameter};

impl Description {
    /// A component without parameters whose values hold no id.
    #[must_use]
    pub fn new(name: &str, version: &str) -> Self {
        Self {
            name: name.to_owned(),
            version: version.to_owned(),
            parameters: Vec::new(),
            record_id: None,
        }
    }

    /// Adds a parameter. `doc` says what it does, which values it takes, and its default.
    #[must_use]
    pub fn with_parameter(mut self, name: &str, doc: &str) -> Self {
        self.parameters.push(Parameter {
            name: name.to_owned(),
            doc: doc.to_owned(),
        });
        self
    }

    /// Says at which JSON pointer a value holds the id of its input.
    #[must_use]
    pub fn with_record_id(mut self, pointer: &str) -> Self {
        self.record_id = Some(pointer.to_owned());
        self
    }
}

impl ConfigError {
    /// One thing wrong at a path such as `granularity`; an empty path is the whole configuration.
    #[must_use]
    pub fn new(path: &str, message: impl Into<String>) -> Self {
        Self {
            path: path.to_owned(),
            message: message.into(),
        }
    }
}
