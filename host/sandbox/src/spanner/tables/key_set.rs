//! Which keys a read names.
//!
//! Source: `google/spanner/v1/keys.proto`, `KeySet` and `KeyRange`: a range's ends may be beginnings of
//! keys, and then stand for every key that begins so; a key that is named twice is read once.

use googleapis_tonic_google_spanner_v1::google::spanner::v1::{
    KeyRange, KeySet,
    key_range::{EndKeyType, StartKeyType},
};
use prost_types::ListValue;
use serde_json::Value as Json;
use tonic::Status;

use super::key::{Key, Part};

/// The keys that are read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Keys {
    All,
    Some(Vec<Span>),
}

/// A key, or what lies between two.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Span {
    start: Key,
    start_is_in: bool,
    end: Key,
    end_is_in: bool,
}

impl Keys {
    /// The keys of a table or index whose key columns have those types.
    pub(super) fn of(set: Option<&KeySet>, of: &str, types: &[Json]) -> Result<Self, Status> {
        let Some(set) = set else {
            return Ok(Self::Some(Vec::new()));
        };
        if set.all {
            return Ok(Self::All);
        }
        let key = |key: &ListValue| {
            let key = whole(key, of, types)?;
            Ok(Span {
                start: key.clone(),
                start_is_in: true,
                end: key,
                end_is_in: true,
            })
        };
        let range = |range: &KeyRange| {
            let (start, start_is_in) = match &range.start_key_type {
                Some(StartKeyType::StartClosed(key)) => (key, true),
                Some(StartKeyType::StartOpen(key)) => (key, false),
                None => return Err(bad_range("start_closed or start_open")),
            };
            let (end, end_is_in) = match &range.end_key_type {
                Some(EndKeyType::EndClosed(key)) => (key, true),
                Some(EndKeyType::EndOpen(key)) => (key, false),
                None => return Err(bad_range("end_closed or end_open")),
            };
            Ok(Span {
                start: beginning(start, of, types)?,
                start_is_in,
                end: beginning(end, of, types)?,
                end_is_in,
            })
        };
        let keys = set.keys.iter().map(key);
        keys.chain(set.ranges.iter().map(range))
            .collect::<Result<_, _>>()
            .map(Self::Some)
    }

    pub(super) fn has(&self, key: &[Part]) -> bool {
        match self {
            Self::All => true,
            Self::Some(spans) => spans.iter().any(|span| span.has(key)),
        }
    }
}

impl Span {
    fn has(&self, key: &[Part]) -> bool {
        // Compared only as far as the end is long: what begins like it is equal to it.
        let start = key.get(..self.start.len()).unwrap_or(key);
        let end = key.get(..self.end.len()).unwrap_or(key);
        let after = match start.cmp(&self.start) {
            std::cmp::Ordering::Less => false,
            std::cmp::Ordering::Equal => self.start_is_in,
            std::cmp::Ordering::Greater => true,
        };
        let before = match end.cmp(&self.end) {
            std::cmp::Ordering::Less => true,
            std::cmp::Ordering::Equal => self.end_is_in,
            std::cmp::Ordering::Greater => false,
        };
        after && before
    }
}

fn whole(key: &ListValue, of: &str, types: &[Json]) -> Result<Key, Status> {
    if key.values.len() == types.len() {
        return beginning(key, of, types);
    }
    Err(wrong_length(key, of, types))
}

fn beginning(key: &ListValue, of: &str, types: &[Json]) -> Result<Key, Status> {
    if key.values.len() > types.len() {
        return Err(wrong_length(key, of, types));
    }
    let part = |(value, r#type)| {
        Part::of(r#type, value).ok_or_else(|| {
            Status::failed_precondition(format!("A key part of {of} is not of its column's type"))
        })
    };
    key.values.iter().zip(types).map(part).collect()
}

/// Source: Cloud Spanner, as quoted in tests of GoogleCloudPlatform/DataflowTemplates.
fn wrong_length(key: &ListValue, of: &str, types: &[Json]) -> Status {
    let (wanted, given) = (types.len(), key.values.len());
    Status::failed_precondition(format!(
        "Wrong number of key parts for {of}. Expected: {wanted}. Got: {given}"
    ))
}

/// Source: Cloud Spanner emulator, `common/errors.cc`, `KeyRangeMissingStart`.
fn bad_range(wanted: &str) -> Status {
    Status::invalid_argument(format!("Key range must contain either {wanted}."))
}
