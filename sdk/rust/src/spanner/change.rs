//! Row views over a batch.

use core::ops::Range;

use super::batch::Batch;
use super::tables::{Column, Columns};
use crate::bindings::spanner_deserialize::acequia::connector::spanner::Objects;
use crate::columns::range;

/// One data change record: one table, one kind of modification, one transaction, and one or
/// several rows ([`DataChange::mods`]).
///
/// Source: <https://cloud.google.com/spanner/docs/change-streams/details#data-change-records>
#[derive(Clone, Copy)]
pub struct DataChange<'a> {
    batch: &'a Batch<'a>,
    index: usize,
}

impl<'a> DataChange<'a> {
    pub(crate) fn new(batch: &'a Batch<'a>, index: usize) -> Self {
        Self { batch, index }
    }

    /// The index of the record in its batch.
    #[must_use]
    pub fn index(&self) -> usize {
        self.index
    }

    /// The id of the record, `commit timestamp/transaction/sequence`. The host computes it; it is
    /// the same whenever the record comes again.
    #[must_use]
    pub fn id(&self) -> &'a str {
        self.batch.ids.get(self.index)
    }

    /// The name of the table.
    #[must_use]
    pub fn table(&self) -> &'a str {
        self.batch.tables.name(self.table_index())
    }

    /// The columns of the table that the record has, as the record describes them.
    #[must_use]
    pub fn columns(&self) -> Columns<'a> {
        self.batch.tables.columns(self.table_index())
    }

    /// The commit timestamp, RFC 3339 with a `Z` and the fraction digits that the source sent.
    #[must_use]
    pub fn commit_timestamp(&self) -> &'a str {
        self.batch.commit_timestamps.get(self.index)
    }

    /// The commit timestamp as seconds since the Unix epoch and nanoseconds of that second.
    #[must_use]
    pub fn commit_time(&self) -> (i64, u32) {
        let times = &self.batch.changes.commit_times;
        (
            times.seconds.get(self.index).copied().unwrap_or_default(),
            times.nanos.get(self.index).copied().unwrap_or_default(),
        )
    }

    /// The place of the record in its transaction. Texts of one transaction compare as its order.
    #[must_use]
    pub fn record_sequence(&self) -> &'a str {
        self.batch.record_sequences.get(self.index)
    }

    /// The transaction, as the server names it.
    #[must_use]
    pub fn server_transaction_id(&self) -> &'a str {
        self.batch.transaction_ids.get(self.index)
    }

    /// `INSERT`, `UPDATE`, `DELETE`, or a text that Spanner adds later.
    #[must_use]
    pub fn mod_type(&self) -> &'a str {
        self.batch.mod_types.get(self.index)
    }

    /// Which values the stream captures, as Spanner names it.
    #[must_use]
    pub fn value_capture_type(&self) -> &'a str {
        self.batch.value_capture_types.get(self.index)
    }

    /// The tag of the transaction; empty for none.
    #[must_use]
    pub fn transaction_tag(&self) -> &'a str {
        self.batch.transaction_tags.get(self.index)
    }

    /// Whether the record is the last of its transaction in its partition.
    #[must_use]
    pub fn is_last_record_in_transaction_in_partition(&self) -> bool {
        self.batch.changes.is_last.get(self.index) == Some(&1)
    }

    /// Whether the transaction is Spanner's own (a TTL deletion, a backfill).
    #[must_use]
    pub fn is_system_transaction(&self) -> bool {
        self.batch.changes.is_system.get(self.index) == Some(&1)
    }

    /// How many records the transaction has in all partitions.
    #[must_use]
    pub fn number_of_records_in_transaction(&self) -> i64 {
        let counts = &self.batch.changes.records_in_transaction;
        counts.get(self.index).copied().unwrap_or_default()
    }

    /// How many partitions the transaction has records in.
    #[must_use]
    pub fn number_of_partitions_in_transaction(&self) -> i64 {
        let counts = &self.batch.changes.partitions_in_transaction;
        counts.get(self.index).copied().unwrap_or_default()
    }

    /// The modifications, one per row, in the order the source sent them.
    #[must_use]
    pub fn mods(&self) -> Mods<'a> {
        let (start, end) = range(&self.batch.changes.mod_ends, self.index);
        Mods {
            change: *self,
            first: start,
            indexes: start..end,
        }
    }

    fn table_index(&self) -> usize {
        let table = self.batch.changes.table.get(self.index);
        table.copied().unwrap_or_default() as usize
    }
}

/// The modifications of a record.
#[derive(Clone)]
pub struct Mods<'a> {
    change: DataChange<'a>,
    first: usize,
    indexes: Range<usize>,
}

impl<'a> Iterator for Mods<'a> {
    type Item = Mod<'a>;

    fn next(&mut self) -> Option<Mod<'a>> {
        self.indexes.next().map(|place| Mod {
            change: self.change,
            place,
            index: place - self.first,
        })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.indexes.size_hint()
    }
}

impl ExactSizeIterator for Mods<'_> {}

/// One modification: one row.
#[derive(Clone, Copy)]
pub struct Mod<'a> {
    change: DataChange<'a>,
    place: usize,
    index: usize,
}

impl<'a> Mod<'a> {
    /// The index of the modification in its record.
    #[must_use]
    pub fn index(&self) -> usize {
        self.index
    }

    /// The id of the modification, `commit timestamp/transaction/sequence/index`.
    #[must_use]
    pub fn id(&self) -> &'a str {
        self.change.batch.mod_ids.get(self.place)
    }

    /// The primary key of the row.
    #[must_use]
    pub fn keys(&self) -> Object<'a> {
        self.object(&self.change.batch.changes.keys)
    }

    /// The values after the modification.
    #[must_use]
    pub fn new_values(&self) -> Object<'a> {
        self.object(&self.change.batch.changes.new_values)
    }

    /// The values before the modification.
    #[must_use]
    pub fn old_values(&self) -> Object<'a> {
        self.object(&self.change.batch.changes.old_values)
    }

    fn object(&self, objects: &'a Objects) -> Object<'a> {
        let (start, end) = range(&objects.texts.ends, self.place);
        match objects.texts.bytes.get(start..end).unwrap_or_default() {
            b"" => Object::Absent,
            b"null" => Object::Null,
            text => Object::Members(Members {
                text,
                objects,
                columns: self.change.columns(),
                place: self.place,
            }),
        }
    }
}

/// A JSON object of a modification.
#[derive(Clone)]
pub enum Object<'a> {
    /// The source sent no such object.
    Absent,
    /// The source sent a null.
    Null,
    /// The source sent an object, which may be empty.
    Members(Members<'a>),
}

impl<'a> Object<'a> {
    /// The JSON text without what a filter removed, `null` for a null, nothing where it is absent
    /// (or not UTF-8, which the host never sends).
    #[must_use]
    pub fn text(&self) -> Option<&'a str> {
        core::str::from_utf8(self.bytes()?).ok()
    }

    /// [`Object::text`] as bytes, for copying without looking at them again.
    #[must_use]
    pub fn bytes(&self) -> Option<&'a [u8]> {
        match self {
            Self::Absent => None,
            Self::Null => Some(b"null"),
            Self::Members(members) => Some(members.text),
        }
    }

    /// The members, in the order of the text. None for an absent or null object.
    #[must_use]
    pub fn cells(&self) -> Cells<'a> {
        match self {
            Self::Absent | Self::Null => Cells(None),
            Self::Members(members) => {
                let (start, end) = range(&members.objects.cell_ends, members.place);
                Cells(Some((members.clone(), start..end)))
            }
        }
    }
}

/// Where the members of an object are found.
#[derive(Clone)]
pub struct Members<'a> {
    text: &'a [u8],
    objects: &'a Objects,
    columns: Columns<'a>,
    place: usize,
}

/// The members of an object.
#[derive(Clone)]
pub struct Cells<'a>(Option<(Members<'a>, Range<usize>)>);

impl<'a> Iterator for Cells<'a> {
    type Item = Cell<'a>;

    fn next(&mut self) -> Option<Cell<'a>> {
        let (members, indexes) = self.0.as_mut()?;
        let index = indexes.next()?;
        let objects = members.objects;
        let start = *objects.cell_starts.get(index)? as usize;
        let stop = *objects.cell_stops.get(index)? as usize;
        let place = *objects.cell_columns.get(index)? as usize;
        Some(Cell {
            column: members.columns.get(place)?,
            json: objects.texts.bytes.get(start..stop)?,
        })
    }
}

/// One member of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell<'a> {
    /// The column.
    pub column: Column<'a>,
    json: &'a [u8],
}

impl<'a> Cell<'a> {
    /// The name of the column, without escapes.
    #[must_use]
    pub fn name(&self) -> &'a str {
        self.column.name
    }

    /// The type of the column, as JSON text.
    #[must_use]
    pub fn type_json(&self) -> &'a str {
        self.column.type_json
    }

    /// The value, as the JSON text that the source sent.
    #[must_use]
    pub fn json(&self) -> &'a str {
        core::str::from_utf8(self.json).unwrap_or_default()
    }

    /// [`Cell::json`] as bytes, for copying without looking at them again.
    #[must_use]
    pub fn bytes(&self) -> &'a [u8] {
        self.json
    }
}
