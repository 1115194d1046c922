//! What the service checks before a read starts.

use std::time::Duration;

use jiff::Timestamp;
use tonic::{Code, Status};

use super::{names, request::From};
use crate::{
    bigtable::{
        history::{Flood, KeyRange, Pace, Recorded, tile},
        position::Position,
        script::{AppProfile, Routing, Script},
    },
    clock::before,
};

/// What the checks depend on.
#[derive(Clone, Debug)]
pub(super) struct Rules {
    pub(super) retention: Option<Duration>,
    pub(super) app_profiles: Vec<AppProfile>,
    expired: Code,
}

impl Rules {
    pub(super) fn of(script: &Script) -> Self {
        Self {
            retention: script.retention,
            app_profiles: script.app_profiles.clone(),
            expired: script.expired,
        }
    }

    /// Whether the table can be read through the app profile; an empty one is `default`.
    ///
    /// Source: `google/bigtable/v2/bigtable.proto`, `ReadChangeStreamRequest.table_name` and
    /// `app_profile_id`. Texts are our own.
    pub(super) fn readable(&self, table: &str, app_profile: &str) -> Result<Duration, Status> {
        if table != names::TABLE {
            return Err(Status::not_found(format!("Table not found: {table}")));
        }
        let id = if app_profile.is_empty() {
            "default"
        } else {
            app_profile
        };
        match self.profile(id).map(|profile| profile.routing) {
            None => Err(Status::not_found(format!("App profile not found: {id}"))),
            Some(Routing::MultiCluster) => Err(Status::failed_precondition(format!(
                "App profile {id} routes to several clusters: change streams are read with \
                 single-cluster routing only"
            ))),
            Some(Routing::SingleCluster) => self.retention.ok_or_else(|| {
                Status::failed_precondition(format!("Change stream is not enabled on {table}"))
            }),
        }
    }

    pub(super) fn profile(&self, id: &str) -> Option<&AppProfile> {
        self.app_profiles.iter().find(|profile| profile.id == id)
    }

    /// Where a read of `range` begins.
    pub(super) fn position(
        &self,
        range: &KeyRange,
        from: &From,
        stream: &Recorded,
        (now, retention): (Timestamp, Duration),
    ) -> Result<Position, Status> {
        let earliest = before(now, retention);
        match from {
            From::Now => {
                let next = stream.ready(now);
                Ok(Position::new(range.clone(), next, now))
            }
            From::Start(start) if *start > now => Err(Status::invalid_argument(
                "start_time must not be in the future",
            )),
            From::Start(start) if *start < earliest => Err(self.expired()),
            From::Start(start) if *start < stream.created => Err(Status::invalid_argument(
                "start_time must not be before the change stream was created",
            )),
            From::Start(start) => {
                let next = stream.from(*start);
                Ok(Position::new(range.clone(), next, *start))
            }
            From::Tokens(tokens) => {
                let position = joined(range, tokens)?;
                if position.at < earliest {
                    return Err(self.expired());
                }
                Ok(position)
            }
        }
    }

    /// The refusal of a position whose records are gone.
    pub(super) fn expired(&self) -> Status {
        Status::new(
            self.expired,
            "The start is before the earliest change that the change stream retains",
        )
    }
}

/// What a flood sends at once is stamped from its beginning or from a token on.
pub(super) fn from_the_beginning(flood: Option<&Flood>, from: &From) -> Result<(), Status> {
    let begins = flood.filter(|flood| matches!(flood.pace, Pace::AtOnce { .. }));
    match (begins.map(|flood| flood.since), from) {
        (Some(since), From::Start(start)) if *start > since => Err(Status::failed_precondition(
            "a flood is read from its beginning or from a token only",
        )),
        _ => Ok(()),
    }
}

/// Source: `google/bigtable/v2/bigtable.proto`, `ReadChangeStreamRequest.continuation_tokens`: a
/// single token is of exactly the partition, several cover it exactly.
fn joined(range: &KeyRange, tokens: &[(KeyRange, String)]) -> Result<Position, Status> {
    let ranges: Vec<KeyRange> = tokens.iter().map(|(range, _)| range.clone()).collect();
    if !tile(range, &ranges) {
        let ranges: Vec<String> = ranges.iter().map(ToString::to_string).collect();
        return Err(Status::invalid_argument(format!(
            "continuation_tokens must cover partition {range} exactly, not {}",
            ranges.join(" ")
        )));
    }
    let positions = tokens.iter().map(|(range, token)| {
        let position = Position::of_token(token).and_then(|position| position.cut(range));
        position.ok_or_else(|| {
            Status::invalid_argument(format!("continuation_tokens: a token is not of {range}"))
        })
    });
    let positions: Vec<Position> = positions.collect::<Result<_, Status>>()?;
    Position::joined(positions)
        .ok_or_else(|| Status::invalid_argument("continuation_tokens must not be empty"))
}
