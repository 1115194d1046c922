//! The one table.

/// The instance's full name.
pub(crate) const INSTANCE: &str = "projects/sandbox/instances/sandbox";

/// The table's full name.
pub(crate) const TABLE: &str = "projects/sandbox/instances/sandbox/tables/shop";
