//! From a changed row to what the stream records of it.

use serde_json::Value;

use super::change::{Column, Mod, ModType, Row, Table, ValueCapture};

/// A row that a transaction changed, before the stream's capture type has been applied.
#[derive(Clone, Debug, PartialEq)]
pub struct RowChange {
    table: Table,
    mod_type: ModType,
    keys: Row,
    before: Row,
    after: Row,
    written: Vec<String>,
}

impl RowChange {
    /// A new row; `row` holds the key columns too.
    #[must_use]
    pub fn insert(table: &Table, row: Value) -> Self {
        let (keys, after) = part(table, members(row));
        let written = after.keys().cloned().collect();
        let mod_type = ModType::Insert;
        Self {
            table: table.clone(),
            mod_type,
            keys,
            before: Row::new(),
            after,
            written,
        }
    }

    /// `row` as it stood, key columns included, and the columns that were `written`.
    #[must_use]
    pub fn update(table: &Table, row: Value, written: Value) -> Self {
        let (keys, before) = part(table, members(row));
        let changes = members(written);
        let written = changes.keys().cloned().collect();
        let mut after = before.clone();
        after.extend(changes);
        Self {
            table: table.clone(),
            mod_type: ModType::Update,
            keys,
            before,
            after,
            written,
        }
    }

    /// `row` as it stood, key columns included.
    #[must_use]
    pub fn delete(table: &Table, row: Value) -> Self {
        let (keys, before) = part(table, members(row));
        let written = before.keys().cloned().collect();
        let mod_type = ModType::Delete;
        Self {
            table: table.clone(),
            mod_type,
            keys,
            before,
            after: Row::new(),
            written,
        }
    }

    pub(super) fn table(&self) -> &Table {
        &self.table
    }

    pub(super) fn mod_type(&self) -> &ModType {
        &self.mod_type
    }

    /// What the stream records.
    ///
    /// Source: <https://cloud.google.com/spanner/docs/change-streams/details>, value capture types.
    pub(super) fn captured(&self, capture: &ValueCapture) -> Mod {
        let changed = |row: &Row| -> Row {
            let kept = row.iter().filter(|(name, _)| self.written.contains(name));
            kept.map(|(name, value)| (name.clone(), value.clone()))
                .collect()
        };
        let (new_values, old_values) = match capture {
            ValueCapture::OldAndNewValues | ValueCapture::Other(_) => {
                (changed(&self.after), changed(&self.before))
            }
            ValueCapture::NewValues => (changed(&self.after), Row::new()),
            ValueCapture::NewRow => (self.after.clone(), Row::new()),
            ValueCapture::NewRowAndOldValues => (self.after.clone(), changed(&self.before)),
        };
        Mod {
            keys: self.keys.clone(),
            new_values: Some(new_values),
            old_values: Some(old_values),
        }
    }
}

/// The columns that a record with this row names: the key and whatever occurs in it.
pub(super) fn columns_of(table: &Table, row: &Mod) -> Vec<Column> {
    let occurs = |name: &String| {
        [&row.new_values, &row.old_values]
            .into_iter()
            .flatten()
            .any(|values| values.contains_key(name))
    };
    let named = table
        .columns
        .iter()
        .filter(|c| c.is_primary_key || occurs(&c.name));
    named.cloned().collect()
}

fn part(table: &Table, row: Row) -> (Row, Row) {
    let is_key = |name: &str| {
        table
            .columns
            .iter()
            .any(|c| c.is_primary_key && c.name == name)
    };
    row.into_iter().partition(|(name, _)| is_key(name))
}

fn members(row: Value) -> Row {
    if let Value::Object(members) = row {
        members
    } else {
        Row::new()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{super::shop, RowChange, ValueCapture};

    fn captured(
        change: &RowChange,
        capture: ValueCapture,
    ) -> (serde_json::Value, serde_json::Value) {
        let row = change.captured(&capture);
        (json!(row.new_values), json!(row.old_values))
    }

    #[test]
    fn each_capture_type_records_what_the_documentation_says() {
        let table = shop::customers();
        let row = json!({"CustomerId": "1", "Name": "Ada", "City": "Lyon"});
        let insert = RowChange::insert(&table, row.clone());
        let update = RowChange::update(&table, row.clone(), json!({"City": "Bern"}));
        let delete = RowChange::delete(&table, row);
        let all = json!({"Name": "Ada", "City": "Lyon"});
        let moved = json!({"Name": "Ada", "City": "Bern"});
        let (lyon, bern, none) = (json!({"City": "Lyon"}), json!({"City": "Bern"}), json!({}));
        let expected = [
            (
                ValueCapture::OldAndNewValues,
                [(&all, &none), (&bern, &lyon), (&none, &all)],
            ),
            (
                ValueCapture::NewValues,
                [(&all, &none), (&bern, &none), (&none, &none)],
            ),
            (
                ValueCapture::NewRow,
                [(&all, &none), (&moved, &none), (&none, &none)],
            ),
            (
                ValueCapture::NewRowAndOldValues,
                [(&all, &none), (&moved, &lyon), (&none, &all)],
            ),
        ];
        for (capture, kinds) in expected {
            for (change, (new, old)) in [&insert, &update, &delete].into_iter().zip(kinds) {
                assert_eq!(
                    captured(change, capture.clone()),
                    (new.clone(), old.clone()),
                    "{capture:?}"
                );
            }
        }
    }
}
