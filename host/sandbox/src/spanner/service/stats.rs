//! What the sandbox has seen, for tests to look at.

use std::collections::{BTreeMap, VecDeque};

use googleapis_tonic_google_spanner_v1::google::spanner::v1::ExecuteSqlRequest;
use tonic::metadata::MetadataMap;

use crate::{grpc, spanner::batch::SeenBatch, watched::Watched};

/// The most requests that are kept; the oldest are forgotten first.
pub const REQUESTS_KEPT_MAX: usize = 10_000;

/// The key of queries without a token in [`Stats::opened`].
pub const ROOT: &str = "";

/// What the sandbox has seen so far.
#[derive(Clone, Debug, Default)]
pub struct Stats {
    /// Change-stream queries opened, by token; [`ROOT`] for those without one.
    pub opened: BTreeMap<String, u64>,
    /// Change-stream queries that are open now.
    pub open: usize,
    /// The most that were open at once.
    pub open_max: usize,
    /// Messages sent on change-stream queries that have ended.
    pub messages: u64,
    /// Sessions created.
    pub sessions: u64,
    /// Sessions that were created and not deleted, those that the service forgot too.
    pub sessions_left: u64,
    /// The latest SQL requests, the earliest first; at most [`REQUESTS_KEPT_MAX`].
    pub requests: VecDeque<Seen>,
    /// The latest calls of batch reads, the earliest first; at most [`REQUESTS_KEPT_MAX`]. Statements
    /// with a partition token are among `requests`, too.
    pub batch: VecDeque<SeenBatch>,
    /// Streams of rows that are open now.
    pub rows_open: usize,
    /// The most that were open at once.
    pub rows_open_max: usize,
    /// Messages sent on streams of rows that have ended.
    pub row_messages: u64,
}

/// One SQL request.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// The RPC's name, as in `ExecuteStreamingSql`.
    pub method: String,
    /// The statement.
    pub sql: String,
    /// The session's name.
    pub session: String,
    /// ASCII headers.
    pub headers: BTreeMap<String, String>,
    /// `request_options.priority`; 0 when not given.
    pub priority: i32,
    /// `request_options.request_tag`; empty when not given.
    pub request_tag: String,
    /// Whether `directed_read_options` were given.
    pub directed_read: bool,
}

/// What is counted, shared by everything that answers.
pub(crate) type Counters = Watched<Stats>;

impl Counters {
    pub(super) fn session(&self) {
        self.update(|stats| {
            stats.sessions += 1;
            stats.sessions_left += 1;
        });
    }

    pub(super) fn session_deleted(&self) {
        self.update(|stats| stats.sessions_left -= 1);
    }

    pub(super) fn request(&self, method: &str, headers: &MetadataMap, sql: &ExecuteSqlRequest) {
        let options = sql.request_options.clone().unwrap_or_default();
        let seen = Seen {
            method: method.to_owned(),
            sql: sql.sql.clone(),
            session: sql.session.clone(),
            headers: grpc::ascii(headers),
            priority: options.priority,
            request_tag: options.request_tag,
            directed_read: sql.directed_read_options.is_some(),
        };
        self.update(|stats| keep(&mut stats.requests, seen));
    }

    pub(super) fn batch(&self, seen: SeenBatch) {
        self.update(|stats| keep(&mut stats.batch, seen));
    }

    /// Counts a stream of rows as open until the guard is dropped.
    pub(super) fn open_rows(&self) -> OpenRows {
        self.update(|stats| {
            stats.rows_open += 1;
            stats.rows_open_max = stats.rows_open_max.max(stats.rows_open);
        });
        OpenRows {
            counters: self.clone(),
            messages: 0,
        }
    }

    /// Counts a query as open until the guard is dropped.
    pub(super) fn open(&self, token: &str) -> Open {
        self.update(|stats| {
            *stats.opened.entry(token.to_owned()).or_default() += 1;
            stats.open += 1;
            stats.open_max = stats.open_max.max(stats.open);
        });
        Open {
            counters: self.clone(),
            messages: 0,
        }
    }
}

/// An open query. Its messages are added when it ends, so that none costs a lock.
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

/// An open stream of rows. Its messages are added when it ends, so that none costs a lock.
#[derive(Debug)]
pub(crate) struct OpenRows {
    counters: Counters,
    pub(crate) messages: u64,
}

impl Drop for OpenRows {
    fn drop(&mut self) {
        self.counters.update(|stats| {
            stats.rows_open -= 1;
            stats.row_messages += self.messages;
        });
    }
}

fn keep<T>(kept: &mut VecDeque<T>, seen: T) {
    if kept.len() == REQUESTS_KEPT_MAX {
        kept.pop_front();
    }
    kept.push_back(seen);
}
