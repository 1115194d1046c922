//! Tables as records describe them, and what they are called in a file.

use std::collections::{BTreeMap, BTreeSet};

use super::format::{Column, Table};
use super::text::json_of;

/// A table as records describe it, to tell whether it stands in the file already.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Described {
    /// Empty for a query.
    pub(super) name: String,
    pub(super) columns: Vec<DescribedColumn>,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct DescribedColumn {
    pub(super) name: String,
    pub(super) type_json: String,
    pub(super) is_key: bool,
    /// None for a column of rows, whose place is that of its values.
    pub(super) ordinal: Option<i64>,
}

impl Described {
    /// Its line.
    pub(super) fn line(&self, called: &str) -> Result<Table<'_>, serde_json::Error> {
        let columns = self.columns.iter().map(|column| {
            Ok(Column {
                name: column.name.clone(),
                r#type: json_of(&column.type_json)?,
                is_primary_key: column.is_key,
                ordinal_position: column.ordinal,
            })
        });
        Ok(Table {
            alias: (called != self.name).then(|| called.to_owned()),
            name: self.name.clone(),
            columns: columns.collect::<Result<_, serde_json::Error>>()?,
        })
    }
}

/// What tables are called in a file.
#[derive(Default)]
pub(super) struct TableNames {
    by_table: BTreeMap<(Described, usize), String>,
    taken: BTreeSet<String>,
}

impl TableNames {
    /// The name of a table, and whether it is new. `repeat` tells tables apart that are described
    /// alike.
    pub(super) fn name(&mut self, described: &Described, repeat: usize) -> (String, bool) {
        let table = (described.clone(), repeat);
        if let Some(name) = self.by_table.get(&table) {
            return (name.clone(), false);
        }
        let plain = &described.name;
        let numbered = (2_u64..).map(|number| format!("{plain}#{number}"));
        let name = std::iter::once(plain.clone())
            .chain(numbered)
            .find(|name| !self.taken.contains(name))
            .unwrap_or_default();
        self.taken.insert(name.clone());
        self.by_table.insert(table, name.clone());
        (name, true)
    }
}
