//! One column of JSON objects and their cells.

use crate::Texts;

/// JSON objects, one per modification, and the spans of their members' values.
///
/// Source: `objects` in `wit/spanner.wit`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Objects {
    /// The text of each object: empty for none sent, `null` for a null.
    pub texts: Texts,
    /// Where the cells of each object end in the three lists below.
    pub cell_ends: Vec<u32>,
    /// The column of each cell, an index into the columns of the record's table.
    pub cell_columns: Vec<u32>,
    /// Where the value of each cell begins in `texts`.
    pub cell_starts: Vec<u32>,
    /// Where the value of each cell ends in `texts`.
    pub cell_stops: Vec<u32>,
}

impl Objects {
    /// Bytes that the columns take.
    pub(crate) fn size(&self) -> usize {
        self.texts.size()
            + size_of_val(self.cell_ends.as_slice())
            + 3 * size_of_val(self.cell_columns.as_slice())
    }

    /// Keeps the first `len` objects and drops one under construction.
    pub(crate) fn truncate(&mut self, len: usize) {
        self.texts.truncate(len);
        self.cell_ends.truncate(len);
        let cells = self.cell_ends.last().map_or(0, |&end| end as usize);
        self.cell_columns.truncate(cells);
        self.cell_starts.truncate(cells);
        self.cell_stops.truncate(cells);
    }

    /// Adds cells of the object under construction: the column of each and its span of `texts`.
    pub(crate) fn push_cells(
        &mut self,
        cells: impl ExactSizeIterator<Item = (usize, usize, usize)> + Clone,
    ) {
        // Column by column: each makes room once.
        let columns = cells.clone().map(|(column, ..)| narrow(column));
        self.cell_columns.extend(columns);
        self.cell_starts
            .extend(cells.clone().map(|(_, start, _)| narrow(start)));
        self.cell_stops.extend(cells.map(|(.., stop)| narrow(stop)));
    }

    /// Adds a cell of the object under construction.
    pub(crate) fn push_cell(&mut self, column: usize, start: usize, stop: usize) {
        self.push_cells([(column, start, stop)].into_iter());
    }

    /// Ends the object under construction.
    pub(crate) fn close(&mut self) {
        self.texts.close();
        let cells = self.cell_columns.len();
        self.cell_ends.push(narrow(cells));
    }
}

/// The limit on a batch's bytes keeps its offsets below.
fn narrow(offset: usize) -> u32 {
    u32::try_from(offset).unwrap_or(u32::MAX)
}
