//! One row range's frames, turned into deliveries.

use std::sync::Arc;
use std::time::Duration;

use acequia_core::{
    Covered, Item, KeyRange, Mark, PartitionId, RangeToken, ReadFailure, Resume, Successor,
    Timestamp,
};
use acequia_decode::bigtable::{
    Assembler, DropReason, Kept, MutationBatch, MutationMark, Names, NamesPlan, RowRange, Step,
    Successor as Follower,
};
use async_trait::async_trait;
use tokio::time::Instant;

use super::Inner;
use crate::bigtable::Cookies;
use crate::bigtable::request::{PartitionRead, read_change_stream};
use crate::chain::chain;
use crate::google::{CallError, FrameStream};
use crate::source::pending::Pending;
use crate::source::{Delivery, Reader, fatal, read_failure};

/// How long a closed stream may take to end. The service ends it with the close; one that is dropped
/// before that counts as cancelled, here and in the audit logs.
const END_WAIT: Duration = Duration::from_secs(1);

/// How far our clock may be ahead of the service's, which refuses a start in its future.
///
/// Source: `google.bigtable.v2.ReadChangeStreamRequest.start_time`: at the latest the current time.
const AHEAD_MAX: Duration = Duration::from_secs(60);

/// When a start that may lie in the service's future is tried again.
const AHEAD_WAIT: Duration = Duration::from_millis(200);

/// What to do about a start that is refused. A table says how long its stream keeps records, and not
/// since when there is one.
const SINCE_WHEN: &str = "; if the table's change stream was enabled after that instant, set \
     start-position to an instant since then, or to latest";

/// Reads one range from where it was left.
pub(super) struct StreamReader {
    stream: Arc<Inner>,
    partition: PartitionId,
    range: KeyRange,
    /// Where the next stream goes on: behind what was read.
    from: Resume,
    state: State,
    pending: Pending<MutationBatch>,
}

enum State {
    /// No stream is open; the next one goes on from `from`.
    Idle,
    Open(Box<Stream>),
    /// The range is closed, or its stream has ended cleanly.
    Ended,
}

/// An open stream.
struct Stream {
    frames: FrameStream,
    assembler: Assembler,
    /// When it is ended here.
    until: Option<Instant>,
    cookies: Cookies,
}

/// What waiting for a frame came to.
enum Frame {
    Pushed,
    Lingered,
    TimedOut,
    Ended,
}

impl StreamReader {
    pub(super) fn new(
        stream: Arc<Inner>,
        partition: PartitionId,
        range: KeyRange,
        from: Resume,
    ) -> Self {
        let batch = MutationBatch::of_table(stream.config.table.table.clone());
        Self {
            pending: Pending::new(batch, stream.limits),
            stream,
            partition,
            range,
            from,
            state: State::Idle,
        }
    }

    async fn open(&mut self) -> Result<Box<Stream>, ReadFailure> {
        self.refuse_what_has_expired()?;
        let config = &self.stream.config;
        let request = read_change_stream(&PartitionRead {
            range: &self.range,
            from: &self.from,
            end: config.bounded_timestamp,
            heartbeat: config.heartbeat_interval,
        });
        let after_failure = self.stream.take_failure(&self.partition);
        if after_failure.is_some() {
            self.stream.client.count_retry();
        }
        let cookies = after_failure.unwrap_or_default();
        let opened = self.stream.client.read(request, &cookies).await;
        let frames = opened.map_err(|error| self.failed(cookies.clone(), &error))?;
        let mut cookies = cookies;
        cookies.take(frames.headers());
        let timeout = config.read_change_stream_timeout;
        Ok(Box::new(Stream {
            frames,
            assembler: Assembler::new(self.stream.options()),
            until: timeout.map(|timeout| Instant::now() + timeout),
            cookies,
        }))
    }

    /// What a service does with a token that is too old is documented nowhere; skipping what is lost
    /// in silence would be one possibility.
    fn refuse_what_has_expired(&self) -> Result<(), ReadFailure> {
        let oldest = Timestamp::now().checked_sub(self.stream.retention());
        if oldest.is_ok_and(|oldest| self.from.at < oldest) {
            return Err(ReadFailure::OutOfRange {
                cause: format!("{} is older than the retention", self.from.at),
            });
        }
        Ok(())
    }

    fn failed(&self, cookies: Cookies, error: &CallError) -> ReadFailure {
        self.stream.note_failure(&self.partition, cookies, error);
        match read_failure(error) {
            ReadFailure::OutOfRange { cause } if self.may_lie_ahead() => ReadFailure::Retry {
                after: Some(AHEAD_WAIT),
                cause,
            },
            ReadFailure::OutOfRange { cause } if self.from.tokens().is_empty() => {
                ReadFailure::OutOfRange {
                    cause: format!("{cause}{SINCE_WHEN}"),
                }
            }
            failure @ (ReadFailure::Retry { .. }
            | ReadFailure::OutOfRange { .. }
            | ReadFailure::Lost { .. }
            | ReadFailure::Outdated { .. }
            | ReadFailure::Fatal { .. }) => failure,
        }
    }

    /// Whether the start may lie in the service's future. A minute later it does not, and what is
    /// refused still is refused for another reason.
    fn may_lie_ahead(&self) -> bool {
        let latest = Timestamp::now().checked_sub(AHEAD_MAX);
        self.from.tokens().is_empty() && latest.is_ok_and(|latest| self.from.at > latest)
    }

    /// Takes in everything that is decoded already. True when a delivery is complete.
    async fn assemble(&mut self, stream: &mut Stream) -> Result<bool, ReadFailure> {
        loop {
            let step = stream.assembler.next(&mut self.pending.batch);
            match step.map_err(|error| fatal(&error))? {
                Step::Empty => return Ok(false),
                Step::Unplanned(names) => {
                    let plan = self.plan(&names).await?;
                    let planned = stream.assembler.plan(&plan);
                    planned.map_err(|error| fatal(&error))?;
                }
                Step::Mutation(mark) => {
                    self.mutation(mark);
                    if self.pending.is_full() {
                        return Ok(true);
                    }
                }
                Step::Heartbeat {
                    token,
                    low_watermark,
                } => {
                    self.note(&token, low_watermark);
                    self.pending.items.push(Item::Continuation {
                        token,
                        low_watermark,
                    });
                    return Ok(true);
                }
                Step::Close {
                    code,
                    message,
                    successors,
                } => {
                    tracing::debug!(partition = %self.partition, code, message, "closed");
                    end_of(stream).await?;
                    let successors = self.successors(successors)?;
                    self.pending.items.push(Item::Closed { successors });
                    self.state = State::Ended;
                    return Ok(true);
                }
            }
        }
    }

    async fn plan(&self, names: &Names) -> Result<NamesPlan, ReadFailure> {
        let Some(filter) = &self.stream.filter else {
            return Err(ReadFailure::Fatal {
                cause: "names are asked about without a filter".to_owned(),
            });
        };
        let plan = filter.lock().await.plan_names(names).await;
        plan.map_err(|error| ReadFailure::Fatal {
            cause: format!("the names filter: {}", chain(&error)),
        })
    }

    fn mutation(&mut self, mark: MutationMark) {
        self.note(&mark.token, mark.low_watermark);
        let dropped = &mut self.pending.dropped;
        dropped.cells += u64::from(mark.entries_dropped);
        let outputs = match mark.kept {
            Kept::Appended => true,
            Kept::Dropped(DropReason::WithoutChange) => {
                dropped.without_change += 1;
                false
            }
            Kept::Dropped(DropReason::GarbageCollection | DropReason::SourceCluster) => {
                dropped.by_origin += 1;
                false
            }
        };
        self.pending.items.push(Item::Record {
            at: mark.at,
            mark: Mark::Token {
                token: mark.token,
                low_watermark: mark.low_watermark,
            },
            bytes: mark.bytes,
            outputs,
        });
    }

    /// Where a stream that is ended here goes on. Only such a one needs to know.
    fn note(&mut self, token: &str, low_watermark: Timestamp) {
        if self.stream.config.read_change_stream_timeout.is_some() {
            self.from = Resume {
                at: self.from.at.max(low_watermark),
                covered: Covered::Tokens(vec![RangeToken {
                    range: self.range.clone(),
                    token: token.into(),
                }]),
            };
        }
    }

    fn successors(&self, followers: Vec<Follower>) -> Result<Vec<Successor>, ReadFailure> {
        let successor = |follower: Follower| {
            Ok(Successor {
                target: key_range(&follower.target)?,
                token: RangeToken {
                    range: key_range(&follower.range)?,
                    token: follower.token,
                },
            })
        };
        followers.into_iter().map(successor).collect()
    }

    async fn frame(&mut self, stream: &mut Stream) -> Result<Frame, ReadFailure> {
        // A mutation that the end of its stream cuts comes again from its first message, and might be
        // cut again.
        let is_between = stream.assembler.is_between_mutations();
        let until = stream.until.filter(|_| is_between);
        // A busy stream has a frame whenever it is asked.
        if until.is_some_and(|until| until <= Instant::now()) {
            return Ok(Frame::TimedOut);
        }
        let next = async {
            match until {
                Some(until) => tokio::time::timeout_at(until, stream.frames.next()).await,
                None => Ok(stream.frames.next().await),
            }
        };
        let frame = match self.pending.wait(next).await {
            None => return Ok(Frame::Lingered),
            Some(Err(_elapsed)) => return Ok(Frame::TimedOut),
            Some(Ok(frame)) => frame,
        };
        match frame {
            Ok(Some(frame)) => {
                let pushed = stream.assembler.push(frame);
                pushed.map_err(|error| fatal(&error))?;
                Ok(Frame::Pushed)
            }
            Ok(None) if is_between => Ok(Frame::Ended),
            // What was read before goes first, and the stream says again how it ended: one that always
            // breaks must not be read from the same place for ever.
            Ok(None) | Err(_) if !self.pending.is_empty() => Ok(Frame::Lingered),
            Ok(None) => Err(ReadFailure::Retry {
                after: None,
                cause: "the stream ended inside a mutation".to_owned(),
            }),
            Err(error) => Err(self.failed(stream.cookies.clone(), &error)),
        }
    }

    /// Goes one step: a delivery if one is complete.
    async fn step(&mut self, mut stream: Box<Stream>) -> Result<Option<Delivery>, ReadFailure> {
        if self.assemble(&mut stream).await? {
            if !matches!(self.state, State::Ended) {
                self.state = State::Open(stream);
            }
            return Ok(Some(self.pending.deliver()));
        }
        let frame = self.frame(&mut stream).await?;
        self.state = match frame {
            Frame::Pushed | Frame::Lingered => State::Open(stream),
            Frame::TimedOut => State::Idle,
            Frame::Ended => State::Ended,
        };
        let is_due = !matches!(frame, Frame::Pushed) && !self.pending.is_empty();
        Ok(is_due.then(|| self.pending.deliver()))
    }
}

#[async_trait]
impl Reader for StreamReader {
    async fn next(&mut self) -> Result<Option<Delivery>, ReadFailure> {
        loop {
            let stream = match std::mem::replace(&mut self.state, State::Idle) {
                State::Ended => {
                    self.state = State::Ended;
                    return Ok(None);
                }
                State::Idle => self.open().await?,
                State::Open(stream) => stream,
            };
            if let Some(delivery) = self.step(stream).await? {
                return Ok(Some(delivery));
            }
        }
    }
}

/// Waits until a stream ends that is closed. How it does says nothing any more.
async fn end_of(stream: &mut Stream) -> Result<(), ReadFailure> {
    if let Ok(Ok(Some(more))) = tokio::time::timeout(END_WAIT, stream.frames.next()).await {
        let pushed = stream.assembler.push(more);
        pushed.map_err(|error| fatal(&error))?;
    }
    Ok(())
}

fn key_range(range: &RowRange) -> Result<KeyRange, ReadFailure> {
    KeyRange::new(&range.start, &range.end).map_err(|error| fatal(&error))
}
