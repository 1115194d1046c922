//! One partition's frames, turned into deliveries.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use acequia_core::{Child, Covered, Item, Mark, PartitionId, ReadFailure, Resume, Timestamp};
use acequia_decode::spanner::{
    Assembler, ChangeBatch, ChildPartition, Described as Unplanned, DropReason, Kept, Options,
    RecordMark, Shape, Step, TablePlan,
};
use async_trait::async_trait;

use super::Inner;
use super::window::End;
use crate::chain::chain;
use crate::source::pending::Pending;
use crate::source::{Delivery, Reader, fatal, read_failure};
use crate::spanner::FrameStream;
use crate::spanner::request::{PartitionQuery, read_partition};

/// Reads one partition from where it was left.
pub(super) struct StreamReader {
    stream: Arc<Inner>,
    partition: PartitionId,
    from: Resume,
    shape: Shape,
    state: State,
    /// What is read and not delivered.
    pending: Pending<ChangeBatch>,
    /// Items that follow it, each in a delivery of its own.
    following: VecDeque<Item>,
}

enum State {
    /// No query is open; the next one goes on from `from`.
    Idle,
    Open(Box<Query>),
    /// The partition's stream has ended cleanly.
    Ended,
}

/// An open query.
struct Query {
    frames: FrameStream,
    assembler: Assembler,
    end: End,
}

impl StreamReader {
    pub(super) fn new(
        stream: Arc<Inner>,
        partition: PartitionId,
        from: Resume,
        shape: Shape,
    ) -> Self {
        let pending = Pending::new(ChangeBatch::default(), stream.limits);
        Self {
            stream,
            partition,
            from,
            shape,
            state: State::Idle,
            pending,
            following: VecDeque::new(),
        }
    }

    /// Whether all up to the configured end was read, which a run without an end did that went before.
    fn is_past_end(&self) -> bool {
        let end = self.stream.config.end;
        !self.partition.is_root() && end.is_some_and(|end| self.from.at > end)
    }

    async fn query(&self) -> Result<Box<Query>, ReadFailure> {
        let config = &self.stream.config;
        let described = &self.stream.described;
        let end = End::of(described.mode, config.end, self.from.at, Timestamp::now());
        let query = PartitionQuery {
            start: self.from.at,
            end: end.timestamp(),
            token: (!self.partition.is_root()).then(|| self.partition.as_str()),
            heartbeat_ms: millis(config.heartbeat_interval),
        };
        let options = Options {
            skip_messages_without_change: config.skip_messages_without_change,
        };
        let statement = read_partition(
            described.dialect,
            described.mode,
            &config.change_stream,
            &query,
        );
        let frames = self
            .stream
            .client
            .stream(statement)
            .await
            .map_err(|error| read_failure(&error))?;
        Ok(Box::new(Query {
            frames,
            assembler: Assembler::new(self.shape, options),
            end,
        }))
    }

    /// Takes in everything that is decoded already. True when a delivery is complete.
    async fn assemble(&mut self, query: &mut Query) -> Result<bool, ReadFailure> {
        loop {
            let from = &self.from;
            let mut covered =
                |at, transaction: &str, sequence: &str| from.covers(at, transaction, sequence);
            let step = query
                .assembler
                .next(&mut self.pending.batch, &mut covered)
                .map_err(|error| fatal(&error))?;
            match step {
                Step::Empty => return Ok(false),
                Step::Unplanned(table) => {
                    let plan = self.plan(&table).await?;
                    let planned = query.assembler.plan(table.id, plan);
                    planned.map_err(|error| fatal(&error))?;
                }
                Step::Covered => self.pending.dropped.covered += 1,
                Step::Record(mark) => {
                    self.record(mark);
                    if self.pending.is_full() {
                        return Ok(true);
                    }
                }
                Step::Heartbeat(at) => return Ok(self.item(Item::Heartbeat { at })),
                Step::Children {
                    start, partitions, ..
                } => {
                    let partitions = partitions.into_iter().map(child).collect();
                    return Ok(self.item(Item::Children { start, partitions }));
                }
                Step::PartitionStart { at, tokens, .. } => {
                    let partitions = ids(&tokens);
                    return Ok(self.item(Item::Started { at, partitions }));
                }
                Step::PartitionEnd { at, .. } => return Ok(self.item(Item::Finished { at })),
                Step::PartitionEvent {
                    at,
                    move_in,
                    move_out,
                    ..
                } => return Ok(self.moved(at, &move_in, &move_out)),
            }
        }
    }

    /// Ends the delivery with an item that is not a record.
    fn item(&mut self, item: Item) -> bool {
        self.pending.items.push(item);
        true
    }

    /// What moves out is told first: its destination may wait for it, and nothing here waits for it.
    fn moved(&mut self, at: Timestamp, sources: &[String], destinations: &[String]) -> bool {
        let out = (!destinations.is_empty()).then(|| Item::MoveOut {
            at,
            destinations: ids(destinations),
        });
        let into = (!sources.is_empty()).then(|| Item::MoveIn {
            at,
            sources: ids(sources),
        });
        self.following.extend(out.into_iter().chain(into));
        match self.following.pop_front() {
            Some(item) => self.item(item),
            None => false,
        }
    }

    /// Asks the names filter about a table that has not been seen.
    async fn plan(&self, table: &Unplanned) -> Result<TablePlan, ReadFailure> {
        let mut filter = self.stream.filter.lock().await;
        filter
            .plan(&table.table, &table.columns)
            .await
            .map_err(|error| ReadFailure::Fatal {
                cause: format!(
                    "the names filter, on table {}: {}",
                    table.table,
                    chain(&error)
                ),
            })
    }

    fn record(&mut self, mark: RecordMark) {
        let dropped = &mut self.pending.dropped;
        dropped.cells += u64::from(mark.cells_dropped);
        let outputs = match mark.kept {
            Kept::Appended => true,
            Kept::Dropped(DropReason::Table) => {
                dropped.by_table += 1;
                false
            }
            Kept::Dropped(DropReason::WithoutChange) => {
                dropped.without_change += 1;
                false
            }
        };
        self.pending.items.push(Item::Record {
            at: mark.at,
            mark: Mark::sequence(mark.transaction, mark.sequence),
            bytes: mark.bytes,
            outputs,
        });
    }

    /// The next frame, or none if the linger ran out first.
    async fn frame(&mut self, query: &mut Query) -> Result<Frame, ReadFailure> {
        let Some(frame) = self.pending.wait(query.frames.next()).await else {
            return Ok(Frame::Lingered);
        };
        match frame {
            // What was read before goes first, and the stream says again how it ended: one that always
            // breaks must not be read from the same place for ever.
            Err(_) if !self.pending.is_empty() => Ok(Frame::Lingered),
            Err(error) => Err(read_failure(&error)),
            Ok(Some(frame)) => {
                query.assembler.push(frame).map_err(|error| fatal(&error))?;
                Ok(Frame::Pushed)
            }
            Ok(None) => {
                query.assembler.finish().map_err(|error| fatal(&error))?;
                Ok(Frame::Ended)
            }
        }
    }

    /// A query ended cleanly. The end of a window is not the partition's: all up to it was returned,
    /// and the next query goes on from there. A mutable partition says nothing at its bound either.
    /// The root query is over when it has named the partitions of its start: asked again at the end of
    /// its window it would name them with another start.
    fn ended(&mut self, end: End) -> Option<Delivery> {
        self.state = State::Ended;
        let returned = match end {
            End::Window(at) if !self.partition.is_root() => {
                self.state = State::Idle;
                self.from = Resume {
                    at,
                    covered: Covered::All,
                };
                Some(at)
            }
            End::Bound(at) if self.shape == Shape::MutableProto => Some(at),
            End::Window(_) | End::Bound(_) | End::Open => None,
        };
        self.pending
            .items
            .extend(returned.map(|at| Item::Heartbeat { at }));
        (!self.pending.is_empty()).then(|| self.pending.deliver())
    }

    /// Goes one step: a delivery if one is complete.
    async fn step(&mut self, mut query: Box<Query>) -> Result<Option<Delivery>, ReadFailure> {
        if self.assemble(&mut query).await? {
            self.state = State::Open(query);
            return Ok(Some(self.pending.deliver()));
        }
        match self.frame(&mut query).await? {
            Frame::Pushed => {
                self.state = State::Open(query);
                Ok(None)
            }
            Frame::Lingered => {
                self.state = State::Open(query);
                Ok(Some(self.pending.deliver()))
            }
            Frame::Ended => Ok(self.ended(query.end)),
        }
    }
}

/// What waiting for a frame came to.
enum Frame {
    Pushed,
    Lingered,
    Ended,
}

#[async_trait]
impl Reader for StreamReader {
    async fn next(&mut self) -> Result<Option<Delivery>, ReadFailure> {
        if let Some(item) = self.following.pop_front() {
            self.item(item);
            return Ok(Some(self.pending.deliver()));
        }
        loop {
            let query = match std::mem::replace(&mut self.state, State::Idle) {
                State::Ended => {
                    self.state = State::Ended;
                    return Ok(None);
                }
                // The service refuses a query that starts past its end.
                State::Idle if self.is_past_end() => {
                    self.state = State::Ended;
                    return Ok(None);
                }
                State::Idle => self.query().await?,
                State::Open(query) => query,
            };
            if let Some(delivery) = self.step(query).await? {
                return Ok(Some(delivery));
            }
        }
    }
}

fn child(child: ChildPartition) -> Child {
    Child {
        id: PartitionId::new(&child.token),
        parents: ids(&child.parents),
    }
}

fn ids(tokens: &[String]) -> Vec<PartitionId> {
    tokens.iter().map(|token| PartitionId::new(token)).collect()
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
