//! Which columns of a table pass, as the caller decided from names.

/// A table as one record described it. It means something to the assembler that gave it only.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct TableId(pub(crate) u64);

/// The answer to [`crate::spanner::Step::Unplanned`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TablePlan {
    /// Whether the table passes. If not, `columns` is ignored and may be empty.
    pub table: bool,
    /// Whether each of [`crate::spanner::Described::columns`] passes, in that order.
    pub columns: Vec<bool>,
}

/// A plan that does not answer the question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WrongPlan {
    /// The table was never described, or has been forgotten since.
    #[error("the plan is for a table that was not asked about")]
    UnknownTable,
    /// The number of answers is not the number of columns.
    #[error("the plan answers {answers} columns and the table has {columns} outside its key")]
    ColumnCount {
        /// How many answers there are.
        answers: usize,
        /// How many were asked for.
        columns: usize,
    },
}
