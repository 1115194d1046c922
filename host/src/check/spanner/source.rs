//! Whether the database has the stream, and what the stream watches.

use super::remedy;
use crate::chain::chain;
use crate::check::answer::{self, in_time};
use crate::check::findings::Findings;
use crate::check::{SourceSeen, SpannerSeen, Topic, WouldRead};
use crate::config::SpannerChangeStream;
use crate::spanner::Client;
use crate::spanner::discovery::{self, Described};
use crate::spanner::request::{Dialect, PartitionMode};
use crate::spanner::watch_list::{WatchList, watch_list};

/// What the service said.
pub(super) struct Known {
    pub(super) described: Described,
    /// None where it could not be asked.
    pub(super) watch_list: Option<WatchList>,
}

/// A client that leaves nothing behind.
pub(super) fn client(stream: &SpannerChangeStream, findings: &mut Findings) -> Option<Client> {
    match Client::for_a_look(&stream.database, &stream.connection, &stream.requests) {
        Ok(client) => Some(client),
        Err(error) => {
            let remedy = "correct the option that is named";
            findings.misconfigured(Topic::Source, chain(&error), remedy);
            None
        }
    }
}

/// Asks what the stream is and what it watches.
pub(super) async fn look(
    stream: &SpannerChangeStream,
    client: &Client,
    findings: &mut Findings,
    would_read: &mut WouldRead,
) -> Option<Known> {
    findings.begin(format!("asking {}", asked(stream)));
    let described = match in_time(discovery::describe(client, &stream.change_stream)).await {
        Ok(Ok(described)) => described,
        Ok(Err(error)) => {
            let seen = format!("{}: {}", asked(stream), chain(&error));
            let remedy = remedy::of_discovery(&error, stream);
            findings.failure(Topic::Source, seen, remedy);
            return None;
        }
        Err(_elapsed) => {
            silent(stream, findings);
            return None;
        }
    };
    let watch_list = ask_watch_list(stream, client, described.dialect, findings).await;
    let seen = seen(stream, &described, watch_list.as_ref());
    findings.ok(Topic::Source, told(stream, &seen, watch_list.as_ref()));
    would_read.source = Some(SourceSeen::Spanner(seen));
    Some(Known {
        described,
        watch_list,
    })
}

/// Tells that an answer did not come.
pub(super) fn silent(stream: &SpannerChangeStream, findings: &mut Findings) {
    answer::silent(&asked(stream), findings);
}

/// Who was asked about which database.
fn asked(stream: &SpannerChangeStream) -> String {
    format!("{} at {}", stream.database, remedy::server(stream))
}

async fn ask_watch_list(
    stream: &SpannerChangeStream,
    client: &Client,
    dialect: Dialect,
    findings: &mut Findings,
) -> Option<WatchList> {
    let error = match in_time(watch_list(client, dialect, &stream.change_stream)).await {
        Ok(Ok(list)) => {
            if list.tables.is_empty() {
                findings.warning(
                    Topic::Source,
                    format!("{} watches no table", stream.change_stream),
                    "create the tables, or ALTER CHANGE STREAM … SET FOR to name some",
                );
            }
            return Some(list);
        }
        Ok(Err(error)) => error,
        Err(_elapsed) => {
            silent(stream, findings);
            return None;
        }
    };
    // A run does not ask for it.
    findings.warning(
        Topic::Source,
        format!("what the stream watches is not known: {}", chain(&error)),
        remedy::of_call(&error, stream),
    );
    None
}

fn seen(
    stream: &SpannerChangeStream,
    described: &Described,
    watch_list: Option<&WatchList>,
) -> SpannerSeen {
    SpannerSeen {
        database: stream.database.to_string(),
        change_stream: stream.change_stream.to_string(),
        dialect: match described.dialect {
            Dialect::GoogleSql => "GOOGLE_STANDARD_SQL",
            Dialect::PostgreSql => "POSTGRESQL",
        },
        partition_mode: match described.mode {
            PartitionMode::Immutable => "IMMUTABLE_KEY_RANGE",
            PartitionMode::Mutable => "MUTABLE_KEY_RANGE",
        },
        watches_everything: watch_list.map(|list| list.everything),
    }
}

fn told(stream: &SpannerChangeStream, seen: &SpannerSeen, list: Option<&WatchList>) -> String {
    let watches = match list {
        Some(list) if list.everything => {
            format!(", watches everything, now {} tables", list.tables.len())
        }
        Some(list) => format!(", watches {} tables", list.tables.len()),
        None => String::new(),
    };
    format!(
        "{} is {} and has {}, {}{watches}",
        asked(stream),
        seen.dialect,
        seen.change_stream,
        seen.partition_mode,
    )
}
