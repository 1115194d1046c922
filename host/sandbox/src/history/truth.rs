//! The ground truth: what a reader must have delivered when it has read everything.

use jiff::Timestamp;

use super::change::{Entry, ModType, Partition, Row};

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

/// RFC 3339 in UTC with 0, 3, 6 or 9 digits of the second's fraction, as Google's services write it.
///
/// Source: `google/protobuf/timestamp.proto`, JSON mapping.
#[must_use]
pub fn rfc3339(instant: Timestamp) -> String {
    let nanos = instant.subsec_nanosecond();
    let digits = if nanos == 0 {
        0
    } else if nanos % 1_000_000 == 0 {
        3
    } else if nanos % 1_000 == 0 {
        6
    } else {
        9
    };
    format!("{instant:.digits$}")
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

#[cfg(test)]
mod tests {
    use super::rfc3339;

    #[test]
    fn an_instant_is_written_with_whole_groups_of_three_digits() {
        for text in [
            "2026-01-01T00:00:00Z",
            "2026-01-01T00:00:00.500Z",
            "2026-01-01T00:00:00.000250Z",
            "2026-01-01T00:00:00.000000001Z",
        ] {
            assert_eq!(rfc3339(text.parse().unwrap()), text);
        }
    }
}
