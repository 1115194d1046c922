//! Values that are one of several: a word, or a mapping with one member that names which.

use super::field::Field;
use super::report::{Read, Report};
use super::suggest;
use super::tree::Value;

/// One of several words.
pub(crate) fn word<T: Copy>(
    field: &Field<'_>,
    report: &mut Report,
    choices: &[(&str, T)],
) -> Read<T> {
    let known: Vec<_> = choices.iter().map(|(name, _)| *name).collect();
    let text = field.text(report, &format!("one of {}", known.join(", ")))?;
    match choices.iter().find(|(name, _)| *name == text) {
        Some((_, choice)) => Ok(*choice),
        None => Err(field.problem(report, suggest::unknown_word(text, &known))),
    }
}

/// A variant: `name` alone, or `{ name: … }`.
pub(crate) struct Variant<'a> {
    pub(crate) name: &'a str,
    pub(crate) content: Option<Field<'a>>,
}

/// Reads a variant of which `what` says the forms.
pub(crate) fn variant<'a>(field: &Field<'a>, report: &mut Report, what: &str) -> Read<Variant<'a>> {
    match &field.node.value {
        Value::Text(_) => Ok(Variant {
            name: field.text(report, what)?,
            content: None,
        }),
        Value::Map(entries) => match entries.as_slice() {
            [entry] => Ok(Variant {
                name: &entry.key,
                content: Some(field.member(entry)),
            }),
            [] => Err(field.problem(report, format!("is empty; write {what}"))),
            [first, second, ..] => {
                let message = format!(
                    "has both {} and {}; write one of them: {what}",
                    first.key, second.key
                );
                Err(field.problem(report, message))
            }
        },
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::List(_) => {
            Err(field.expected(report, what))
        }
    }
}
