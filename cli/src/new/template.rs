//! The files of the template with the name of the crate in them.

use super::crate_name::CrateName;
use super::embedded::Template;
use super::sdk;

/// What stands for the crate's name in the template.
const NAME: &str = "{{name}}";
/// What stands for the name of its module.
const MODULE: &str = "{{module}}";

/// The files of a new crate, by their paths in it, without the copy of the SDK.
pub(super) fn files(template: Template, name: &CrateName) -> Vec<(String, String)> {
    let filled = template.iter().map(|(path, text)| {
        let text = text
            .replace(NAME, name.as_str())
            .replace(MODULE, &name.module());
        ((*path).to_owned(), text)
    });
    filled
        .chain([("Cargo.lock".to_owned(), sdk::lock(name))])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::embedded::{BIGTABLE_DESERIALIZER, ROWS_DESERIALIZER, SPANNER_DESERIALIZER};
    use super::*;

    #[test]
    fn nothing_is_left_to_fill_in() {
        let name = CrateName::parse("flat-rows", &[]).unwrap();
        for template in [
            SPANNER_DESERIALIZER,
            BIGTABLE_DESERIALIZER,
            ROWS_DESERIALIZER,
        ] {
            for (path, text) in files(template, &name) {
                assert!(!text.contains("{{"), "{path}");
            }
        }
    }
}
