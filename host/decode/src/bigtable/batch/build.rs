//! How a mutation comes into a batch: whole, or not at all.

use std::io::Write as _;

use base64::display::Base64Display;
use base64::engine::general_purpose::STANDARD;
use jiff::Timestamp;

use super::MutationBatch;
use crate::Malformed;
use crate::bigtable::{Entry, Input};

/// Bytes of a batch before the last mutation that fits. The caller closes batches far below; this
/// and the next limit keep the ends of the columns, which are 32 bits, true.
const BATCH_BYTES_MAX: usize = 1 << 30;
/// Bytes of the columns of entries. An entry of a few bytes takes ten times as many in columns.
const ENTRIES_BYTES_MAX: usize = 2 << 30;

/// A mutation without its entries.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Mutation<'a> {
    /// The row key.
    pub row_key: &'a [u8],
    /// The cluster at which it was written; `None` for garbage collection.
    pub source_cluster_id: Option<&'a str>,
    /// The commit timestamp.
    pub commit: Timestamp,
    /// The larger one wins between two of one row with one commit timestamp.
    pub tie_breaker: i32,
    /// The estimated low watermark.
    pub low_watermark: Timestamp,
}

/// How far a batch was filled.
#[derive(Clone, Copy)]
pub(crate) struct Filled {
    entries: usize,
    families: usize,
}

/// The columns of one entry.
#[derive(Default)]
struct Row<'a> {
    timestamp_micros: i64,
    value: &'a [u8],
    addend: Option<i64>,
    range_start_micros: i64,
    range_end_micros: i64,
}

impl MutationBatch {
    /// Appends a mutation that is known already, from a recording say. Decoded ones take the same
    /// way, so that equal mutations have equal columns.
    ///
    /// # Errors
    /// The batch has no room for it. It is as it was.
    pub fn push<'a>(
        &mut self,
        mutation: &Mutation<'_>,
        entries: impl IntoIterator<Item = Entry<'a>>,
    ) -> Result<(), Malformed> {
        let before = self.begin()?;
        for entry in entries {
            if let Err(error) = self.open_entry(&entry) {
                self.rewind(before);
                return Err(error);
            }
            self.close_entry();
        }
        self.finish(mutation);
        Ok(())
    }

    /// Begins a mutation. What it gives takes the batch back to where it is.
    pub(crate) fn begin(&self) -> Result<Filled, Malformed> {
        if self.bytes() > BATCH_BYTES_MAX {
            return Err(Malformed::expected(
                "a batch that is taken before it reaches 1 GiB",
            ));
        }
        Ok(Filled {
            entries: self.entries(),
            families: self.families.len(),
        })
    }

    /// Appends an entry, whose value stays open for more.
    pub(crate) fn open_entry(&mut self, entry: &Entry<'_>) -> Result<(), Malformed> {
        let family = self.dictionary.index(entry.family(), &mut self.families);
        let row = Row::of(entry);
        self.entry_kinds.push(entry.kind() as u8);
        self.entry_families.push(family);
        self.qualifiers.push(entry.qualifier().unwrap_or_default());
        self.timestamps_micros.push(row.timestamp_micros);
        self.has_addend.push(u8::from(row.addend.is_some()));
        self.addends.push(row.addend.unwrap_or_default());
        self.range_starts_micros.push(row.range_start_micros);
        self.range_ends_micros.push(row.range_end_micros);
        self.extend_value(row.value)
    }

    /// Appends to the value of the open entry.
    pub(crate) fn extend_value(&mut self, piece: &[u8]) -> Result<(), Malformed> {
        if self.entry_bytes().saturating_add(piece.len()) > ENTRIES_BYTES_MAX {
            return Err(Malformed::expected(
                "a mutation that fits the columns of a batch, 2 GiB",
            ));
        }
        self.values.open().extend_from_slice(piece);
        Ok(())
    }

    /// Ends the open entry.
    pub(crate) fn close_entry(&mut self) {
        self.values.close();
    }

    /// Ends the mutation whose entries were appended.
    pub(crate) fn finish(&mut self, mutation: &Mutation<'_>) {
        let source_cluster_id = mutation.source_cluster_id.unwrap_or_default();
        self.push_id(mutation, source_cluster_id);
        self.row_keys.push(mutation.row_key);
        self.is_garbage_collection
            .push(u8::from(mutation.source_cluster_id.is_none()));
        self.source_cluster_ids.push(source_cluster_id.as_bytes());
        push_instant(self.commit_timestamps.open(), mutation.commit);
        self.commit_timestamps.close();
        self.commit_times.push(mutation.commit);
        self.tie_breakers.push(mutation.tie_breaker);
        push_instant(self.low_watermarks.open(), mutation.low_watermark);
        self.low_watermarks.close();
        let entries = u32::try_from(self.entry_kinds.len()).unwrap_or(u32::MAX);
        self.entry_ends.push(entries);
    }

    /// Takes the entries since `filled` out again.
    pub(crate) fn rewind(&mut self, filled: Filled) {
        self.truncate_entries(filled.entries);
        self.families.truncate(filled.families);
        self.dictionary.truncate(filled.families);
    }

    /// Writes `commit timestamp/tie breaker/source cluster/row key`.
    fn push_id(&mut self, mutation: &Mutation<'_>, source_cluster_id: &str) {
        let id = self.ids.open();
        push_instant(id, mutation.commit);
        let row_key = Base64Display::new(mutation.row_key, &STANDARD);
        let tie_breaker = mutation.tie_breaker;
        let written = write!(id, "/{tie_breaker}/{source_cluster_id}/{row_key}");
        debug_assert!(written.is_ok(), "a Vec takes every write");
        self.ids.close();
    }
}

/// Bigtable's instants are whole microseconds.
///
/// Source: google/bigtable/v2/bigtable.proto, `ReadChangeStreamRequest.start_time`.
fn push_instant(out: &mut Vec<u8>, at: Timestamp) {
    let written = write!(out, "{at:.6}");
    debug_assert!(written.is_ok(), "a Vec takes every write");
}

impl<'a> Row<'a> {
    fn of(entry: &Entry<'a>) -> Self {
        match *entry {
            Entry::SetCell {
                timestamp_micros,
                value,
                ..
            } => Self {
                timestamp_micros,
                value,
                ..Self::default()
            },
            Entry::DeleteCells {
                range_start_micros,
                range_end_micros,
                ..
            } => Self {
                range_start_micros,
                range_end_micros,
                ..Self::default()
            },
            Entry::DeleteFamily { .. } => Self::default(),
            Entry::AddToCell {
                timestamp_micros,
                input,
                ..
            }
            | Entry::MergeToCell {
                timestamp_micros,
                input,
                ..
            } => {
                let (addend, value) = match input {
                    Input::Number(number) => (Some(number), <&[u8]>::default()),
                    Input::Bytes(bytes) => (None, bytes),
                };
                Self {
                    timestamp_micros,
                    value,
                    addend,
                    ..Self::default()
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mutation<'a>(source_cluster_id: Option<&'a str>, row_key: &'a [u8]) -> Mutation<'a> {
        Mutation {
            row_key,
            source_cluster_id,
            commit: Timestamp::new(7, 120_000_000).unwrap(),
            tie_breaker: -3,
            low_watermark: Timestamp::new(6, 0).unwrap(),
        }
    }

    fn set<'a>(family: &'a str, qualifier: &'a [u8], value: &'a [u8]) -> Entry<'a> {
        Entry::SetCell {
            family,
            qualifier,
            timestamp_micros: 5_000,
            value,
        }
    }

    #[test]
    fn a_mutation_is_one_entry_of_each_column_and_its_entries_are_others() {
        let mut batch = MutationBatch::of_table("T");
        let entries = [
            set("f", b"q", b"\xff"),
            Entry::DeleteFamily { family: "g" },
            Entry::DeleteCells {
                family: "f",
                qualifier: b"",
                range_start_micros: 1,
                range_end_micros: 0,
            },
            Entry::AddToCell {
                family: "g",
                qualifier: b"sum",
                timestamp_micros: 9,
                input: Input::Number(-4),
            },
            Entry::MergeToCell {
                family: "g",
                qualifier: b"hll",
                timestamp_micros: 9,
                input: Input::Bytes(b"state"),
            },
        ];
        batch
            .push(&mutation(Some("c1"), b"\xfb\xff"), entries)
            .unwrap();
        batch.push(&mutation(None, b"row"), []).unwrap();
        let text = |texts: &crate::Texts, index| {
            String::from_utf8(texts.get(index).unwrap().to_vec()).unwrap()
        };
        assert_eq!(
            text(&batch.ids, 0),
            "1970-01-01T00:00:07.120000Z/-3/c1/+/8="
        );
        assert_eq!(text(&batch.ids, 1), "1970-01-01T00:00:07.120000Z/-3//cm93");
        assert_eq!(
            text(&batch.low_watermarks, 0),
            "1970-01-01T00:00:06.000000Z"
        );
        assert_eq!(batch.commit_times.nanos, [120_000_000, 120_000_000]);
        assert_eq!(batch.is_garbage_collection, [0, 1]);
        assert_eq!(batch.entry_ends, [5, 5]);
        let read = |mutation| batch.entries_of(mutation).collect::<Vec<_>>();
        assert!(read(0) == entries && read(1).is_empty() && read(2).is_empty());
        assert_eq!(batch.families.bytes(), b"fg");
        assert_eq!(batch.entry_families, [0, 1, 0, 1, 1]);
        assert_eq!(batch.entry_kinds, [0, 2, 1, 3, 4]);
        assert_eq!(batch.qualifiers.ends(), [1, 1, 1, 4, 7]);
        assert_eq!(batch.timestamps_micros, [5_000, 0, 0, 9, 9]);
        assert_eq!(batch.values.bytes(), b"\xffstate");
        assert_eq!(batch.has_addend, [0, 0, 0, 1, 0]);
        assert_eq!(batch.addends, [0, 0, 0, -4, 0]);
        assert_eq!(batch.range_starts_micros, [0, 0, 1, 0, 0]);
        assert_eq!(batch.range_ends_micros, [0, 0, 0, 0, 0]);
    }

    #[test]
    fn a_mutation_that_is_taken_out_again_leaves_nothing() {
        let mut batch = MutationBatch::default();
        batch
            .push(&mutation(Some("c1"), b"row"), [set("f", b"q", b"v")])
            .unwrap();
        let before = batch.clone();
        let filled = batch.begin().unwrap();
        batch.open_entry(&set("g", b"q", b"open")).unwrap();
        batch.rewind(filled);
        assert!(batch == before);
        batch
            .push(&mutation(Some("c1"), b"row"), [set("g", b"q", b"v")])
            .unwrap();
        assert_eq!(batch.families.bytes(), b"fg");
        assert_eq!(batch.entry_families, [0, 1]);
    }

    /// A batch with one value of so many bytes, which are never touched.
    fn full(bytes: usize) -> MutationBatch {
        let end = u32::try_from(bytes).unwrap();
        MutationBatch {
            values: crate::Blobs::from_parts(vec![0; bytes], vec![end]).unwrap(),
            ..MutationBatch::default()
        }
    }

    #[test]
    fn a_batch_takes_no_mutation_past_its_limit() {
        let mut batch = full(BATCH_BYTES_MAX);
        let error = batch.push(&mutation(None, b"row"), []).unwrap_err();
        assert_eq!(
            error.what(),
            "a batch that is taken before it reaches 1 GiB"
        );
        assert!(batch.is_empty());
    }

    #[test]
    fn a_mutation_that_does_not_fit_the_columns_is_an_error() {
        let mut batch = full(ENTRIES_BYTES_MAX - 100);
        let piece = [0; 200];
        let error = batch.extend_value(&piece).unwrap_err();
        let what = "a mutation that fits the columns of a batch, 2 GiB";
        assert_eq!(error.what(), what);
        assert_eq!(
            batch
                .open_entry(&set("f", b"q", &piece))
                .unwrap_err()
                .what(),
            what
        );
    }
}
