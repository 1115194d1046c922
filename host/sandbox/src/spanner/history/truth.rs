//! The ground truth: what a reader must have delivered when it has read everything.

use jiff::Timestamp;

use super::change::{Entry, ModType, Partition, Row};
use crate::clock::rfc3339;

/// One committed row change.
#[derive(Clone, Debug, PartialEq)]
pub struct Committed {
    /// When it was committed.
    pub commit_timestamp: Timestamp,
    /// By which transaction.
    pub transaction: String,
    /// The sequence of its record.
    pub sequence: String,
    /// Its place in the record's mods.
    pub mod_index: usize,
    /// The row's table.
    pub table: String,
    /// What happened to the row.
    pub mod_type: ModType,
    /// The row's primary key.
    pub keys: Row,
    /// The partition that reports it.
    pub token: String,
}

impl Committed {
    /// Commit timestamp, transaction, sequence and mod index, with `/` between them.
    #[must_use]
    pub fn id(&self) -> String {
        let at = rfc3339(self.commit_timestamp);
        format!(
            "{at}/{}/{}/{}",
            self.transaction, self.sequence, self.mod_index
        )
    }
}

pub(crate) fn committed<'a>(partitions: impl IntoIterator<Item = &'a Partition>) -> Vec<Committed> {
    let mut all: Vec<Committed> = partitions
        .into_iter()
        .flat_map(|partition| {
            let entries = partition.entries.iter();
            entries.flat_map(|entry| of_entry(&partition.token, entry))
        })
        .collect();
    let order = |c: &Committed| {
        (
            c.commit_timestamp,
            c.transaction.clone(),
            c.sequence.clone(),
            c.mod_index,
        )
    };
    all.sort_by_cached_key(order);
    all
}

fn of_entry(token: &str, entry: &Entry) -> Vec<Committed> {
    let Entry::Change(change) = entry else {
        return Vec::new();
    };
    let committed = change
        .mods
        .iter()
        .enumerate()
        .map(|(mod_index, row)| Committed {
            commit_timestamp: change.commit_timestamp,
            transaction: change.server_transaction_id.clone(),
            sequence: change.record_sequence.clone(),
            mod_index,
            table: change.table_name.clone(),
            mod_type: change.mod_type.clone(),
            keys: row.keys.clone(),
            token: token.to_owned(),
        });
    committed.collect()
}
