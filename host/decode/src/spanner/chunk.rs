//! A value that arrives in several frames.
//!
//! Only the last element at each level can still grow, so all before it stays encoded: a value of
//! any size costs its own bytes and one node per level.
//!
//! Source: google/spanner/v1/result_set.proto, `PartialResultSet.values` and `chunked_value`.

use std::collections::{BTreeMap, BTreeSet};

use crate::Malformed;
use crate::spanner::value::{ELEMENT, Elements, LIST, STRUCT, TEXT, Value, entry};
use crate::wire::{Fields, Payload, field_len, put_bytes, put_header};

/// Levels of lists in one value. Change records have 7; the rest is room for added fields.
const VALUE_DEPTH_MAX: u32 = 64;

/// A value of which the next frame may bring more.
#[derive(Debug)]
pub(crate) enum Chunk {
    /// A null, a number or a boolean, which is never split: the whole `Value`.
    Whole(Vec<u8>),
    /// The bytes of a string so far. A frame may end inside a character.
    Text(Vec<u8>),
    /// The elements that are complete, encoded, and the last one.
    List {
        complete: Vec<u8>,
        last: Option<Box<Chunk>>,
    },
    /// The members of an object. Frames may add to any of them.
    Object(BTreeMap<Vec<u8>, Chunk>),
}

impl Chunk {
    /// Begins with the last value of a frame that says it is chunked.
    pub(crate) fn begin(value: &[u8]) -> Result<Self, Malformed> {
        let chunk = Self::read(value, VALUE_DEPTH_MAX)?;
        match chunk {
            Self::Whole(_) => Err(Malformed::expected("a chunked string, list or object")),
            Self::Text(_) | Self::List { .. } | Self::Object(_) => Ok(chunk),
        }
    }

    /// Adds the first value of the next frame.
    pub(crate) fn merge(&mut self, value: &[u8]) -> Result<(), Malformed> {
        if self.append(value, VALUE_DEPTH_MAX)? {
            Ok(())
        } else {
            Err(Malformed::expected("a continuation of the same kind"))
        }
    }

    /// The merged value as a `Value` message. A chunk that begins with it goes on like this one:
    /// what can still grow is the last element at each level of it.
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.len());
        self.write(&mut out);
        out
    }

    fn read(value: &[u8], depth: u32) -> Result<Self, Malformed> {
        let depth = deeper(depth)?;
        let mut chunk = match Value::read(value)? {
            Value::Text(text) => return Ok(Self::Text(text.to_vec())),
            Value::List(_) => Self::List {
                complete: Vec::new(),
                last: None,
            },
            Value::Struct(_) => Self::Object(BTreeMap::new()),
            Value::Null | Value::Number(_) | Value::Bool(_) => {
                return Ok(Self::Whole(value.to_vec()));
            }
        };
        chunk.append(value, depth + 1)?;
        Ok(chunk)
    }

    /// Adds a value of the same kind; says false, and does nothing, if it cannot be added.
    fn append(&mut self, value: &[u8], depth: u32) -> Result<bool, Malformed> {
        let depth = deeper(depth)?;
        match (self, Value::read(value)?) {
            (Self::Text(text), Value::Text(more)) => text.extend_from_slice(more),
            (Self::List { complete, last }, Value::List(more)) => {
                append_elements(complete, last, more, depth)?;
            }
            (Self::Object(members), Value::Struct(more)) => {
                append_members(members, more, depth)?;
            }
            (Self::Whole(_) | Self::Text(_) | Self::List { .. } | Self::Object(_), _) => {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Bytes of the `Value` message.
    fn len(&self) -> usize {
        match self {
            Self::Whole(value) => value.len(),
            Self::Text(text) => field_len(TEXT, text.len()),
            Self::List { .. } | Self::Object(_) => field_len(LIST, self.body_len()),
        }
    }

    /// Bytes of the message inside the `Value`.
    fn body_len(&self) -> usize {
        match self {
            Self::Whole(_) | Self::Text(_) => 0,
            Self::List { complete, last } => {
                let last = last.as_ref().map(|last| field_len(ELEMENT, last.len()));
                complete.len() + last.unwrap_or(0)
            }
            Self::Object(members) => {
                let entry = |(name, value): (&Vec<u8>, &Chunk)| entry_len(name, value);
                let entries = members.iter().map(entry);
                entries.map(|len| field_len(ELEMENT, len)).sum()
            }
        }
    }

    fn write(&self, out: &mut Vec<u8>) {
        match self {
            Self::Whole(value) => out.extend_from_slice(value),
            Self::Text(text) => put_bytes(out, TEXT, text),
            Self::List { complete, last } => {
                put_header(out, LIST, self.body_len());
                out.extend_from_slice(complete);
                if let Some(last) = last {
                    put_header(out, ELEMENT, last.len());
                    last.write(out);
                }
            }
            Self::Object(members) => {
                put_header(out, STRUCT, self.body_len());
                for (name, value) in members {
                    put_header(out, ELEMENT, entry_len(name, value));
                    put_bytes(out, ENTRY_NAME, name);
                    put_header(out, ENTRY_VALUE, value.len());
                    value.write(out);
                }
            }
        }
    }
}

/// Field numbers of an entry of `Struct.fields`.
const ENTRY_NAME: u32 = 1;
const ENTRY_VALUE: u32 = 2;

fn entry_len(name: &[u8], value: &Chunk) -> usize {
    field_len(ENTRY_NAME, name.len()) + field_len(ENTRY_VALUE, value.len())
}

fn deeper(depth: u32) -> Result<u32, Malformed> {
    depth
        .checked_sub(1)
        .ok_or_else(|| Malformed::expected("at most 64 levels of lists"))
}

fn append_elements(
    complete: &mut Vec<u8>,
    last: &mut Option<Box<Chunk>>,
    list: &[u8],
    depth: u32,
) -> Result<(), Malformed> {
    let mut elements = Elements::new(list);
    let Some(first) = elements.next()? else {
        return Ok(());
    };
    let merged = match last {
        Some(last) => last.append(first, depth)?,
        None => false,
    };
    let mut newest = if merged { None } else { Some(first) };
    while let Some(element) = elements.next()? {
        if let Some(between) = newest.replace(element) {
            seal(complete, last);
            put_bytes(complete, ELEMENT, between);
        }
    }
    if let Some(newest) = newest {
        let newest = Chunk::read(newest, depth)?;
        seal(complete, last);
        *last = Some(Box::new(newest));
    }
    Ok(())
}

/// The last element is followed by another, so it cannot grow any more.
fn seal(complete: &mut Vec<u8>, last: &mut Option<Box<Chunk>>) {
    if let Some(last) = last.take() {
        put_header(complete, ELEMENT, last.len());
        last.write(complete);
    }
}

fn append_members(
    members: &mut BTreeMap<Vec<u8>, Chunk>,
    object: &[u8],
    depth: u32,
) -> Result<(), Malformed> {
    let mut fields = Fields::new(object);
    let mut seen = BTreeSet::new();
    while let Some(field) = fields.next()? {
        let (ELEMENT, Payload::Bytes(member)) = field else {
            continue;
        };
        let (name, value) = entry(member)?;
        if !seen.insert(name) {
            return Err(Malformed::expected("each member once"));
        }
        match members.get_mut(name) {
            Some(begun) => {
                if !begun.append(value, depth)? {
                    return Err(Malformed::expected("a member of the same kind"));
                }
            }
            None => {
                members.insert(name.to_vec(), Chunk::read(value, depth)?);
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
