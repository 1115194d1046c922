//! The answers of a names filter, kept by table and by table and column.

use std::collections::BTreeMap;

/// Answers by name, bounded in number. One that would go past the bound first removes all others:
/// they are asked for again, which costs time and never a wrong answer.
pub(super) struct NamesKept {
    answers_max: usize,
    answers: usize,
    tables: BTreeMap<String, Kept>,
}

#[derive(Default)]
struct Kept {
    table: Option<bool>,
    columns: BTreeMap<String, bool>,
}

impl NamesKept {
    pub(super) fn new(answers_max: usize) -> Self {
        Self {
            answers_max,
            answers: 0,
            tables: BTreeMap::new(),
        }
    }

    pub(super) fn table(&self, table: &str) -> Option<bool> {
        self.tables.get(table)?.table
    }

    pub(super) fn column(&self, table: &str, column: &str) -> Option<bool> {
        self.tables.get(table)?.columns.get(column).copied()
    }

    pub(super) fn keep_table(&mut self, table: &str, passes: bool) {
        if self.entry(table).table.replace(passes).is_none() {
            self.answers += 1;
        }
    }

    pub(super) fn keep_column(&mut self, table: &str, column: &str, passes: bool) {
        if self
            .entry(table)
            .columns
            .insert(column.to_owned(), passes)
            .is_none()
        {
            self.answers += 1;
        }
    }

    fn entry(&mut self, table: &str) -> &mut Kept {
        if self.answers >= self.answers_max {
            self.tables.clear();
            self.answers = 0;
        }
        self.tables.entry(table.to_owned()).or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::NamesKept;

    #[test]
    fn a_table_and_its_columns_are_separate_answers() {
        let mut kept = NamesKept::new(10);
        kept.keep_column("t", "c", false);
        assert_eq!(kept.table("t"), None);
        assert_eq!(kept.column("t", "c"), Some(false));
        kept.keep_table("t", true);
        assert_eq!(kept.table("t"), Some(true));
        assert_eq!(kept.column("u", "c"), None);
    }

    #[test]
    fn answers_past_the_bound_are_asked_for_again() {
        let mut kept = NamesKept::new(2);
        kept.keep_table("a", true);
        kept.keep_table("a", true);
        kept.keep_column("a", "x", true);
        assert_eq!(kept.table("a"), Some(true));
        kept.keep_table("b", false);
        assert_eq!(kept.table("a"), None);
        assert_eq!(kept.column("a", "x"), None);
        assert_eq!(kept.table("b"), Some(false));
    }
}
