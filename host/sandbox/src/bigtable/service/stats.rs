//! What the sandbox has seen, for tests to look at.

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    time::Duration,
};

use jiff::Timestamp;
use tonic::metadata::MetadataMap;

use super::request::From;
use crate::{bigtable::history::KeyRange, grpc, watched::Watched};

/// The most calls that are kept; the oldest are forgotten first.
pub const CALLS_KEPT_MAX: usize = 10_000;

/// What the names of routing cookies begin with.
const COOKIE: &str = "x-goog-cbt-cookie-";

/// What the sandbox has seen so far.
#[derive(Clone, Debug, Default)]
pub struct Stats {
    /// Reads opened, by range.
    pub opened: BTreeMap<KeyRange, u64>,
    /// Reads that are open now.
    pub open: usize,
    /// The most that were open at once.
    pub open_max: usize,
    /// Messages sent on reads that have ended.
    pub messages: u64,
    /// The values of the routing cookies that were given.
    pub cookies_given: BTreeSet<String>,
    /// Those of them that a later call brought back.
    pub cookies_returned: BTreeSet<String>,
    /// The latest calls, the earliest first; at most [`CALLS_KEPT_MAX`].
    pub calls: VecDeque<Seen>,
}

/// One call.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// The RPC's name, as in `ReadChangeStream`.
    pub method: String,
    /// The name of the table or of the app profile that it is about.
    pub name: String,
    /// The app profile's id; empty when not given.
    pub app_profile_id: String,
    /// What is to be read; of reads only.
    pub read: Option<SeenRead>,
    /// ASCII headers.
    pub headers: BTreeMap<String, String>,
}

/// What is to be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenRead {
    /// The rows.
    pub range: KeyRange,
    /// From where.
    pub from: From,
    /// The inclusive bound.
    pub end: Option<Timestamp>,
    /// How long the stream may be silent. `None`: not said.
    pub heartbeat: Option<Duration>,
}

/// What is counted, shared by everything that answers.
pub(super) type Counters = Watched<Stats>;

impl Counters {
    pub(super) fn call(&self, headers: &MetadataMap, seen: Seen) {
        let headers = grpc::ascii(headers);
        let cookies = headers.iter().filter(|(name, _)| name.starts_with(COOKIE));
        let cookies: Vec<String> = cookies.map(|(_, value)| value.clone()).collect();
        self.update(|stats| {
            let known = cookies
                .into_iter()
                .filter(|cookie| stats.cookies_given.contains(cookie));
            let known: Vec<String> = known.collect();
            stats.cookies_returned.extend(known);
            if stats.calls.len() == CALLS_KEPT_MAX {
                stats.calls.pop_front();
            }
            stats.calls.push_back(Seen { headers, ..seen });
        });
    }

    /// Puts a new routing cookie into `metadata`.
    pub(super) fn give_cookie(&self, metadata: &mut MetadataMap) {
        self.update(|stats| {
            let cookie = format!("cookie-{}", stats.cookies_given.len());
            if let Ok(value) = cookie.parse() {
                metadata.insert("x-goog-cbt-cookie-routing", value);
                stats.cookies_given.insert(cookie);
            }
        });
    }

    /// Counts a read as open until the guard is dropped.
    pub(super) fn open(&self, range: &KeyRange) -> Open {
        self.update(|stats| {
            *stats.opened.entry(range.clone()).or_default() += 1;
            stats.open += 1;
            stats.open_max = stats.open_max.max(stats.open);
        });
        Open {
            counters: self.clone(),
            messages: 0,
        }
    }
}

/// An open read. Its messages are added when it ends, so that none costs a lock.
#[derive(Debug)]
pub(super) struct Open {
    counters: Counters,
    pub(super) messages: u64,
}

impl Drop for Open {
    fn drop(&mut self) {
        self.counters.update(|stats| {
            stats.open -= 1;
            stats.messages += self.messages;
        });
    }
}
