//! Texts that are JSON, as JSON.
//!
//! An object stands in a line as itself, so that it can be read and edited. That keeps its text as
//! long as it has one line and no white space around it; any other text stands there as a JSON
//! string, which no object is.

use std::borrow::Cow;

use serde_json::value::{RawValue, to_raw_value};

use super::format::Json;

/// The JSON value that stands for a text: the text itself for an object of one line or a null, else
/// a string.
pub(super) fn json_of(text: &str) -> Result<Json<'_>, serde_json::Error> {
    let is_object = text.starts_with('{') && text.ends_with('}') && !text.contains(['\n', '\r']);
    if (is_object || text == "null")
        && let Ok(raw) = serde_json::from_str::<&RawValue>(text)
    {
        return Ok(Cow::Borrowed(raw));
    }
    to_raw_value(text).map(Cow::Owned)
}

/// The text that a JSON value stands for.
pub(super) fn text_of<'a>(json: &'a Json<'_>) -> Result<Cow<'a, str>, serde_json::Error> {
    let text = json.get();
    if text.starts_with('"') {
        serde_json::from_str(text).map(Cow::Owned)
    } else {
        Ok(Cow::Borrowed(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_of_one_line_stands_there_as_it_is() {
        for text in [r#"{"b": 1,"a":[ null ]}"#, "{}", "null"] {
            assert_eq!(json_of(text).unwrap().get(), text);
            assert_eq!(text_of(&json_of(text).unwrap()).unwrap(), text);
        }
    }

    #[test]
    fn any_other_text_comes_back_from_a_string() {
        for text in [
            "", " {}", "{}\n", "{\n}", "{", "\"a\"", "1", "NULL", "\u{2028}",
        ] {
            let json = json_of(text).unwrap();
            assert!(
                json.get().starts_with('"') && !json.get().contains('\n'),
                "{text}"
            );
            assert_eq!(text_of(&json).unwrap(), text);
        }
    }
}
