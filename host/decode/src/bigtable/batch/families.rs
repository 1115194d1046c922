//! Where the families of a batch are.

use std::collections::BTreeMap;

use crate::Texts;

/// Finds a name among the families of a batch again.
#[derive(Clone, Debug, Default)]
pub(crate) struct Dictionary {
    indices: BTreeMap<String, u32>,
    /// The family of the entry before.
    last: u32,
}

impl Dictionary {
    /// The index of a name, which is added if it is new.
    pub(super) fn index(&mut self, family: &str, names: &mut Texts) -> u32 {
        if names.get(self.last as usize) == Some(family.as_bytes()) {
            return self.last;
        }
        let known = self.indices.get(family).copied();
        self.last = known.unwrap_or_else(|| {
            // A batch has no more families than entries, whose count is a u32 by the limit on its
            // bytes.
            let index = u32::try_from(names.len()).unwrap_or(u32::MAX);
            names.push(family.as_bytes());
            self.indices.insert(family.to_owned(), index);
            index
        });
        self.last
    }

    /// Keeps the first `len` names.
    pub(super) fn truncate(&mut self, len: usize) {
        if len < self.indices.len() {
            self.indices.retain(|_, index| (*index as usize) < len);
        }
    }
}
