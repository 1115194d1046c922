//! The primary key of a row, byte for byte as `keys` of its change records.
//!
//! `keys` is a JSON value: a JSON column in GoogleSQL, a part of a JSONB value in PostgreSQL. What
//! was seen of it is in both dialects the text that GoogleSQL gives its JSON: members sorted by
//! name, no spaces, numbers as they are written in `json/write.rs`.
//!
//! Source: the Cloud Spanner emulator 1.5.28, read with both dialects, which departs from the
//! values of the row only where it loses them (it drops the fraction of a TIMESTAMP and writes NaN
//! as null); https://cloud.google.com/spanner/docs/working-with-json and
//! https://cloud.google.com/spanner/docs/working-with-jsonb, "Specifications".

use crate::Texts;
use crate::rows::HeadColumn;
use crate::spanner::json::push_string;

/// How the change records of a database write the primary key of a row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum KeyJson {
    /// `{"a":"1","bb":"2"}`: members sorted by name. GoogleSQL, and what the emulator sends of
    /// PostgreSQL.
    #[default]
    Json,
    /// `{"b": "2", "aa": "1"}`: shorter names first, then by name, and spaces. This is how the
    /// documentation has a JSONB value written; no record of the service's was seen.
    Jsonb,
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
            KeyJson::Json => names.sort_unstable(),
            KeyJson::Jsonb => names.sort_unstable_by_key(|name| (name.len(), *name)),
        }
        let (comma, colon) = match json {
            KeyJson::Json => (&b","[..], &b":"[..]),
            KeyJson::Jsonb => (&b", "[..], &b": "[..]),
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

#[cfg(test)]
mod tests {
    use super::*;

    fn written(json: KeyJson, key: &[&str], cells: &[(&str, &str)]) -> Option<String> {
        let columns = cells.iter().map(|(name, _)| HeadColumn {
            name: (*name).to_owned(),
            type_json: String::new(),
            is_key: true,
        });
        let columns: Vec<_> = columns.collect();
        let key: Vec<_> = key.iter().map(|&name| name.to_owned()).collect();
        let mut texts = Texts::default();
        for (_, value) in cells {
            texts.push(value.as_bytes());
        }
        let mut out = Vec::new();
        Key::new(json, &key, &columns)?.push(&mut out, &texts, 0);
        Some(String::from_utf8(out).unwrap())
    }

    /// The key of a table with `PRIMARY KEY (bb, a DESC, Zed, f32, byt, d, bo, é)`, as the emulator
    /// sends it.
    #[test]
    fn members_are_sorted_by_the_bytes_of_their_names() {
        let cells = [
            ("bb", r#""plain""#),
            ("v", r#""not of the key""#),
            ("a", r#""12""#),
            ("Zed", "1.5e-07"),
            ("byt", r#""AP8=""#),
            ("bo", "true"),
            ("\u{e9}", "null"),
        ];
        let key = ["bb", "a", "Zed", "byt", "bo", "\u{e9}"];
        let expected = "{\"Zed\":1.5e-07,\"a\":\"12\",\"bb\":\"plain\",\"bo\":true,\"byt\":\"AP8=\",\"\u{e9}\":null}";
        assert_eq!(
            written(KeyJson::Json, &key, &cells).as_deref(),
            Some(expected)
        );
    }

    #[test]
    fn jsonb_sorts_by_length_first_and_has_spaces() {
        let cells = [("bb", "1"), ("a", "2"), ("aa", "3"), ("Z", "4")];
        let written = written(KeyJson::Jsonb, &["bb", "a", "aa", "Z"], &cells);
        assert_eq!(
            written.as_deref(),
            Some(r#"{"Z": 4, "a": 2, "aa": 3, "bb": 1}"#)
        );
    }

    #[test]
    fn there_is_no_key_where_one_of_its_columns_was_not_read() {
        assert_eq!(written(KeyJson::Json, &["a", "b"], &[("a", "1")]), None);
        assert_eq!(written(KeyJson::Json, &[], &[("a", "1")]), None);
    }
}
