//! What the service checks before a change-stream query starts, with its codes and texts.
//!
//! Source of texts: Cloud Spanner emulator 1.5.28, observed; the service's are close.

use std::time::Duration;

use googleapis_tonic_google_spanner_v1::google::spanner::v1::{
    ExecuteSqlRequest, TransactionSelector,
    transaction_options::{Mode as TransactionMode, read_only::TimestampBound},
    transaction_selector::Selector,
};
use jiff::Timestamp;
use tonic::Status;

use super::arguments::Arguments;
use crate::{
    clock::{after, before, rfc3339},
    spanner::{fault::expired, history::Recorded, script::Mode},
};

/// Source: <https://cloud.google.com/spanner/docs/change-streams/details>, heartbeat_milliseconds.
const HEARTBEAT_MAX: Duration = Duration::from_millis(300_000);

/// How far ahead of now a query may start.
const AHEAD_MAX: Duration = Duration::from_secs(600);

/// How long a query of a stream with mutable key ranges may last.
const WINDOW_MAX: Duration = Duration::from_secs(30 * 60);

/// What the checks depend on.
#[derive(Clone, Debug)]
pub(super) struct Rules {
    pub(super) stream: String,
    pub(super) mode: Mode,
    pub(super) retention: Duration,
    pub(super) heartbeat_min: Duration,
}

/// A query that may run.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    pub(super) start: Timestamp,
    pub(super) end: Option<Timestamp>,
    pub(super) token: Option<String>,
    pub(super) heartbeat: Duration,
}

/// The transaction must be a strong read that is used once, or left out.
pub(super) fn transaction(request: &ExecuteSqlRequest) -> Result<(), Status> {
    let Some(TransactionSelector {
        selector: Some(selector),
    }) = &request.transaction
    else {
        return Ok(());
    };
    match selector {
        Selector::Id(_) | Selector::Begin(_) => Err(unsupported("multi use transactions")),
        Selector::SingleUse(options) => match &options.mode {
            Some(TransactionMode::ReadOnly(read)) => match read.timestamp_bound {
                None | Some(TimestampBound::Strong(true)) => Ok(()),
                Some(_) => Err(unsupported("stale reads")),
            },
            Some(TransactionMode::ReadWrite(_) | TransactionMode::PartitionedDml(_)) | None => {
                Err(unsupported("transactions that are not read-only"))
            }
        },
    }
}

pub(super) fn unsupported(what: &str) -> Status {
    Status::invalid_argument(format!(
        "Change stream queries are not supported for {what}. Change stream queries must be strong \
         reads executed via single use transactions using the ExecuteStreamingSql API."
    ))
}

/// A flood's messages are encoded from its beginning on.
pub(super) fn from_the_beginning(asked: &Asked, stream: &Recorded) -> Result<(), Status> {
    if asked.start > stream.created {
        return Err(Status::failed_precondition(
            "a flood is read from its beginning only",
        ));
    }
    Ok(())
}

impl Rules {
    /// Checks what was asked against the stream as it stands at `now`.
    pub(super) fn check(
        &self,
        arguments: Arguments,
        stream: &Recorded,
        now: Timestamp,
    ) -> Result<Asked, Status> {
        let Arguments {
            start,
            end,
            token,
            heartbeat,
        } = arguments;
        if heartbeat < self.heartbeat_min || heartbeat > HEARTBEAT_MAX {
            return Err(Status::out_of_range(format!(
                "heartbeat_milliseconds must be within min {} and max {} milliseconds",
                self.heartbeat_min.as_millis(),
                HEARTBEAT_MAX.as_millis()
            )));
        }
        self.end(start, end, now)?;
        if let Some(token) = &token {
            self.token(token, stream, now)?;
        }
        let earliest = self.earliest(stream, now);
        if start < earliest {
            return Err(Status::out_of_range(format!(
                "Specified start_timestamp is too far in the past. Please specify a \
                 start_timestamp within the earliest read timestamp: {}",
                rfc3339(earliest)
            )));
        }
        if start > after(now, AHEAD_MAX) {
            return Err(Status::out_of_range(
                "Specified start_timestamp is too far in the future. Please specify a \
                 start_timestamp within 10 minutes of now",
            ));
        }
        if let Some(token) = &token {
            self.life(token, start, stream)?;
        }
        Ok(Asked {
            start,
            end,
            token,
            heartbeat,
        })
    }

    fn end(&self, start: Timestamp, end: Option<Timestamp>, now: Timestamp) -> Result<(), Status> {
        if end.is_some_and(|end| end < start) {
            return Err(Status::invalid_argument(
                "If end_timestamp is specified, start_timestamp must be <= end_timestamp",
            ));
        }
        // Source: apache/beam PR #34967 and #37459, where the service refuses other windows.
        let latest = after(now.max(start), WINDOW_MAX);
        if self.mode == Mode::Mutable && end.is_none_or(|end| end > latest) {
            return Err(Status::invalid_argument(
                "end_timestamp must be specified and within 30 minutes of the later of now and \
                 start_timestamp for a change stream with partition_mode MUTABLE_KEY_RANGE",
            ));
        }
        Ok(())
    }

    fn token(&self, token: &str, stream: &Recorded, now: Timestamp) -> Result<(), Status> {
        let Some(partition) = stream.partitions.get(token) else {
            return Err(Status::invalid_argument(format!(
                "Specified partition_token is invalid, as it does not belong to the Change Stream \
                 {}",
                self.stream
            )));
        };
        let gone = partition
            .end
            .as_ref()
            .is_some_and(|(end, _)| *end < self.earliest(stream, now));
        if gone { Err(expired()) } else { Ok(()) }
    }

    fn life(&self, token: &str, start: Timestamp, stream: &Recorded) -> Result<(), Status> {
        let Some(partition) = stream.partitions.get(token) else {
            return Ok(());
        };
        let end = partition.end.as_ref().map(|(end, _)| *end);
        if start >= partition.start && end.is_none_or(|end| start <= end) {
            return Ok(());
        }
        let end = end.map_or_else(|| "the end of time".to_owned(), rfc3339);
        Err(Status::out_of_range(format!(
            "Specified start_timestamp is invalid for the partition. Please specify a \
             start_timestamp within {} and {end}",
            rfc3339(partition.start)
        )))
    }

    fn earliest(&self, stream: &Recorded, now: Timestamp) -> Timestamp {
        stream.created.max(before(now, self.retention))
    }
}
