//! Whether values hold the id of what they came from where their component says.

use std::fmt;

use serde_json::Value;

use super::about::About;

/// The ids that the values of a component should hold, and those that were missed so far.
#[derive(Clone, Debug)]
pub(crate) struct RecordIds {
    pointer: String,
    values: usize,
    missed: usize,
    /// Why the first that was missed is not there.
    first: Option<Miss>,
}

/// What stands where an id should. It is not told: it may be a row value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Miss {
    NotJson,
    Nothing,
    SomethingElse,
}

impl fmt::Display for Miss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotJson => "the first of them is not JSON",
            Self::Nothing => "the first of them has nothing there",
            Self::SomethingElse => "the first of them has something else there",
        })
    }
}

impl RecordIds {
    /// None of a component that declares no place for ids.
    pub(crate) fn of(about: &About) -> Option<Self> {
        Some(Self {
            pointer: about.record_id.clone()?,
            values: 0,
            missed: 0,
            first: None,
        })
    }

    /// Looks for the id of the record or gap that a value came from. Of several values of one record
    /// each may have something of its own after the id, such as `/0` or `#1`.
    pub(crate) fn look(&mut self, id: &str, value: &[u8]) {
        self.values += 1;
        if let Some(miss) = self.miss(id, value) {
            self.missed += 1;
            self.first.get_or_insert(miss);
        }
    }

    fn miss(&self, id: &str, value: &[u8]) -> Option<Miss> {
        let Ok(value) = serde_json::from_slice::<Value>(value) else {
            return Some(Miss::NotJson);
        };
        let Some(there) = value.pointer(&self.pointer) else {
            return Some(Miss::Nothing);
        };
        let rest = there.as_str().and_then(|there| there.strip_prefix(id));
        let is_id = rest.is_some_and(|rest| !rest.starts_with(char::is_alphanumeric));
        (!is_id).then_some(Miss::SomethingElse)
    }

    /// The declared place.
    pub(crate) fn pointer(&self) -> &str {
        &self.pointer
    }

    /// What to tell of values without their id; none where each had it.
    pub(crate) fn complaint(&self) -> Option<String> {
        let Self {
            pointer,
            values,
            missed,
            first,
        } = self;
        let first = first.as_ref()?;
        Some(format!(
            "{missed} of {values} values do not hold the id of their record at {pointer}, where the \
             component says that it is: {first}"
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "2026-01-31T12:00:00Z/tx1/00000000";

    fn ids() -> RecordIds {
        RecordIds {
            pointer: "/meta/id".to_owned(),
            values: 0,
            missed: 0,
            first: None,
        }
    }

    fn miss(value: &str) -> Option<Miss> {
        ids().miss(ID, value.as_bytes())
    }

    #[test]
    fn the_id_of_a_record_or_of_a_part_of_it_is_found() {
        assert_eq!(miss(&format!(r#"{{"meta":{{"id":"{ID}"}}}}"#)), None);
        assert_eq!(miss(&format!(r#"{{"meta":{{"id":"{ID}/3"}}}}"#)), None);
    }

    #[test]
    fn a_value_without_its_id_is_missed_for_a_reason() {
        assert_eq!(miss("7,Ada"), Some(Miss::NotJson));
        assert_eq!(miss(r#"{"id":"x"}"#), Some(Miss::Nothing));
        let longer = format!(r#"{{"meta":{{"id":"{ID}1"}}}}"#);
        assert_eq!(miss(&longer), Some(Miss::SomethingElse));
        assert_eq!(miss(r#"{"meta":{"id":7}}"#), Some(Miss::SomethingElse));
    }

    #[test]
    fn missed_ids_are_counted_and_the_first_one_is_told() {
        let mut ids = ids();
        ids.look(ID, format!(r#"{{"meta":{{"id":"{ID}"}}}}"#).as_bytes());
        assert_eq!(ids.complaint(), None);
        ids.look(ID, b"Ada");
        ids.look(ID, b"{}");
        let told = ids.complaint().unwrap();
        assert!(
            told.starts_with("2 of 3 values") && told.ends_with("not JSON"),
            "{told}"
        );
    }
}
