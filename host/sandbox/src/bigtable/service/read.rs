//! One open read: what it sends, when it waits, how it ends.

use std::{collections::VecDeque, sync::Arc, time::Duration};

use bytes::Bytes;
use futures::Stream;
use jiff::Timestamp;
use tokio::time::Instant;
use tonic::Status;

use super::{flood::Flow, stats::Open};
use crate::{
    bigtable::{
        fault::{On, SLOW_READER},
        history::{KeyRange, Logged},
        script::{Closes, TokenRanges, Wire},
        wire::{self, Ending},
        world::{Reader, Reading, World},
    },
    clock::after,
    strike::Strike,
};

/// What a read works with.
#[derive(Debug)]
pub(super) struct Read {
    pub(super) world: Arc<World>,
    pub(super) reader: Reader,
    pub(super) heartbeat: Duration,
    pub(super) wire: Wire,
    pub(super) closes: Closes,
    pub(super) slow_reader_after: Option<Duration>,
    pub(super) strike: Strike<On>,
    pub(super) open: Open,
    /// What a flood has, before anything else is read.
    pub(super) flow: Option<Flow>,
    /// What is encoded and not sent.
    pub(super) messages: VecDeque<Bytes>,
    /// When a message was handed over that has not been asked after since.
    pub(super) handed_over: Option<Instant>,
    pub(super) sent_at: Timestamp,
    pub(super) stage: Stage,
}

/// Where a read stands once its current messages are sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// It asks for more.
    Reads,
    /// It ends.
    Ends,
    /// It has ended.
    Over,
}

type Message = Result<Bytes, Status>;

impl Read {
    pub(super) fn messages(self) -> impl Stream<Item = Message> + Send {
        futures::stream::unfold(self, |mut read| async move {
            let message = read.message().await?;
            Some((message, read))
        })
    }

    async fn message(&mut self) -> Option<Message> {
        if self.was_slow() {
            self.stage = Stage::Over;
            return Some(Err(Status::aborted(SLOW_READER)));
        }
        loop {
            if self.stage == Stage::Over {
                return None;
            }
            if let Some(what) = self.strike.due(self.open.messages) {
                self.stage = Stage::Over;
                return self.strike.carry_out(&what).await.map(Err);
            }
            if let Some(message) = self.messages.pop_front() {
                self.open.messages += 1;
                self.handed_over = Some(Instant::now());
                return Some(Ok(message));
            }
            if self.stage == Stage::Ends {
                return None;
            }
            self.read().await;
        }
    }

    /// Whether the transport, whose window the client leaves full, came back late.
    fn was_slow(&mut self) -> bool {
        let waited = self.handed_over.take().map(|since| since.elapsed());
        match (waited, self.slow_reader_after) {
            (Some(waited), Some(most)) => waited > most,
            _ => false,
        }
    }

    /// Fetches what comes next, or waits until something may.
    async fn read(&mut self) {
        if let Some(flow) = &mut self.flow {
            let reader = &mut self.reader;
            let next = flow.next(&mut reader.position, &self.world.clock, reader.end);
            let messages = next.await;
            if !messages.is_empty() {
                return messages.into_iter().for_each(|message| self.send(message));
            }
            self.flow = None;
        }
        // Before the world is read, so that no growth between the two is missed.
        let mut grown = self.world.grown();
        match self.world.read(&mut self.reader) {
            Reading::Mutations(mutations) => {
                for (index, logged) in mutations {
                    self.mutation(index, &logged);
                }
                // A log with little for this range must not keep the others from their turn.
                tokio::task::yield_now().await;
            }
            Reading::Misaligned(partitions) => {
                self.stage = Stage::Ends;
                if !self.strike.loses_successors() {
                    self.misaligned(partitions);
                }
            }
            Reading::Bound => {
                self.stage = Stage::Ends;
                self.send(wire::closed_at_the_bound());
            }
            Reading::Waiting(next) => {
                let due = after(self.sent_at, self.heartbeat);
                let wake = next.map_or(due, |next| next.min(due));
                tokio::select! {
                    () = self.world.clock.wait_until(wake) => {}
                    // The sender lives in the world, so this only fails when nobody reads.
                    _ = grown.changed() => {}
                }
                self.heartbeat(due);
            }
        }
    }

    fn mutation(&mut self, index: usize, logged: &Logged) {
        self.reader.position.pass(index + 1, logged.arrives);
        let ending = Ending {
            token: self.reader.position.to_token(),
            watermark: self.reader.watermark(logged.arrives),
        };
        for message in wire::messages(&self.wire, &logged.mutation, ending) {
            self.send(message);
        }
    }

    fn heartbeat(&mut self, due: Timestamp) {
        if self.world.clock.now() < due {
            return;
        }
        if let Some(watermark) = self.world.heartbeat(&mut self.reader) {
            let token = self.reader.position.to_token();
            self.send(wire::heartbeat(&self.reader.range, token, watermark));
        }
    }

    /// Source: `google/bigtable/v2/bigtable.proto`, `CloseStream`: for each partition that has keys in
    /// common with the stream's a token with the position in these keys.
    fn misaligned(&mut self, partitions: Vec<KeyRange>) {
        let tokens = partitions.iter().filter_map(|partition| {
            let common = self.reader.range.intersection(partition)?;
            let token = self.reader.position.cut(&common)?.to_token();
            let of = match self.closes.token_ranges {
                TokenRanges::Common => common,
                TokenRanges::NewPartition => partition.clone(),
            };
            Some((of, token))
        });
        let tokens = tokens.collect();
        let named = if self.closes.new_partitions {
            partitions
        } else {
            Vec::new()
        };
        self.send(wire::closed_as_misaligned(tokens, named));
    }

    fn send(&mut self, message: Bytes) {
        self.messages.push_back(message);
        self.sent_at = self.world.clock.now();
    }
}
