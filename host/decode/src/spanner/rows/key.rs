//! The primary key of a row, byte for byte as `keys` of its change records.
//!
//! `keys` is a JSON value of the database, so its text is the one that the dialect gives all of
//! its JSON values: members sorted by name in GoogleSQL, and in PostgreSQL by the length of their
//! names first, with a space after each colon and comma.
//!
//! Source: https://cloud.google.com/spanner/docs/working-with-json and
//! https://cloud.google.com/spanner/docs/working-with-jsonb, "Specifications".

use crate::Texts;
use crate::rows::HeadColumn;
use crate::spanner::json::push_string;

/// How a dialect writes the primary key of a row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum KeyJson {
    /// `{"a":"1","bb":"2"}`, members sorted by name.
    #[default]
    GoogleSql,
    /// `{"b": "2", "aa": "1"}`, shorter names first.
    Postgres,
}

/// The members of a key, and where their values stand among the cells of a row.
#[derive(Debug)]
pub(crate) struct Key(Vec<(Vec<u8>, usize)>);

impl Key {
    /// A key of these columns; none if there are none, or if not all are among the columns.
    pub(crate) fn new(json: KeyJson, key: &[String], columns: &[HeadColumn]) -> Option<Self> {
        let place = |name: &&str| columns.iter().position(|column| column.name == *name);
        let mut names: Vec<&str> = key.iter().map(String::as_str).collect();
        match json {
            KeyJson::GoogleSql => names.sort_unstable(),
            KeyJson::Postgres => names.sort_unstable_by_key(|name| (name.len(), *name)),
        }
        let (comma, colon) = match json {
            KeyJson::GoogleSql => (&b","[..], &b":"[..]),
            KeyJson::Postgres => (&b", "[..], &b": "[..]),
        };
        let mut members = Vec::new();
        for name in &names {
            let mut begin = if members.is_empty() { &b"{"[..] } else { comma }.to_vec();
            push_string(&mut begin, name);
            begin.extend_from_slice(colon);
            members.push((begin, place(name)?));
        }
        Some(Self(members)).filter(|key| !key.0.is_empty())
    }

    /// Writes the key of the row whose cells begin at `first`.
    pub(crate) fn push(&self, out: &mut Vec<u8>, cells: &Texts, first: usize) {
        for (begin, place) in &self.0 {
            out.extend_from_slice(begin);
            out.extend_from_slice(cells.get(first + place).unwrap_or_default());
        }
        out.push(b'}');
    }
}
