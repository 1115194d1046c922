//! Where a reader starts, and what of that instant is already done.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use crate::range::KeyRange;

/// The position of a partition: everything before `at` is acknowledged, and of `at` what
/// `covered` says.
///
/// Source: Spanner change stream queries have an inclusive start timestamp
/// (<https://cloud.google.com/spanner/docs/change-streams/details>), so a reader that starts here
/// is sent what is covered again and drops it. A Bigtable stream goes on after its tokens and
/// repeats nothing; then `at` is the low watermark, which is known of a position and does not name it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resume {
    /// The start timestamp of the query.
    pub at: Timestamp,
    /// What of `at` is acknowledged.
    pub covered: Covered,
}

impl Resume {
    /// A start of which nothing is done.
    pub fn fresh(at: Timestamp) -> Self {
        Self {
            at,
            covered: Covered::Nothing,
        }
    }

    /// Whether the record is before this position, so that a reader drops it.
    pub fn covers(&self, at: Timestamp, transaction: &str, sequence: &str) -> bool {
        if at != self.at {
            return at < self.at;
        }
        match &self.covered {
            Covered::Nothing | Covered::Tokens(_) | Covered::Rows(_) => false,
            Covered::Some(boundary) => boundary.covers(transaction, sequence),
            Covered::All => true,
        }
    }

    /// The largest instant up to which every change is acknowledged.
    pub fn watermark(&self) -> Timestamp {
        match self.covered {
            Covered::All => self.at,
            Covered::Nothing | Covered::Some(_) | Covered::Tokens(_) | Covered::Rows(_) => {
                one_tick_before(self.at)
            }
        }
    }

    /// Whether everything up to and including `at` is acknowledged.
    pub fn includes_all_of(&self, at: Timestamp) -> bool {
        self.at > at || (self.at == at && self.covered == Covered::All)
    }

    pub(crate) fn advance_to(&mut self, at: Timestamp) {
        if at > self.at {
            *self = Self::fresh(at);
        }
    }

    pub(crate) fn pass_record(&mut self, at: Timestamp, transaction: Box<str>, sequence: Box<str>) {
        if at < self.at {
            return;
        }
        if at > self.at {
            self.at = at;
            match &mut self.covered {
                // Most records have an instant of their own: the set's memory is used again.
                Covered::Some(boundary) => boundary.empty(),
                Covered::Nothing | Covered::All | Covered::Tokens(_) | Covered::Rows(_) => {
                    self.covered = Covered::Nothing;
                }
            }
        }
        match &mut self.covered {
            Covered::Nothing => {
                let mut boundary = Boundary::default();
                boundary.0.insert(transaction, sequence);
                self.covered = Covered::Some(boundary);
            }
            Covered::Some(boundary) => {
                boundary.0.insert(transaction, sequence);
            }
            Covered::All | Covered::Tokens(_) | Covered::Rows(_) => {}
        }
    }

    /// Goes to the token. A low watermark may be below one that was sent before.
    pub(crate) fn pass_token(
        &mut self,
        range: &KeyRange,
        token: Box<str>,
        low_watermark: Timestamp,
    ) {
        self.at = self.at.max(low_watermark);
        if let Covered::Tokens(tokens) = &mut self.covered
            && let [only] = tokens.as_mut_slice()
            && only.range == *range
        {
            only.token = token;
        } else {
            let range = range.clone();
            self.covered = Covered::Tokens(vec![RangeToken { range, token }]);
        }
    }

    /// The tokens that it goes on from; none if it starts at the instant.
    pub fn tokens(&self) -> &[RangeToken] {
        match &self.covered {
            Covered::Tokens(tokens) => tokens,
            Covered::Nothing | Covered::Some(_) | Covered::All | Covered::Rows(_) => &[],
        }
    }

    /// How far a part of a snapshot is read.
    pub fn rows(&self) -> RowsRead {
        match &self.covered {
            Covered::Rows(rows) => rows.clone(),
            Covered::Nothing | Covered::Some(_) | Covered::All | Covered::Tokens(_) => {
                RowsRead::default()
            }
        }
    }

    /// How many rows of a part of a snapshot are done.
    pub fn rows_done(&self) -> u64 {
        match &self.covered {
            Covered::Rows(rows) => rows.next,
            Covered::Nothing | Covered::Some(_) | Covered::All | Covered::Tokens(_) => 0,
        }
    }

    pub(crate) fn pass_row(&mut self, number: u64) {
        let next = number.saturating_add(1);
        if let Covered::Rows(rows) = &mut self.covered {
            rows.next = next;
        } else {
            self.covered = Covered::Rows(RowsRead { from: None, next });
        }
    }

    /// A token that comes again, since reading began before it, moves nothing.
    pub(crate) fn pass_row_token(&mut self, token: RowToken) {
        let mut rows = self.rows();
        if rows.first_sent() <= token.row && token.row <= rows.next {
            rows.from = Some(token);
            self.covered = Covered::Rows(rows);
        }
    }

    pub(crate) fn pass_all_of(&mut self, at: Timestamp) {
        if at >= self.at {
            *self = Self {
                at,
                covered: Covered::All,
            };
        }
    }
}

/// What of one commit timestamp is acknowledged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Covered {
    /// Nothing.
    Nothing,
    /// The records of this set.
    Some(Boundary),
    /// Everything: the source said that all changes up to the instant were returned.
    All,
    /// What lies before these tokens, whatever its instant.
    Tokens(Vec<RangeToken>),
    /// So many rows of a part of a snapshot, all of which are of one instant.
    Rows(RowsRead),
}

/// How far a part of a snapshot is read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct RowsRead {
    /// Where the stream goes on; none for its beginning.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<RowToken>,
    /// How many rows are done, counted from the beginning. Those from the token's row on are sent
    /// again, and dropped.
    pub next: u64,
}

impl RowsRead {
    /// The number of the first row that the stream sends.
    pub fn first_sent(&self) -> u64 {
        self.from.as_ref().map_or(0, |token| token.row)
    }
}

/// Where a stream of rows can go on.
///
/// Source: google/spanner/v1/result_set.proto, `PartialResultSet.resume_token`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct RowToken {
    /// Opaque.
    pub token: Box<str>,
    /// What the decoder had of an unfinished row: a token may lie inside one. Opaque; empty for none.
    #[serde(default, skip_serializing_if = "str::is_empty")]
    pub carry: Box<str>,
    /// The number of the first row that is finished after it.
    pub row: u64,
}

/// Where a stream goes on with the keys of a range: what lies before the token was returned.
///
/// Source: `google.bigtable.v2.StreamContinuationToken`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct RangeToken {
    /// The keys that it speaks of.
    pub range: KeyRange,
    /// Opaque.
    pub token: Box<str>,
}

/// Per transaction, the last acknowledged record sequence at one commit timestamp.
///
/// Source: record sequences are unique and grow within a transaction
/// (<https://cloud.google.com/spanner/docs/change-streams/details#data-change-records>), so the
/// last one stands for all before it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Boundary(BTreeMap<Box<str>, Box<str>>);

impl Boundary {
    /// Whether the record is in the set: its sequence is not above the saved one, as text.
    pub fn covers(&self, transaction: &str, sequence: &str) -> bool {
        self.0
            .get(transaction)
            .is_some_and(|last| sequence <= &**last)
    }

    /// Takes everything out, one by one, which keeps the memory of a small set.
    fn empty(&mut self) {
        while self.0.pop_first().is_some() {}
    }

    /// Number of transactions.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl FromIterator<(Box<str>, Box<str>)> for Boundary {
    fn from_iter<T: IntoIterator<Item = (Box<str>, Box<str>)>>(entries: T) -> Self {
        Self(entries.into_iter().collect())
    }
}

/// Timestamps have whole nanoseconds, the unit of Spanner's TIMESTAMP.
pub(crate) fn one_tick_before(at: Timestamp) -> Timestamp {
    at.checked_sub(SignedDuration::from_nanos(1)).unwrap_or(at)
}

pub(crate) fn one_tick_after(at: Timestamp) -> Timestamp {
    at.checked_add(SignedDuration::from_nanos(1)).unwrap_or(at)
}
