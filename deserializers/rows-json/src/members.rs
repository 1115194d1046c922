//! What the members of a value are called.

use std::collections::BTreeSet;

use acequia_guest::json;
use acequia_guest::rows::Row;

/// The beginning of each member, `{"name":` or `,"name":`, made once for the rows of a batch.
#[derive(Default)]
pub(crate) struct Members {
    columns: Vec<String>,
    beginnings: Vec<Vec<u8>>,
}

impl Members {
    /// Makes the beginnings anew if a row has other columns than the one before it.
    pub(crate) fn fit(&mut self, row: &Row<'_>) {
        let columns = || row.columns().map(|column| column.name);
        if columns().eq(self.columns.iter().map(String::as_str)) {
            return;
        }
        self.columns = columns().map(str::to_owned).collect();
        let names = names(&self.columns);
        let beginnings = names.iter().enumerate().map(|(place, name)| {
            let mut beginning = vec![if place == 0 { b'{' } else { b',' }];
            json::string(&mut beginning, name);
            beginning.push(b':');
            beginning
        });
        self.beginnings = beginnings.collect();
    }

    /// The beginning of each member, one per column.
    pub(crate) fn beginnings(&self) -> impl Iterator<Item = &[u8]> {
        self.beginnings.iter().map(Vec::as_slice)
    }
}

/// A name for each column, no two alike. A name that a column has is given to no other.
fn names(columns: &[String]) -> Vec<String> {
    let mut taken: BTreeSet<String> = columns.iter().cloned().collect();
    let mut seen = BTreeSet::new();
    let mut names = Vec::with_capacity(columns.len());
    for (place, column) in (1_usize..).zip(columns) {
        let name = if column.is_empty() {
            let placed = format!("_{place}");
            if taken.contains(&placed) {
                numbered(&placed, &taken)
            } else {
                placed
            }
        } else if seen.insert(column.as_str()) {
            column.clone()
        } else {
            numbered(column, &taken)
        };
        taken.insert(name.clone());
        names.push(name);
    }
    names
}

/// The first of `name_2`, `name_3` and so on that is free.
fn numbered(name: &str, taken: &BTreeSet<String>) -> String {
    let mut names = (2_usize..).map(|number| format!("{name}_{number}"));
    let free = names.find(|name| !taken.contains(name));
    // There are more numbers than columns.
    free.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::names;

    fn of(columns: &[&str]) -> Vec<String> {
        let columns: Vec<String> = columns.iter().map(ToString::to_string).collect();
        names(&columns)
    }

    #[test]
    fn columns_of_their_own_names_keep_them() {
        assert_eq!(of(&["b", "a", "_3"]), ["b", "a", "_3"]);
        assert!(of(&[]).is_empty());
    }

    #[test]
    fn an_unnamed_column_is_called_by_its_place() {
        assert_eq!(of(&["", "a", ""]), ["_1", "a", "_3"]);
    }

    #[test]
    fn columns_that_share_a_name_are_numbered_from_the_second() {
        assert_eq!(of(&["a", "b", "a", "a"]), ["a", "b", "a_2", "a_3"]);
    }

    #[test]
    fn a_name_that_a_column_has_is_given_to_no_other() {
        assert_eq!(of(&["a", "a", "a_2", "a"]), ["a", "a_3", "a_2", "a_4"]);
        assert_eq!(of(&["", "_1", "_1"]), ["_1_2", "_1", "_1_3"]);
    }
}
