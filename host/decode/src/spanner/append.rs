//! A data change record into the columns of a batch.

use std::sync::Arc;

use crate::Malformed;
use crate::spanner::batch::ChangeBatch;
use crate::spanner::cells::{Cut, Cutter};
use crate::spanner::instant::Instant;
use crate::spanner::record::{DataRecord, Mod};
use crate::spanner::schema::{Keep, Schema};
use crate::spanner::{DropReason, Kept, Options};

/// Bytes of one batch, ids included, before the last record that fits. The caller closes batches
/// far below; this keeps the offsets, which are 32 bits, true.
const BATCH_BYTES_MAX: usize = 1 << 30;

/// What became of a record.
#[derive(Debug)]
pub(crate) struct Appended {
    pub(crate) kept: Kept,
    pub(crate) cells_dropped: u32,
}

/// A record on its way into a batch.
pub(crate) struct Append<'a> {
    pub(crate) record: &'a DataRecord<'a>,
    pub(crate) commit: &'a Instant<'a>,
    pub(crate) schema: &'a Arc<Schema>,
    pub(crate) keep: Keep<'a>,
    pub(crate) options: Options,
}

impl Append<'_> {
    /// Appends what `mods` gives; on an error, and for a record that is dropped, the batch is as
    /// it was.
    pub(crate) fn run(
        &self,
        batch: &mut ChangeBatch,
        cutter: &mut Cutter,
        mods: impl FnOnce(&mut dyn FnMut(Mod<'_>) -> Result<(), Malformed>) -> Result<(), Malformed>,
    ) -> Result<Appended, Malformed> {
        let before = batch.mods();
        let mut total = Cut::default();
        let mut index = 0;
        let read = mods(&mut |modification| {
            let cut = self
                .push_mod(batch, cutter, index, modification)
                .map_err(|error| error.index(index).within("mods"))?;
            index += 1;
            total.kept = total.kept.saturating_add(cut.kept);
            total.dropped = total.dropped.saturating_add(cut.dropped);
            Ok(())
        });
        let without_change = total.dropped > 0 && total.kept == 0;
        let kept = if self.options.skip_messages_without_change && without_change {
            Kept::Dropped(DropReason::WithoutChange)
        } else {
            Kept::Appended
        };
        let read = read.and_then(|()| self.check_mods(index));
        if read.is_err() || kept != Kept::Appended {
            batch.truncate_mods(before);
        } else {
            self.push_record(batch, before);
        }
        read.map(|()| Appended {
            kept,
            cells_dropped: total.dropped,
        })
    }

    /// Appends one modification. What it counts leaves the keys out, which are kept whole.
    fn push_mod(
        &self,
        batch: &mut ChangeBatch,
        cutter: &mut Cutter,
        index: usize,
        modification: Mod<'_>,
    ) -> Result<Cut, Malformed> {
        let Mod {
            keys,
            new_values,
            old_values,
        } = modification;
        let schema = self.schema;
        if mods_bytes(batch) > BATCH_BYTES_MAX {
            return Err(Malformed::expected("at most 1 GiB of modifications"));
        }
        self.push_mod_id(batch.mod_ids.open(), index, keys)?;
        batch.mod_ids.close();
        cutter
            .append(&mut batch.keys, keys, schema, Keep::All)
            .map_err(|error| error.within("keys"))?;
        let new = cutter
            .append(&mut batch.new_values, new_values, schema, self.keep)
            .map_err(|error| error.within("new_values"))?;
        let old = cutter
            .append(&mut batch.old_values, old_values, schema, self.keep)
            .map_err(|error| error.within("old_values"))?;
        Ok(Cut {
            kept: new.kept.saturating_add(old.kept),
            dropped: new.dropped.saturating_add(old.dropped),
        })
    }

    fn push_record(&self, batch: &mut ChangeBatch, before: usize) {
        let record = self.record;
        let table = batch.table_index(self.schema);
        batch.table.push(table);
        match batch.mod_ids.get(before) {
            Some(id) if self.record.is_read => batch.ids.push(id),
            _ => {
                self.push_id(batch.ids.open());
                batch.ids.close();
            }
        }
        batch.commit_timestamps.push(self.commit.text.as_bytes());
        batch.commit_times.push(self.commit.at);
        batch.record_sequences.push(record.sequence.as_bytes());
        batch.transaction_ids.push(record.transaction.as_bytes());
        batch.mod_types.push(record.mod_type.as_bytes());
        batch
            .value_capture_types
            .push(record.capture_type.as_bytes());
        batch.transaction_tags.push(record.tag.as_bytes());
        batch.is_last.push(u8::from(record.is_last));
        batch.is_system.push(u8::from(record.is_system));
        batch.records_in_transaction.push(record.records);
        batch.partitions_in_transaction.push(record.partitions);
        let mods = u32::try_from(batch.mod_ids.len()).unwrap_or(u32::MAX);
        batch.mod_ends.push(mods);
    }

    /// Says whether the record may have so many modifications.
    fn check_mods(&self, mods: usize) -> Result<(), Malformed> {
        if self.record.is_read && mods != 1 {
            return Err(Malformed::expected("one row in a record that was read").within("mods"));
        }
        Ok(())
    }

    /// Writes `commit timestamp/transaction/sequence/index`, or for a row that was read
    /// `read timestamp/table/primary key`.
    fn push_mod_id(
        &self,
        out: &mut Vec<u8>,
        index: usize,
        keys: Option<&str>,
    ) -> Result<(), Malformed> {
        if self.record.is_read {
            let missing = || Malformed::expected("the key of a row that was read").within("keys");
            self.push_read_id(out, keys.ok_or_else(missing)?);
            return Ok(());
        }
        self.push_id(out);
        out.push(b'/');
        push_decimal(out, index);
        Ok(())
    }

    fn push_read_id(&self, out: &mut Vec<u8>, keys: &str) {
        out.extend_from_slice(self.commit.text.as_bytes());
        out.push(b'/');
        out.extend_from_slice(self.record.table.as_bytes());
        out.push(b'/');
        out.extend_from_slice(keys.as_bytes());
    }

    /// Writes `commit timestamp/transaction/sequence`.
    fn push_id(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(self.commit.text.as_bytes());
        out.push(b'/');
        out.extend_from_slice(self.record.transaction.as_bytes());
        out.push(b'/');
        out.extend_from_slice(self.record.sequence.as_bytes());
    }
}

/// Says whether a record of so many bytes may still come into a batch.
pub(crate) fn check_room(batch_bytes: usize, record_bytes: usize) -> Result<(), Malformed> {
    if record_bytes > RECORD_BYTES_MAX {
        return Err(Malformed::expected("a record of at most 256 MiB"));
    }
    if batch_bytes > BATCH_BYTES_MAX {
        return Err(Malformed::expected(
            "a batch that is taken before it reaches 1 GiB",
        ));
    }
    Ok(())
}

/// Bytes of the texts that modifications have. Ids and names repeat in each, so that a small record
/// can ask for many.
fn mods_bytes(batch: &ChangeBatch) -> usize {
    let objects = [&batch.keys, &batch.new_values, &batch.old_values];
    let texts = objects.iter().map(|objects| objects.texts.bytes().len());
    batch.mod_ids.bytes().len() + texts.sum::<usize>()
}

/// Bytes of one record as it is sent. A row has at most 100 MiB, its old values as many again.
///
/// Source: https://cloud.google.com/spanner/quotas
const RECORD_BYTES_MAX: usize = 256 << 20;

fn push_decimal(out: &mut Vec<u8>, number: usize) {
    let mut digits = [b'0'; 20];
    let mut rest = number;
    let mut used = 0;
    for digit in digits.iter_mut().rev() {
        *digit = b'0' + u8::try_from(rest % 10).unwrap_or(0);
        rest /= 10;
        used += 1;
        if rest == 0 {
            break;
        }
    }
    out.extend(digits.iter().skip(digits.len() - used));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_written_as_the_standard_library_writes_them() {
        for number in [0, 7, 10, 99, 100, 12_345, usize::MAX] {
            let mut out = Vec::new();
            push_decimal(&mut out, number);
            assert_eq!(out, number.to_string().into_bytes());
        }
    }
}
