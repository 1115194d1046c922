//! The parameters.

use acequia_guest::ConfigError;
use serde_json::{Map, Value};

pub(crate) const GRANULARITY: &str = "granularity";
pub(crate) const GRANULARITY_DOC: &str = "`mod`: one output per row change. `record`: one output \
     per change record, with all its rows in `mods`. Default: mod";
pub(crate) const COLUMN_TYPES: &str = "column-types";
pub(crate) const COLUMN_TYPES_DOC: &str =
    "`true`: every value ends with the table's columns as `column_types`. Default: false";

/// What one output stands for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Granularity {
    /// One row change.
    #[default]
    Mod,
    /// One change record.
    Record,
}

/// The parameters, checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Config {
    pub(crate) granularity: Granularity,
    pub(crate) column_types: bool,
}

impl Config {
    pub(crate) fn parse(text: &str) -> Result<Self, Vec<ConfigError>> {
        let members: Map<String, Value> = serde_json::from_str(text).map_err(|error| {
            vec![ConfigError::new(
                "",
                format!("the configuration is not a JSON object: {error}"),
            )]
        })?;
        let mut config = Self::default();
        let mut errors = Vec::new();
        for (name, value) in &members {
            if let Err(message) = config.set(name, value) {
                errors.push(ConfigError::new(name, message));
            }
        }
        if errors.is_empty() {
            Ok(config)
        } else {
            Err(errors)
        }
    }

    fn set(&mut self, name: &str, value: &Value) -> Result<(), String> {
        match name {
            GRANULARITY => self.granularity = granularity(value)?,
            COLUMN_TYPES => {
                self.column_types = value
                    .as_bool()
                    .ok_or_else(|| "must be `true` or `false`".to_owned())?;
            }
            _ => {
                return Err(format!(
                    "no such parameter; there are `{GRANULARITY}` and `{COLUMN_TYPES}`"
                ));
            }
        }
        Ok(())
    }
}

fn granularity(value: &Value) -> Result<Granularity, String> {
    match value.as_str() {
        Some("mod") => Ok(Granularity::Mod),
        Some("record") => Ok(Granularity::Record),
        Some(_) | None => Err("must be `mod` or `record`".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_parameters_every_row_change_is_one_output() {
        assert_eq!(Config::parse("{}"), Ok(Config::default()));
        assert_eq!(Config::default().granularity, Granularity::Mod);
        assert!(!Config::default().column_types);
    }

    #[test]
    fn both_parameters_are_taken() {
        assert_eq!(
            Config::parse(r#"{"granularity":"record","column-types":true}"#),
            Ok(Config {
                granularity: Granularity::Record,
                column_types: true,
            })
        );
    }

    #[test]
    fn all_mistakes_are_reported_at_once_each_with_its_path() {
        let errors = Config::parse(r#"{"granularity":"row","column-types":"yes","columns":1}"#)
            .unwrap_err()
            .into_iter()
            .map(|error| (error.path, error.message))
            .collect::<Vec<_>>();
        assert_eq!(
            errors,
            [
                ("column-types", "must be `true` or `false`"),
                (
                    "columns",
                    "no such parameter; there are `granularity` and `column-types`"
                ),
                ("granularity", "must be `mod` or `record`"),
            ]
            .map(|(path, message)| (path.to_owned(), message.to_owned()))
        );
    }

    #[test]
    fn a_configuration_that_is_no_object_is_an_error_of_the_whole() {
        for text in ["", "[]", "null", "{"] {
            let errors = Config::parse(text).unwrap_err();
            assert_eq!(errors.len(), 1, "{text}");
            assert_eq!(errors[0].path, "", "{text}");
        }
    }
}
