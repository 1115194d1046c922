//! The parameters.

use acequia_guest::ConfigError;
use acequia_json::parameters;
use serde_json::Value;

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
        let mut config = Self::default();
        parameters::read(text, |name, value| config.set(name, value))?;
        Ok(config)
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
}
