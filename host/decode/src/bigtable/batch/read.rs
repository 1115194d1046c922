//! Entries out of a batch again.

use super::MutationBatch;
use crate::bigtable::{Entry, Input};

impl MutationBatch {
    /// The entries of a mutation, in its order. A mutation past the batch has none.
    pub fn entries_of(&self, mutation: usize) -> impl ExactSizeIterator<Item = Entry<'_>> {
        let end = |index: usize| self.entry_ends.get(index).map_or(0, |&end| end as usize);
        let places = mutation.checked_sub(1).map_or(0, end)..end(mutation);
        places.map(|place| self.entry_at(place))
    }

    fn entry_at(&self, place: usize) -> Entry<'_> {
        let number = |column: &[i64]| column.get(place).copied().unwrap_or_default();
        let family = self.family_at(place);
        let qualifier = self.qualifiers.get(place).unwrap_or_default();
        let value = self.values.get(place).unwrap_or_default();
        let timestamp_micros = number(&self.timestamps_micros);
        let input = match self.has_addend.get(place) {
            Some(1) => Input::Number(number(&self.addends)),
            Some(_) | None => Input::Bytes(value),
        };
        match self.entry_kinds.get(place) {
            Some(1) => Entry::DeleteCells {
                family,
                qualifier,
                range_start_micros: number(&self.range_starts_micros),
                range_end_micros: number(&self.range_ends_micros),
            },
            Some(2) => Entry::DeleteFamily { family },
            Some(3) => Entry::AddToCell {
                family,
                qualifier,
                timestamp_micros,
                input,
            },
            Some(4) => Entry::MergeToCell {
                family,
                qualifier,
                timestamp_micros,
                input,
            },
            Some(_) | None => Entry::SetCell {
                family,
                qualifier,
                timestamp_micros,
                value,
            },
        }
    }

    fn family_at(&self, place: usize) -> &str {
        let index = self.entry_families.get(place).map(|&index| index as usize);
        let name = index.and_then(|index| self.families.get(index));
        name.and_then(|name| std::str::from_utf8(name).ok())
            .unwrap_or_default()
    }
}
