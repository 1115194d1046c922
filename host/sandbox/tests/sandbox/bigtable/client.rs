//! A client made from the generated one, and short ways to ask.

use std::time::Duration;

use acequia_sandbox::{
    Clock, ManualClock,
    bigtable::{History, KeyRange, READER, Sandbox, Script},
};
use googleapis_tonic_google_bigtable_v2::google::bigtable::v2::{
    GenerateInitialChangeStreamPartitionsRequest, ReadChangeStreamRequest,
    ReadChangeStreamResponse, RowRange, StreamContinuationToken, StreamContinuationTokens,
    StreamPartition,
    bigtable_client::BigtableClient,
    read_change_stream_request::StartFrom,
    read_change_stream_response::{CloseStream, StreamRecord},
    row_range::{EndKey, StartKey},
};
use jiff::{SignedDuration, Timestamp};
use tonic::{
    Request, Response, Status, Streaming,
    transport::{Channel, Endpoint},
};

use super::merge::{Merged, Merger, instant};

/// The instant at which the tests' streams are created, in seconds after which others are named.
pub(crate) fn at(seconds: f64) -> Timestamp {
    let base: Timestamp = "2026-03-01T10:00:00Z".parse().unwrap();
    base.checked_add(SignedDuration::from_secs_f64(seconds))
        .unwrap()
}

pub(crate) fn range(start: &'static str, end: &'static str) -> KeyRange {
    KeyRange::new(start, end)
}

/// A sandbox whose clock stands an hour after the stream's creation.
pub(crate) fn an_hour_later(history: History) -> Script {
    Script {
        clock: Clock::Manual(ManualClock::at(at(3600.0))),
        ..Script::new(history)
    }
}

pub(crate) struct Client {
    pub(crate) data: BigtableClient<Channel>,
    pub(crate) channel: Channel,
    table: String,
}

/// What a read asks for.
#[derive(Clone, Debug)]
pub(crate) struct Ask {
    pub(crate) range: KeyRange,
    pub(crate) from: Option<StartFrom>,
    pub(crate) end: Option<Timestamp>,
    pub(crate) heartbeat: Option<Duration>,
}

/// Reads `range` from now on.
pub(crate) fn ask(range: KeyRange) -> Ask {
    Ask {
        range,
        from: None,
        end: None,
        heartbeat: None,
    }
}

impl Ask {
    pub(crate) fn since(mut self, start: Timestamp) -> Self {
        self.from = Some(StartFrom::StartTime(proto(start)));
        self
    }

    pub(crate) fn tokens(mut self, tokens: &[(KeyRange, String)]) -> Self {
        let tokens = tokens.iter().map(|(range, token)| StreamContinuationToken {
            partition: Some(partition(range)),
            token: token.clone(),
        });
        self.from = Some(StartFrom::ContinuationTokens(StreamContinuationTokens {
            tokens: tokens.collect(),
        }));
        self
    }

    pub(crate) fn token(self, token: &str) -> Self {
        let tokens = [(self.range.clone(), token.to_owned())];
        self.tokens(&tokens)
    }

    pub(crate) fn until(mut self, end: Timestamp) -> Self {
        self.end = Some(end);
        self
    }

    pub(crate) fn heartbeat(mut self, every: Duration) -> Self {
        self.heartbeat = Some(every);
        self
    }
}

/// What came on a stream.
#[derive(Clone, Debug)]
pub(crate) enum Got {
    Mutation(Merged),
    Heartbeat {
        range: KeyRange,
        token: String,
        watermark: Timestamp,
    },
    Close(Close),
}

/// The close of a stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Close {
    pub(crate) code: i32,
    pub(crate) message: String,
    pub(crate) tokens: Vec<(KeyRange, String)>,
    pub(crate) new_partitions: Vec<KeyRange>,
}

pub(crate) struct Stream {
    messages: Streaming<ReadChangeStreamResponse>,
    merger: Merger,
}

impl Stream {
    /// What comes next; `None` when the stream ended well.
    pub(crate) async fn next(&mut self) -> Result<Option<Got>, Status> {
        while let Some(message) = self.messages.message().await? {
            match message.stream_record.unwrap() {
                StreamRecord::DataChange(change) => {
                    if let Some(merged) = self.merger.push(change) {
                        return Ok(Some(Got::Mutation(merged)));
                    }
                }
                StreamRecord::Heartbeat(heartbeat) => {
                    assert!(!self.merger.is_within());
                    let token = heartbeat.continuation_token.unwrap();
                    return Ok(Some(Got::Heartbeat {
                        range: key_range(token.partition.as_ref().unwrap()),
                        token: token.token,
                        watermark: instant(heartbeat.estimated_low_watermark.unwrap()),
                    }));
                }
                StreamRecord::CloseStream(close) => {
                    assert!(!self.merger.is_within());
                    return Ok(Some(Got::Close(closed(close))));
                }
            }
        }
        assert!(!self.merger.is_within(), "a mutation is whole");
        Ok(None)
    }

    pub(crate) async fn mutation(&mut self) -> Merged {
        match self.next().await.unwrap() {
            Some(Got::Mutation(mutation)) => mutation,
            other => panic!("{other:?}"),
        }
    }

    /// The close that comes next, after which the stream ends well.
    pub(crate) async fn close(&mut self) -> Close {
        let close = match self.next().await.unwrap() {
            Some(Got::Close(close)) => close,
            other => panic!("{other:?}"),
        };
        assert!(self.next().await.unwrap().is_none());
        close
    }
}

impl Client {
    pub(crate) async fn of(sandbox: &Sandbox) -> Self {
        let address = format!("http://{}", sandbox.address());
        let endpoint = Endpoint::from_shared(address).unwrap();
        let channel = endpoint.connect().await.unwrap();
        Self {
            data: BigtableClient::new(channel.clone()).max_decoding_message_size(256 << 20),
            channel,
            table: sandbox.table().to_owned(),
        }
    }

    pub(crate) fn request(&self, ask: &Ask) -> Request<ReadChangeStreamRequest> {
        self.routed(ReadChangeStreamRequest {
            table_name: self.table.clone(),
            app_profile_id: READER.to_owned(),
            partition: Some(partition(&ask.range)),
            end_time: ask.end.map(proto),
            heartbeat_duration: ask.heartbeat.map(|every| every.try_into().unwrap()),
            start_from: ask.from.clone(),
        })
    }

    /// With the header of a table and an app profile.
    pub(crate) fn routed<T>(&self, message: T) -> Request<T> {
        let table = self.table.replace('/', "%2F");
        let header = format!("table_name={table}&app_profile_id={READER}");
        let mut request = Request::new(message);
        let metadata = request.metadata_mut();
        metadata.insert("x-goog-request-params", header.parse().unwrap());
        request
    }

    pub(crate) async fn send(
        &self,
        request: Request<ReadChangeStreamRequest>,
    ) -> Result<Response<Streaming<ReadChangeStreamResponse>>, Status> {
        self.data.clone().read_change_stream(request).await
    }

    pub(crate) async fn open(&self, ask: &Ask) -> Result<Stream, Status> {
        let messages = self.send(self.request(ask)).await?.into_inner();
        let merger = Merger::default();
        Ok(Stream { messages, merger })
    }

    /// The mutations of a bounded read, and the close after them.
    pub(crate) async fn read(&self, ask: &Ask) -> (Vec<Merged>, Close) {
        let mut stream = self.open(ask).await.unwrap();
        let mut mutations = Vec::new();
        loop {
            match stream.next().await.unwrap() {
                Some(Got::Mutation(mutation)) => mutations.push(mutation),
                Some(Got::Heartbeat { .. }) => {}
                Some(Got::Close(close)) => return (mutations, close),
                None => panic!("the stream ended without a close"),
            }
        }
    }

    /// The status with which a read is refused.
    pub(crate) async fn refusal(&self, request: Request<ReadChangeStreamRequest>) -> Status {
        match self.send(request).await {
            Err(status) => status,
            Ok(stream) => stream.into_inner().message().await.unwrap_err(),
        }
    }

    pub(crate) async fn partitions(&self) -> Vec<KeyRange> {
        let request = GenerateInitialChangeStreamPartitionsRequest {
            table_name: self.table.clone(),
            app_profile_id: READER.to_owned(),
        };
        let mut client = self.data.clone();
        let answer = client.generate_initial_change_stream_partitions(self.routed(request));
        let mut stream = answer.await.unwrap().into_inner();
        let mut partitions = Vec::new();
        while let Some(message) = stream.message().await.unwrap() {
            partitions.push(key_range(&message.partition.unwrap()));
        }
        partitions
    }
}

pub(crate) fn proto(instant: Timestamp) -> prost_types::Timestamp {
    prost_types::Timestamp {
        seconds: instant.as_second(),
        nanos: instant.subsec_nanosecond(),
    }
}

pub(crate) fn partition(range: &KeyRange) -> StreamPartition {
    StreamPartition {
        row_range: Some(RowRange {
            start_key: Some(StartKey::StartKeyClosed(range.start.clone())),
            end_key: Some(EndKey::EndKeyOpen(range.end.clone())),
        }),
    }
}

fn key_range(partition: &StreamPartition) -> KeyRange {
    match partition.row_range.as_ref().unwrap() {
        RowRange {
            start_key: Some(StartKey::StartKeyClosed(start)),
            end_key: Some(EndKey::EndKeyOpen(end)),
        } => KeyRange::new(start.clone(), end.clone()),
        other => panic!("{other:?}"),
    }
}

fn closed(close: CloseStream) -> Close {
    let status = close.status.unwrap();
    let tokens = close.continuation_tokens.into_iter();
    let tokens = tokens.map(|token| (key_range(token.partition.as_ref().unwrap()), token.token));
    Close {
        code: status.code,
        message: status.message,
        tokens: tokens.collect(),
        new_partitions: close.new_partitions.iter().map(key_range).collect(),
    }
}
