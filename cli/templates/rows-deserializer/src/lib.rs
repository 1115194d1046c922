//! An Acequia deserializer: one line per row, its values in the order of the columns, with tabs
//! between them.
//!
//! ```text
//! 7<tab>Ada<tab>1.5
//! ```
//!
//! A null is empty, and a text is written as it is; one that holds a tab, a line break or anything
//! else that JSON escapes fails its row. The key of an output is the primary key of the row.

#![forbid(unsafe_code)]

#[cfg(test)]
mod tests;

use acequia_guest::rows::{Cell, Deserializer, Row};
use acequia_guest::{
    ConfigError, Control, ControlOutput, Description, Failure, Output, export_rows_deserializer,
};

/// The deserializer. It takes no parameters.
struct Lines;

impl Deserializer for Lines {
    fn describe() -> Description {
        // Values hold no id. One that writes them says where with `with_record_id`.
        Description::new(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"))
    }

    fn configure(config: &str) -> Result<Self, Vec<ConfigError>> {
        if config == "{}" {
            Ok(Self)
        } else {
            Err(vec![ConfigError::new("", "there are no parameters")])
        }
    }

    fn deserialize(&self, row: &Row<'_>, out: &mut Output) -> Result<(), Failure> {
        let mut line = String::new();
        for cell in row.cells() {
            if cell.index > 0 {
                line.push('\t');
            }
            line.push_str(shown(&cell)?);
        }
        out.push(row.key().unwrap_or_default(), line);
        Ok(())
    }

    fn control(&self, _event: &Control) -> Vec<ControlOutput> {
        // What happened to the reading itself has no columns, and so no line.
        Vec::new()
    }
}

/// Integers, decimals, instants and bytes are texts in JSON; numbers, lists and objects are not, and
/// stand as they are.
fn shown<'a>(cell: &Cell<'a>) -> Result<&'a str, Failure> {
    if cell.json == "null" {
        return Ok("");
    }
    let text = cell
        .json
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'));
    match text {
        Some(text) if text.contains('\\') => Err(Failure::unsupported(format!(
            "a value of the column `{}` needs escapes",
            cell.name
        ))),
        Some(text) => Ok(text),
        None => Ok(cell.json),
    }
}

export_rows_deserializer!(Lines);
