//! Reading the parameters of a component.

use acequia_guest::ConfigError;
use serde_json::{Map, Value};

/// Hands each member of a JSON object to `set`, which takes it or says what is wrong with it.
///
/// # Errors
///
/// All that is wrong, at once: each with the member's name, or one of the whole.
pub fn read(
    text: &str,
    mut set: impl FnMut(&str, &Value) -> Result<(), String>,
) -> Result<(), Vec<ConfigError>> {
    let members: Map<String, Value> = serde_json::from_str(text).map_err(|error| {
        vec![ConfigError::new(
            "",
            format!("the configuration is not a JSON object: {error}"),
        )]
    })?;
    let wrong = members.iter().filter_map(|(name, value)| {
        let message = set(name, value).err()?;
        Some(ConfigError::new(name, message))
    });
    let errors: Vec<ConfigError> = wrong.collect();
    if errors.is_empty() {
        Ok(())
    } else {
        Err(errors)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrong(text: &str) -> Vec<(String, String)> {
        let errors = read(text, |name, value| match value.as_bool() {
            Some(_) => Ok(()),
            None => Err(format!("{name} is no truth")),
        });
        let pair = |error: ConfigError| (error.path, error.message);
        errors.err().into_iter().flatten().map(pair).collect()
    }

    #[test]
    fn all_mistakes_are_reported_at_once_each_with_its_path() {
        let told = |name: &str| (name.to_owned(), format!("{name} is no truth"));
        assert_eq!(wrong(r#"{"a":1,"b":true,"c":{}}"#), [told("a"), told("c")]);
        assert_eq!(wrong(r#"{"a":true}"#), []);
    }

    #[test]
    fn a_configuration_that_is_no_object_is_an_error_of_the_whole() {
        for text in ["", "[]", "null", "{"] {
            let wrong = wrong(text);
            assert_eq!(wrong.len(), 1, "{text}");
            assert_eq!(wrong[0].0, "", "{text}");
        }
    }
}
