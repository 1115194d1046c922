//! Names of tables, application profiles, clusters and saved states.

use std::fmt;

/// A table, by its three names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableName {
    /// The project.
    pub project: String,
    /// The instance in it.
    pub instance: String,
    /// The table in that.
    pub table: String,
}

impl fmt::Display for TableName {
    /// The resource name: `projects/P/instances/I/tables/T`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            project,
            instance,
            table,
        } = self;
        write!(f, "projects/{project}/instances/{instance}/tables/{table}")
    }
}

/// An application profile of the table's instance. It is not blank and holds no slash and no white
/// space.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AppProfileId(pub(super) String);

/// A cluster of the table's instance. It is not blank and holds no slash and no white space.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ClusterId(pub(super) String);

/// The name of a saved state: letters, digits, `.`, `-` and `_`, at most 100, not beginning with a
/// dot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StateName(pub(super) String);

impl AppProfileId {
    /// The id.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl ClusterId {
    /// The id.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl StateName {
    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}
