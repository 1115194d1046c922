//! One part of a snapshot, turned into deliveries.

use std::sync::Arc;
use std::time::Duration;

use acequia_core::{Item, Mark, PartitionId, ReadFailure, Resume, RowToken, Timestamp};
use acequia_decode::rows::RowBatch;
use acequia_decode::spanner::{KeyJson, RowAssembler, RowOrigin, RowStart, RowStep};
use async_trait::async_trait;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use bytes::Bytes;

use super::{Planned, Ticket, part_failure};
use crate::source::pending::{BatchLimits, Pending};
use crate::source::{Delivery, Reader, fatal};
use crate::spanner::snapshot::Part;
use crate::spanner::{Client, FrameStream};

/// What the parts of a snapshot are read with.
#[async_trait]
pub(in crate::source) trait Source: Send + Sync + 'static {
    /// The client.
    fn client(&self) -> &Client;

    /// The reads that the snapshot is made of.
    fn reads(&self) -> &[Planned];

    /// How keys are written.
    fn key_json(&self) -> KeyJson;

    /// When a batch is closed.
    fn limits(&self) -> BatchLimits;

    /// How long the database keeps old versions of rows.
    fn kept(&self) -> Duration;

    /// Whether Data Boost serves the reads.
    fn data_boost(&self) -> bool;

    /// Whether a stream goes on from its tokens. Those of an emulator say nothing.
    fn has_tokens(&self) -> bool;

    /// Which columns of a table pass.
    ///
    /// # Errors
    ///
    /// The filter failed.
    async fn passing(&self, table: &str, columns: &[String]) -> Result<Vec<bool>, ReadFailure>;
}

/// Reads one part from where it was left.
pub(in crate::source) struct PartReader<S> {
    source: Arc<S>,
    partition: PartitionId,
    ticket: Box<str>,
    at: Timestamp,
    from: acequia_core::RowsRead,
    state: State,
    /// What is read and not delivered.
    pending: Pending<RowBatch>,
    /// The number of the row that comes next.
    row: u64,
    /// The last token that is not delivered.
    token: Option<RowToken>,
}

enum State {
    Idle,
    Open(Box<Query>),
    /// The stream has ended cleanly.
    Ended,
}

struct Query {
    frames: FrameStream,
    assembler: RowAssembler,
}

/// What waiting for a frame came to.
enum Frame {
    Pushed,
    Lingered,
    Ended,
}

impl<S: Source> PartReader<S> {
    pub(in crate::source) fn new(
        source: Arc<S>,
        partition: PartitionId,
        ticket: Box<str>,
        from: &Resume,
    ) -> Self {
        let limits = source.limits();
        Self {
            source,
            partition,
            ticket,
            at: from.at,
            from: from.rows(),
            state: State::Idle,
            pending: Pending::new(RowBatch::default(), limits),
            row: from.rows().first_sent(),
            token: None,
        }
    }

    async fn query(&self) -> Result<Box<Query>, ReadFailure> {
        let (ticket, planned) = self.ticket()?;
        let part = Part {
            session: &ticket.session,
            transaction: ticket.transaction().map_err(|error| fatal(&error))?,
            token: ticket.token().map_err(|error| fatal(&error))?,
            resume_token: self.resume_token()?,
            data_boost: self.source.data_boost(),
        };
        let assembler = RowAssembler::new(self.origin(&ticket, planned), self.start()?);
        let assembler = assembler.map_err(|error| fatal(&error))?;
        let frames = self.source.client().read_part(&planned.read, part).await;
        let frames = frames.map_err(|error| self.failed(&error))?;
        Ok(Box::new(Query { frames, assembler }))
    }

    fn ticket(&self) -> Result<(Ticket, &Planned), ReadFailure> {
        let gone = || ReadFailure::Lost {
            cause: "the saved partition is not one of what is read now".to_owned(),
        };
        let ticket = Ticket::parse(&self.ticket).map_err(|error| fatal(&error))?;
        let planned = self.source.reads().get(ticket.read).ok_or_else(gone)?;
        Ok((ticket, planned))
    }

    fn origin(&self, ticket: &Ticket, planned: &Planned) -> RowOrigin {
        let partition = self.partition.as_str();
        RowOrigin {
            table: planned.table.clone(),
            read_timestamp: self.at.to_string(),
            partition: partition.strip_prefix('#').unwrap_or(partition).to_owned(),
            hash: ticket.hash(),
            key: planned.key.clone(),
            key_json: self.source.key_json(),
        }
    }

    fn start(&self) -> Result<RowStart, ReadFailure> {
        let carry = self.from.from.as_ref().map_or("", |token| &token.carry);
        let row = self.from.first_sent();
        Ok(RowStart {
            carry: bytes_of(carry)?.into(),
            row,
            skip: self.from.next.saturating_sub(row),
        })
    }

    fn resume_token(&self) -> Result<Bytes, ReadFailure> {
        bytes_of(self.from.from.as_ref().map_or("", |token| &token.token))
    }

    fn failed(&self, error: &crate::google::CallError) -> ReadFailure {
        part_failure(error, self.at, self.source.kept())
    }

    /// Takes in everything that is decoded already. True when a delivery is complete.
    async fn assemble(&mut self, query: &mut Query) -> Result<bool, ReadFailure> {
        loop {
            let step = query.assembler.next(&mut self.pending.batch);
            match step.map_err(|error| fatal(&error))? {
                RowStep::Empty => return Ok(false),
                RowStep::Unplanned { columns } => {
                    let (_, planned) = self.ticket()?;
                    let keep = self.source.passing(&planned.table, &columns).await?;
                    let planned = query.assembler.plan(keep);
                    planned.map_err(|error| fatal(&error))?;
                }
                RowStep::Covered => {
                    self.pending.dropped.covered += 1;
                    self.row += 1;
                }
                RowStep::Row {
                    bytes,
                    cells_dropped,
                } => {
                    self.pending.dropped.cells += cells_dropped;
                    self.take_row(bytes);
                    if self.pending.is_full() {
                        return Ok(true);
                    }
                }
                RowStep::Token { token, carry } => self.take_token(&token, &carry),
            }
        }
    }

    fn take_row(&mut self, bytes: u64) {
        self.pending.items.push(Item::Record {
            at: self.at,
            mark: Mark::Row { number: self.row },
            bytes,
            outputs: true,
        });
        self.row += 1;
    }

    /// A token is told with the batch that is closed next, so that many tokens do not make small
    /// batches.
    fn take_token(&mut self, token: &[u8], carry: &[u8]) {
        if self.source.has_tokens() {
            self.token = Some(RowToken {
                token: BASE64_STANDARD.encode(token).into(),
                carry: BASE64_STANDARD.encode(carry).into(),
                row: self.row,
            });
        }
    }

    /// The next frame, or none if the linger ran out first.
    async fn frame(&mut self, query: &mut Query) -> Result<Frame, ReadFailure> {
        let Some(frame) = self.pending.wait(query.frames.next()).await else {
            return Ok(Frame::Lingered);
        };
        match frame {
            // What was read before goes first, and the stream says again how it ended.
            Err(_) if self.has_news() => Ok(Frame::Lingered),
            Err(error) => Err(self.failed(&error)),
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

    fn has_news(&self) -> bool {
        !self.pending.is_empty() || self.token.is_some()
    }

    /// Goes one step: a delivery if one is complete.
    async fn step(&mut self, mut query: Box<Query>) -> Result<Option<Delivery>, ReadFailure> {
        if self.assemble(&mut query).await? {
            self.state = State::Open(query);
            return Ok(Some(self.deliver()));
        }
        match self.frame(&mut query).await? {
            Frame::Pushed => {
                self.state = State::Open(query);
                Ok(None)
            }
            Frame::Lingered => {
                self.state = State::Open(query);
                Ok(Some(self.deliver()))
            }
            Frame::Ended => {
                self.state = State::Ended;
                Ok(self.has_news().then(|| self.deliver()))
            }
        }
    }

    fn deliver(&mut self) -> Delivery {
        let token = self.token.take();
        self.pending.items.extend(token.map(Item::Resumable));
        self.pending.deliver()
    }
}

#[async_trait]
impl<S: Source> Reader for PartReader<S> {
    async fn next(&mut self) -> Result<Option<Delivery>, ReadFailure> {
        loop {
            let query = match std::mem::replace(&mut self.state, State::Idle) {
                State::Ended => {
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

fn bytes_of(base64: &str) -> Result<Bytes, ReadFailure> {
    let bytes = BASE64_STANDARD.decode(base64);
    Ok(bytes.map_err(|error| fatal(&error))?.into())
}
