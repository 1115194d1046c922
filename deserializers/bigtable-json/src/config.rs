//! The parameters.

use acequia_guest::ConfigError;
use acequia_json::parameters;
use serde_json::Value;

use crate::encoding::Encoding;

pub(crate) const GRANULARITY: &str = "granularity";
pub(crate) const GRANULARITY_DOC: &str = "`mutation`: one output per row mutation, with all its \
     entries in `entries`. `entry`: one output per entry. Default: mutation";
pub(crate) const ENCODING: &str = "encoding";
pub(crate) const ENCODING_DOC: &str = "how row keys, qualifiers and values are shown. `base64`: \
     standard Base64 with padding. `utf8`: as texts; bytes that are not UTF-8 become \
     `{\"base64\":\"…\"}`. Default: base64";

/// What one output stands for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Granularity {
    /// One row mutation.
    #[default]
    Mutation,
    /// One entry of a row mutation.
    Entry,
}

/// The parameters, checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Config {
    pub(crate) granularity: Granularity,
    pub(crate) encoding: Encoding,
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
            ENCODING => self.encoding = encoding(value)?,
            _ => {
                return Err(format!(
                    "no such parameter; there are `{GRANULARITY}` and `{ENCODING}`"
                ));
            }
        }
        Ok(())
    }
}

fn granularity(value: &Value) -> Result<Granularity, String> {
    match value.as_str() {
        Some("mutation") => Ok(Granularity::Mutation),
        Some("entry") => Ok(Granularity::Entry),
        Some(_) | None => Err("must be `mutation` or `entry`".to_owned()),
    }
}

fn encoding(value: &Value) -> Result<Encoding, String> {
    match value.as_str() {
        Some("base64") => Ok(Encoding::Base64),
        Some("utf8") => Ok(Encoding::Utf8),
        Some(_) | None => Err("must be `base64` or `utf8`".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_parameters_every_mutation_is_one_output_in_base64() {
        assert_eq!(
            Config::parse("{}"),
            Ok(Config {
                granularity: Granularity::Mutation,
                encoding: Encoding::Base64,
            })
        );
    }

    #[test]
    fn both_parameters_are_taken() {
        assert_eq!(
            Config::parse(r#"{"granularity":"entry","encoding":"utf8"}"#),
            Ok(Config {
                granularity: Granularity::Entry,
                encoding: Encoding::Utf8,
            })
        );
    }

    #[test]
    fn every_mistake_is_reported_with_what_would_be_right() {
        let errors = Config::parse(r#"{"granularity":"mod","encoding":8,"column-types":true}"#)
            .unwrap_err()
            .into_iter()
            .map(|error| (error.path, error.message))
            .collect::<Vec<_>>();
        assert_eq!(
            errors,
            [
                (
                    "column-types",
                    "no such parameter; there are `granularity` and `encoding`"
                ),
                ("encoding", "must be `base64` or `utf8`"),
                ("granularity", "must be `mutation` or `entry`"),
            ]
            .map(|(path, message)| (path.to_owned(), message.to_owned()))
        );
    }
}
