//! The smallest watermark of all unfinished partitions.

use std::collections::BTreeMap;

use jiff::Timestamp;

/// A multiset with a cheap minimum.
#[derive(Debug, Default)]
pub(crate) struct Watermarks(BTreeMap<Timestamp, usize>);

impl Watermarks {
    pub(crate) fn insert(&mut self, watermark: Timestamp) {
        let count = self.0.entry(watermark).or_insert(0);
        *count = count.saturating_add(1);
    }

    pub(crate) fn remove(&mut self, watermark: Timestamp) {
        if let Some(count) = self.0.get_mut(&watermark) {
            *count = count.saturating_sub(1);
            if *count == 0 {
                self.0.remove(&watermark);
            }
        }
    }

    pub(crate) fn min(&self) -> Option<Timestamp> {
        self.0.first_key_value().map(|(watermark, _)| *watermark)
    }

    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }
}
