//! The parameters.

use acequia_guest::ConfigError;
use acequia_json::parameters;
use serde_json::Value;

pub(crate) const METADATA: &str = "metadata";
pub(crate) const METADATA_DOC: &str = "`true`: every value ends with `_id`, `_read_timestamp` and \
     `_partition`. Default: false";

/// The parameters, checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Config {
    pub(crate) metadata: bool,
}

impl Config {
    pub(crate) fn parse(text: &str) -> Result<Self, Vec<ConfigError>> {
        let mut config = Self::default();
        parameters::read(text, |name, value| config.set(name, value))?;
        Ok(config)
    }

    fn set(&mut self, name: &str, value: &Value) -> Result<(), String> {
        if name != METADATA {
            return Err(format!("no such parameter; there is `{METADATA}`"));
        }
        let metadata = value.as_bool();
        self.metadata = metadata.ok_or_else(|| "must be `true` or `false`".to_owned())?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_parameters_a_value_has_the_columns_alone() {
        assert_eq!(Config::parse("{}"), Ok(Config { metadata: false }));
        let config = Config::parse(r#"{"metadata":true}"#);
        assert_eq!(config, Ok(Config { metadata: true }));
    }

    #[test]
    fn every_mistake_is_reported_with_what_would_be_right() {
        let errors = Config::parse(r#"{"metadata":"yes","granularity":"row"}"#)
            .unwrap_err()
            .into_iter()
            .map(|error| (error.path, error.message))
            .collect::<Vec<_>>();
        assert_eq!(
            errors,
            [
                ("granularity", "no such parameter; there is `metadata`"),
                ("metadata", "must be `true` or `false`"),
            ]
            .map(|(path, message)| (path.to_owned(), message.to_owned()))
        );
    }
}
