//! What a mutation did, piece by piece.

use core::ops::Range;

use super::batch::Batch;
use super::mutation::Mutation;

/// One thing that a mutation did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry<'a> {
    /// The index of the entry in its mutation.
    pub index: usize,
    /// The column family.
    pub family: &'a str,
    /// What was done to it.
    pub change: Change<'a>,
}

/// What was done to a family. Timestamps are microseconds since the Unix epoch, as cells have them.
///
/// Source: `google.bigtable.v2.Mutation`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change<'a> {
    /// A cell was set.
    SetCell {
        /// The column.
        qualifier: &'a [u8],
        /// The timestamp of the cell.
        timestamp_micros: i64,
        /// The value.
        value: &'a [u8],
    },
    /// The cells of a column were deleted whose timestamps lie in a range.
    DeleteCells {
        /// The column.
        qualifier: &'a [u8],
        /// Where the range begins, inclusive; 0 for all from the first.
        start_micros: i64,
        /// Where the range ends, exclusive; none for all to the last.
        end_micros: Option<i64>,
    },
    /// All cells of the family in this row were deleted.
    DeleteFamily,
    /// Something was added to an aggregate.
    AddToCell {
        /// The column.
        qualifier: &'a [u8],
        /// The timestamp of the cell.
        timestamp_micros: i64,
        /// What was added, such as a number to a sum or bytes to a count of distinct ones.
        input: Input<'a>,
    },
    /// The state of an aggregate was merged into another.
    MergeToCell {
        /// The column.
        qualifier: &'a [u8],
        /// The timestamp of the cell.
        timestamp_micros: i64,
        /// The state, as the family's aggregate encodes it.
        input: Input<'a>,
    },
}

/// What goes into an aggregate. Which of the two it is depends on the type of the family.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Input<'a> {
    /// A number.
    Number(i64),
    /// Bytes.
    Bytes(&'a [u8]),
}

impl<'a> Entry<'a> {
    /// The entry at a place in the columns. A kind that is not known was refused when the batch was
    /// opened.
    pub(super) fn at(batch: &Batch<'a>, place: usize, index: usize) -> Self {
        let columns = batch.mutations;
        let family = columns.entry_families.get(place).copied();
        let number = |column: &[i64]| column.get(place).copied().unwrap_or_default();
        let qualifier = batch.qualifiers.get(place);
        let timestamp_micros = number(&columns.timestamps_micros);
        let value = batch.values.get(place);
        let input = match columns.has_addend.get(place) {
            Some(1) => Input::Number(number(&columns.addends)),
            Some(_) | None => Input::Bytes(value),
        };
        let change = match columns.entry_kinds.get(place) {
            Some(1) => Change::DeleteCells {
                qualifier,
                start_micros: number(&columns.range_starts_micros),
                end_micros: Some(number(&columns.range_ends_micros)).filter(|end| *end != 0),
            },
            Some(2) => Change::DeleteFamily,
            Some(3) => Change::AddToCell {
                qualifier,
                timestamp_micros,
                input,
            },
            Some(4) => Change::MergeToCell {
                qualifier,
                timestamp_micros,
                input,
            },
            Some(_) | None => Change::SetCell {
                qualifier,
                timestamp_micros,
                value,
            },
        };
        Self {
            index,
            family: batch.families.get(family.unwrap_or_default() as usize),
            change,
        }
    }
}

/// The entries of a mutation, in its order.
#[derive(Clone)]
pub struct Entries<'a> {
    mutation: Mutation<'a>,
    first: usize,
    places: Range<usize>,
}

impl<'a> Entries<'a> {
    pub(super) fn new(mutation: Mutation<'a>, places: Range<usize>) -> Self {
        Self {
            mutation,
            first: places.start,
            places,
        }
    }
}

impl<'a> Iterator for Entries<'a> {
    type Item = Entry<'a>;

    fn next(&mut self) -> Option<Entry<'a>> {
        let place = self.places.next()?;
        Some(self.mutation.entry(place, place - self.first))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.places.size_hint()
    }
}

impl ExactSizeIterator for Entries<'_> {}
