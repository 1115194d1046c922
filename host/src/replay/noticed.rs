//! What a run would do with the values of a deserializer, beyond what their lines show.

use memchr::memchr;

use crate::guest::{About, RecordIds};

/// What was noticed while values came out.
pub(super) struct Noticed {
    /// None of a component that declares no ids.
    ids: Option<RecordIds>,
    values: usize,
    of_several_lines: usize,
}

impl Noticed {
    pub(super) fn of(about: &About) -> Self {
        Self {
            ids: RecordIds::of(about),
            values: 0,
            of_several_lines: 0,
        }
    }

    /// Looks at a value; `id` is that of the record or the control record that it came from.
    pub(super) fn look(&mut self, id: &str, value: &[u8]) {
        self.values += 1;
        self.of_several_lines += usize::from(memchr(b'\n', value).is_some());
        if let Some(ids) = &mut self.ids {
            ids.look(id, value);
        }
    }

    /// What its author should know.
    pub(super) fn warnings(&self) -> Vec<String> {
        let Self {
            ids,
            values,
            of_several_lines,
        } = self;
        let lines = (*of_several_lines > 0).then(|| {
            format!(
                "{of_several_lines} of {values} values hold a line break: the file and stdout sinks \
                 write one value a line and refuse them"
            )
        });
        let without_id = ids
            .as_ref()
            .and_then(RecordIds::complaint)
            .map(|complaint| {
                format!("{complaint}; write it there, or declare no place for it (with_record_id)")
            });
        lines.into_iter().chain(without_id).collect()
    }
}
