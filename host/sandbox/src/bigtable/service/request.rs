//! What a read asks for.

use std::time::Duration;

use googleapis_tonic_google_bigtable_v2::google::bigtable::v2::{
    RowRange, StreamContinuationTokens, StreamPartition,
    row_range::{EndKey, StartKey},
};
use jiff::Timestamp;
use tonic::Status;

use super::stats::SeenRead;
use crate::bigtable::history::KeyRange;

/// `google.bigtable.v2.ReadChangeStreamRequest`, with the two members of `start_from` apart: the
/// generated type keeps the later of two that are sent, and a service can refuse both.
#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct ReadRequest {
    #[prost(string, tag = "1")]
    pub(super) table_name: String,
    #[prost(string, tag = "2")]
    pub(super) app_profile_id: String,
    #[prost(message, optional, tag = "3")]
    pub(super) partition: Option<StreamPartition>,
    #[prost(message, optional, tag = "4")]
    pub(super) start_time: Option<prost_types::Timestamp>,
    #[prost(message, optional, tag = "5")]
    pub(super) end_time: Option<prost_types::Timestamp>,
    #[prost(message, optional, tag = "6")]
    pub(super) continuation_tokens: Option<StreamContinuationTokens>,
    #[prost(message, optional, tag = "7")]
    pub(super) heartbeat_duration: Option<prost_types::Duration>,
}

/// Where a reading is to start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum From {
    /// Now.
    Now,
    /// At this instant.
    Start(Timestamp),
    /// At these tokens, each with the range that it is said to be of.
    Tokens(Vec<(KeyRange, String)>),
}

impl ReadRequest {
    /// What is asked for, if it is a request.
    pub(super) fn seen(&self) -> Result<SeenRead, Status> {
        Ok(SeenRead {
            range: self.range()?,
            from: self.from()?,
            end: self.end()?,
            heartbeat: self.heartbeat()?,
        })
    }

    /// The range that is to be read.
    fn range(&self) -> Result<KeyRange, Status> {
        let partition = self.partition.as_ref();
        range(partition.ok_or_else(|| Status::invalid_argument("partition must be set"))?)
    }

    fn from(&self) -> Result<From, Status> {
        match (&self.start_time, &self.continuation_tokens) {
            (None, None) => Ok(From::Now),
            (Some(start), None) => Ok(From::Start(instant("start_time", start)?)),
            (None, Some(tokens)) => {
                let tokens = tokens.tokens.iter().map(|token| {
                    let partition = token.partition.as_ref().ok_or_else(|| {
                        Status::invalid_argument("continuation_tokens: partition must be set")
                    })?;
                    Ok((range(partition)?, token.token.clone()))
                });
                Ok(From::Tokens(tokens.collect::<Result<_, Status>>()?))
            }
            (Some(_), Some(_)) => Err(Status::invalid_argument(
                "start_time and continuation_tokens must not both be set",
            )),
        }
    }

    fn end(&self) -> Result<Option<Timestamp>, Status> {
        let end = self.end_time.as_ref();
        end.map(|end| instant("end_time", end)).transpose()
    }

    /// How long the stream may be silent, if that is said.
    fn heartbeat(&self) -> Result<Option<Duration>, Status> {
        let heartbeat = self.heartbeat_duration.map(|heartbeat| {
            let heartbeat = Duration::try_from(heartbeat).ok();
            heartbeat.filter(|heartbeat| !heartbeat.is_zero())
        });
        match heartbeat {
            Some(None) => Err(Status::invalid_argument(
                "heartbeat_duration must be positive",
            )),
            Some(heartbeat) => Ok(heartbeat),
            None => Ok(None),
        }
    }
}

/// Source: the service's own refusal, seen in flink-connector-gcp, ADR 0097: of a bound that is left
/// out the service does not say that there is none.
fn range(partition: &StreamPartition) -> Result<KeyRange, Status> {
    let range = match &partition.row_range {
        Some(RowRange {
            start_key: Some(StartKey::StartKeyClosed(start)),
            end_key: Some(EndKey::EndKeyOpen(end)),
        }) => KeyRange::new(start.clone(), end.clone()),
        Some(_) | None => {
            return Err(Status::invalid_argument(
                "partition.row_range must be the form of [start_key, end_key)",
            ));
        }
    };
    if range.is_empty() {
        return Err(Status::invalid_argument(format!(
            "partition.row_range {range} is empty"
        )));
    }
    Ok(range)
}

/// Source: `google/bigtable/v2/bigtable.proto`, `ReadChangeStreamRequest`: instants are truncated to
/// microseconds.
fn instant(field: &str, instant: &prost_types::Timestamp) -> Result<Timestamp, Status> {
    let micros = instant
        .seconds
        .checked_mul(1_000_000)
        .and_then(|micros| micros.checked_add(i64::from(instant.nanos.div_euclid(1_000))));
    micros
        .and_then(|micros| Timestamp::from_microsecond(micros).ok())
        .ok_or_else(|| Status::invalid_argument(format!("{field} is no instant")))
}
