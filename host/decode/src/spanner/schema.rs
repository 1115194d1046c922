//! Tables as records describe them, remembered so that a repeated one costs a comparison.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::Malformed;
use crate::spanner::json::push_string;
use crate::spanner::{Described, TableId, TablePlan, WrongPlan};

/// Tables that a stream remembers. A column set is an entry of its own, so this is far above what
/// one partition's records use in turn; an entry that is forgotten is asked about anew.
const TABLES_MAX: usize = 1024;
/// Bytes of the descriptions that a stream remembers, as they were sent.
const TABLES_BYTES_MAX: usize = 16 << 20;
/// Bytes of a column's name. Spanner's have at most 128 characters; the name stands in every object.
///
/// Source: https://cloud.google.com/spanner/quotas
const NAME_BYTES_MAX: usize = 1024;
/// Stands between the table's name and its columns in a key. It is in no UTF-8 text.
const SEPARATOR: u8 = 0xff;

/// A table and its columns.
#[derive(Debug)]
pub(crate) struct Schema {
    pub(crate) table: String,
    pub(crate) columns: Vec<Column>,
    /// For each column its name as a member of an object begins with it: quoted, with a colon.
    members: Vec<Vec<u8>>,
    /// The columns by name.
    sorted: Vec<usize>,
    /// For each column the one that follows it by name; for the last one, its number past the end.
    following: Vec<usize>,
}

/// One column of a table.
#[derive(Clone, Debug, Default)]
pub struct Column {
    /// The name, 1 to 1024 bytes.
    pub name: String,
    /// The type, as the JSON text that Spanner sent.
    pub type_json: String,
    /// Whether it is part of the primary key.
    pub is_key: bool,
    /// The ordinal position.
    pub ordinal: i64,
}

impl Schema {
    pub(crate) fn new(table: &str, columns: Vec<Column>) -> Result<Self, Malformed> {
        let is_named = |column: &Column| (1..=NAME_BYTES_MAX).contains(&column.name.len());
        if !columns.iter().all(is_named) {
            return Err(Malformed::expected("names of 1 to 1024 bytes").within("column_types"));
        }
        let mut by_name: Vec<_> = columns.iter().enumerate().collect();
        by_name.sort_by(|(_, a), (_, b)| a.name.cmp(&b.name));
        let mut pairs = by_name.iter().zip(by_name.iter().skip(1));
        if pairs.any(|((_, a), (_, b))| a.name == b.name) {
            return Err(Malformed::expected("each column once").within("column_types"));
        }
        let sorted: Vec<usize> = by_name.iter().map(|(index, _)| *index).collect();
        let mut following = vec![columns.len(); columns.len()];
        for (column, next) in sorted.iter().zip(sorted.iter().skip(1)) {
            if let Some(following) = following.get_mut(*column) {
                *following = *next;
            }
        }
        Ok(Self {
            table: table.to_owned(),
            members: columns.iter().map(member).collect(),
            columns,
            sorted,
            following,
        })
    }

    /// What a member begins with that follows the one of the column before, and its column: the
    /// likelier first. The members of a JSON value are sorted, and other writers keep to the order of
    /// the columns.
    ///
    /// Source: https://cloud.google.com/spanner/docs/working-with-json, specifications.
    #[inline]
    pub(crate) fn expected(&self, before: Option<usize>) -> impl Iterator<Item = (usize, &[u8])> {
        let (by_name, by_place) = match before {
            Some(before) => (self.following.get(before), before + 1),
            None => (self.sorted.first(), 0),
        };
        // Past the end is no column, and has no member.
        let places = [by_name.copied().unwrap_or(usize::MAX), by_place];
        places
            .into_iter()
            .filter_map(|place| Some((place, self.members.get(place)?.as_slice())))
    }

    /// The index of a column.
    pub(crate) fn find(&self, name: &str) -> Option<usize> {
        let order = |index: &usize| {
            let column = self.columns.get(*index);
            column.map_or("", |column| column.name.as_str()).cmp(name)
        };
        let found = self.sorted.binary_search_by(order).ok()?;
        self.sorted.get(found).copied()
    }
}

/// A column's name as a member begins with it.
fn member(column: &Column) -> Vec<u8> {
    let mut member = Vec::with_capacity(column.name.len() + 3);
    push_string(&mut member, &column.name);
    member.push(b':');
    member
}

/// Which columns of a record's table pass.
#[derive(Clone, Copy)]
pub(crate) enum Keep<'a> {
    All,
    /// One entry per column of the schema.
    Some(&'a [bool]),
}

impl Keep<'_> {
    pub(crate) fn passes(self, column: usize) -> bool {
        match self {
            Self::All => true,
            Self::Some(columns) => columns.get(column).copied().unwrap_or(true),
        }
    }
}

/// What was decided about a table.
#[derive(Debug)]
pub(crate) enum Decision {
    Undecided,
    /// No record of the table passes.
    Drop,
    /// Records pass with all their columns.
    KeepAll,
    /// Records pass with the columns that are true here.
    KeepSome(Vec<bool>),
}

/// A table that a stream remembers.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) schema: Arc<Schema>,
    pub(crate) decision: Decision,
    key: Vec<u8>,
}

impl Entry {
    /// The question that a plan answers.
    pub(crate) fn describe(&self, id: TableId) -> Described {
        let names = |is_key: bool| {
            let columns = self.schema.columns.iter();
            let chosen = columns.filter(move |column| column.is_key == is_key);
            chosen.map(|column| column.name.clone()).collect()
        };
        Described {
            id,
            table: self.schema.table.clone(),
            columns: names(false),
            keys: names(true),
        }
    }

    fn decide(&mut self, plan: &TablePlan) -> Result<(), WrongPlan> {
        let asked = self.schema.columns.iter().filter(|column| !column.is_key);
        let (columns, answers) = (asked.count(), plan.columns.len());
        if !plan.table {
            self.decision = Decision::Drop;
        } else if columns != answers {
            return Err(WrongPlan::ColumnCount { answers, columns });
        } else if plan.columns.iter().all(|&passes| passes) {
            self.decision = Decision::KeepAll;
        } else {
            let mut answers = plan.columns.iter();
            let passes = |column: &Column| column.is_key || answers.next() == Some(&true);
            let columns = self.schema.columns.iter().map(passes).collect();
            self.decision = Decision::KeepSome(columns);
        }
        Ok(())
    }
}

/// The tables of one stream, by the bytes that described them.
#[derive(Debug, Default)]
pub(crate) struct Dictionary {
    by_key: BTreeMap<Vec<u8>, TableId>,
    entries: BTreeMap<TableId, Entry>,
    /// The table of the record before.
    last: TableId,
    next: u64,
    key_bytes: usize,
}

impl Dictionary {
    /// The table that these bytes describe, if it is remembered.
    pub(crate) fn find(&mut self, table: &str, columns: &[u8]) -> Option<TableId> {
        let last = self.entries.get(&self.last);
        if last.is_some_and(|entry| is_key(&entry.key, table, columns)) {
            return Some(self.last);
        }
        self.last = *self.by_key.get(&key(table, columns))?;
        Some(self.last)
    }

    /// Remembers a table and forgets the oldest past the limits.
    pub(crate) fn insert(&mut self, schema: Schema, columns: &[u8]) -> TableId {
        let key = key(&schema.table, columns);
        while !self.entries.is_empty()
            && (self.entries.len() >= TABLES_MAX
                || self.key_bytes.saturating_add(key.len()) > TABLES_BYTES_MAX)
        {
            self.forget_oldest();
        }
        let id = TableId(self.next);
        self.next += 1;
        self.key_bytes += key.len();
        self.by_key.insert(key.clone(), id);
        let entry = Entry {
            schema: Arc::new(schema),
            decision: Decision::Undecided,
            key,
        };
        self.entries.insert(id, entry);
        self.last = id;
        id
    }

    pub(crate) fn get(&self, id: TableId) -> Option<&Entry> {
        self.entries.get(&id)
    }

    pub(crate) fn plan(&mut self, id: TableId, plan: &TablePlan) -> Result<(), WrongPlan> {
        let entry = self.entries.get_mut(&id);
        entry.ok_or(WrongPlan::UnknownTable)?.decide(plan)
    }

    fn forget_oldest(&mut self) {
        if let Some((_, entry)) = self.entries.pop_first() {
            self.key_bytes -= entry.key.len();
            self.by_key.remove(&entry.key);
        }
    }
}

fn key(table: &str, columns: &[u8]) -> Vec<u8> {
    [table.as_bytes(), &[SEPARATOR], columns].concat()
}

fn is_key(key: &[u8], table: &str, columns: &[u8]) -> bool {
    key.len() == table.len() + 1 + columns.len()
        && key.ends_with(columns)
        && key.starts_with(table.as_bytes())
        && key.get(table.len()) == Some(&SEPARATOR)
}
