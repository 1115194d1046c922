//! One value of the file together with its path.

use super::report::{Read, Report, Reported};
use super::tree::{Entry, Node, Value};

/// A value and its path, such as `spanner-change-stream.heartbeat-interval`.
pub(crate) struct Field<'a> {
    pub(crate) node: &'a Node,
    pub(crate) path: String,
}

impl<'a> Field<'a> {
    pub(crate) fn new(node: &'a Node, path: impl Into<String>) -> Self {
        let path = path.into();
        Self { node, path }
    }

    /// Notes that something is wrong with this value.
    pub(crate) fn problem(&self, report: &mut Report, message: impl Into<String>) -> Reported {
        report.problem(self.node.place, &self.path, message)
    }

    /// Notes that something else was expected here, such as `a duration, such as 2s`.
    pub(crate) fn expected(&self, report: &mut Report, what: &str) -> Reported {
        let message = match self.node.value {
            Value::Null => format!(
                "has no value; write {what}, or leave the line out if the option has a default"
            ),
            Value::Bool(_) | Value::Number(_) | Value::Text(_) | Value::List(_) | Value::Map(_) => {
                format!("expected {what}, found {}", self.node.value.kind())
            }
        };
        self.problem(report, message)
    }

    /// A text. Every text of the file comes through here or through `json`, so that a placeholder
    /// that nobody fills in is never taken literally.
    pub(crate) fn text(&self, report: &mut Report, what: &str) -> Read<&'a str> {
        match &self.node.value {
            Value::Text(text) if text.contains("${{") => Err(self.placeholder(report)),
            Value::Text(text) => Ok(text),
            Value::Bool(_) | Value::Number(_) if what.starts_with("a text") => {
                let kind = self.node.value.kind();
                let message = format!("expected {what}, found {kind}; put it in quotes");
                Err(self.problem(report, message))
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::List(_) | Value::Map(_) => {
                Err(self.expected(report, what))
            }
        }
    }

    /// The elements of a list.
    pub(crate) fn list(&self, report: &mut Report, what: &str) -> Read<Vec<Field<'a>>> {
        match &self.node.value {
            Value::List(list) => Ok(list
                .iter()
                .enumerate()
                .map(|(index, node)| Field::new(node, format!("{}[{index}]", self.path)))
                .collect()),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Text(_) | Value::Map(_) => {
                Err(self.expected(report, what))
            }
        }
    }

    /// The members of a mapping.
    pub(crate) fn entries(&self, report: &mut Report, what: &str) -> Read<&'a [Entry]> {
        match &self.node.value {
            Value::Map(entries) => Ok(entries),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Text(_) | Value::List(_) => {
                Err(self.expected(report, what))
            }
        }
    }

    /// A member of this mapping.
    pub(crate) fn member(&self, entry: &'a Entry) -> Self {
        Self::new(&entry.value, join(&self.path, &entry.key))
    }

    /// Any value, as JSON.
    pub(crate) fn json(&self, report: &mut Report) -> Read<serde_json::Value> {
        match &self.node.value {
            Value::Null => Ok(serde_json::Value::Null),
            Value::Bool(value) => Ok((*value).into()),
            Value::Number(number) => Ok(number.clone().into()),
            Value::Text(_) => self.text(report, "a text").map(Into::into),
            Value::List(_) => {
                let list = self.list(report, "a list")?;
                let values: Vec<_> = list.iter().map(|field| field.json(report)).collect();
                values.into_iter().collect()
            }
            Value::Map(entries) => self.json_object(entries, report),
        }
    }

    fn json_object(&self, entries: &'a [Entry], report: &mut Report) -> Read<serde_json::Value> {
        let mut object = serde_json::Map::new();
        let mut outcome = Ok(());
        for entry in entries {
            let member = self.member(entry);
            if object.contains_key(&entry.key) {
                outcome = Err(report.problem(entry.place, &member.path, "is given twice"));
            }
            match member.json(report) {
                Ok(value) => drop(object.insert(entry.key.clone(), value)),
                Err(reported) => outcome = Err(reported),
            }
        }
        outcome.map(|()| object.into())
    }

    fn placeholder(&self, report: &mut Report) -> Reported {
        self.problem(
            report,
            "holds a ${{ }} placeholder, which this version does not fill in; \
             write the value itself, or name a file that holds it",
        )
    }
}

/// The path of a member.
pub(crate) fn join(path: &str, member: &str) -> String {
    if path.is_empty() {
        member.to_owned()
    } else {
        format!("{path}.{member}")
    }
}
