//! What a mutation did, one thing at a time.

mod read;

pub(super) use read::{entry, piece};

/// One entry of a mutation. A qualifier and a value may be empty.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Entry<'a> {
    /// It set a cell.
    SetCell {
        /// The column family.
        family: &'a str,
        /// The column qualifier.
        qualifier: &'a [u8],
        /// The timestamp of the cell, in microseconds.
        timestamp_micros: i64,
        /// What the cell holds from now on.
        value: &'a [u8],
    },
    /// It deleted the cells of a column whose timestamps lie in a range.
    DeleteCells {
        /// The column family.
        family: &'a str,
        /// The column qualifier.
        qualifier: &'a [u8],
        /// Where the range begins, inclusive, in microseconds; 0 for no bound.
        range_start_micros: i64,
        /// Where the range ends, exclusive, in microseconds; 0 for no bound.
        range_end_micros: i64,
    },
    /// It deleted the cells of a family.
    DeleteFamily {
        /// The column family.
        family: &'a str,
    },
    /// It added an input to the aggregate in a cell.
    AddToCell {
        /// The column family.
        family: &'a str,
        /// The column qualifier.
        qualifier: &'a [u8],
        /// The timestamp of the cell, in microseconds.
        timestamp_micros: i64,
        /// What was added.
        input: Input<'a>,
    },
    /// It merged another aggregate's state into the one in a cell.
    MergeToCell {
        /// The column family.
        family: &'a str,
        /// The column qualifier.
        qualifier: &'a [u8],
        /// The timestamp of the cell, in microseconds.
        timestamp_micros: i64,
        /// What was merged.
        input: Input<'a>,
    },
}

/// What goes into an aggregate. Which of the two it is depends on the type of the family.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Input<'a> {
    /// A number: `int_value`.
    Number(i64),
    /// Bytes: `raw_value`.
    Bytes(&'a [u8]),
}

/// The kinds of entries, with the numbers of `entry-kinds` in `wit/bigtable.wit`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum EntryKind {
    /// Set a cell.
    SetCell = 0,
    /// Deleted cells of a column.
    DeleteCells = 1,
    /// Deleted a family.
    DeleteFamily = 2,
    /// Added to a cell.
    AddToCell = 3,
    /// Merged into a cell.
    MergeToCell = 4,
}

impl<'a> Entry<'a> {
    /// What kind of entry it is.
    #[must_use]
    pub fn kind(&self) -> EntryKind {
        match self {
            Self::SetCell { .. } => EntryKind::SetCell,
            Self::DeleteCells { .. } => EntryKind::DeleteCells,
            Self::DeleteFamily { .. } => EntryKind::DeleteFamily,
            Self::AddToCell { .. } => EntryKind::AddToCell,
            Self::MergeToCell { .. } => EntryKind::MergeToCell,
        }
    }

    /// The column family.
    #[must_use]
    pub fn family(&self) -> &'a str {
        match *self {
            Self::SetCell { family, .. }
            | Self::DeleteCells { family, .. }
            | Self::DeleteFamily { family }
            | Self::AddToCell { family, .. }
            | Self::MergeToCell { family, .. } => family,
        }
    }

    /// The column qualifier. A deleted family has none.
    #[must_use]
    pub fn qualifier(&self) -> Option<&'a [u8]> {
        match *self {
            Self::SetCell { qualifier, .. }
            | Self::DeleteCells { qualifier, .. }
            | Self::AddToCell { qualifier, .. }
            | Self::MergeToCell { qualifier, .. } => Some(qualifier),
            Self::DeleteFamily { .. } => None,
        }
    }
}
