//! One open change-stream query: what it sends, when it waits, how it ends.

use std::sync::Arc;

use bytes::Bytes;
use futures::Stream;
use jiff::Timestamp;
use tonic::Status;

use super::{
    check::Asked,
    flood::{Current, Served},
    stats::Open,
};
use crate::{
    clock::after,
    spanner::{
        fault::On,
        history::Entry,
        script::FinalHeartbeat,
        wire::Framer,
        world::{Reading, World},
    },
    strike::Strike,
};

/// Messages that were encoded before, from the partition's first entry on.
#[derive(Clone, Debug)]
pub(super) struct Prepared {
    pub(super) frames: Arc<[Bytes]>,
    pub(super) entries: usize,
    pub(super) last: Timestamp,
}

/// What a query works with.
#[derive(Debug)]
pub(super) struct Query {
    pub(super) world: Arc<World>,
    pub(super) asked: Asked,
    pub(super) framer: Framer,
    pub(super) strike: Strike<On>,
    pub(super) final_heartbeat: FinalHeartbeat,
    pub(super) open: Open,
    pub(super) frames: Arc<[Bytes]>,
    pub(super) next: usize,
    pub(super) cursor: usize,
    pub(super) sent_at: Timestamp,
    pub(super) silent: bool,
    pub(super) stage: Stage,
    /// What flows steadily before anything else is read.
    pub(super) current: Option<Current>,
}

/// Where a query stands once its current messages are sent.
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

impl Query {
    /// Starts with messages that were encoded before, where the bounds allow it.
    pub(super) fn starting_with(mut self, prepared: Option<&Prepared>) -> Self {
        let now = self.world.clock.now();
        let until = self.asked.end.map_or(now, |end| end.min(now));
        if let Some(prepared) = prepared.filter(|p| self.cursor == 0 && p.last <= until) {
            self.frames = Arc::clone(&prepared.frames);
            self.cursor = prepared.entries;
            self.silent = self.frames.is_empty();
            self.framer.continues(self.frames.len());
        }
        self
    }

    /// Starts with what a flood holds, where the bounds allow it.
    pub(super) fn flooded(self, flood: &Served) -> Self {
        match flood {
            Served::AtOnce(frames, last) => {
                let prepared = Prepared {
                    frames: Arc::clone(frames),
                    entries: 0,
                    last: *last,
                };
                self.starting_with(Some(&prepared))
            }
            Served::Steady(current) => Self {
                current: Some(current.clone()),
                ..self
            },
        }
    }

    pub(super) fn messages(self) -> impl Stream<Item = Message> + Send {
        futures::stream::unfold(self, |mut query| async move {
            let message = query.message().await?;
            Some((message, query))
        })
    }

    async fn message(&mut self) -> Option<Message> {
        loop {
            if self.stage == Stage::Over {
                return None;
            }
            if let Some(what) = self.strike.due(self.open.messages) {
                self.stage = Stage::Over;
                return self.strike.carry_out(&what).await.map(Err);
            }
            if let Some(frame) = self.frames.get(self.next) {
                self.next += 1;
                self.open.messages += 1;
                return Some(Ok(frame.clone()));
            }
            if self.stage == Stage::Ends {
                return None;
            }
            self.read().await;
        }
    }

    /// Fetches what comes next, or waits until something may.
    async fn read(&mut self) {
        let Some(token) = self.asked.token.clone() else {
            return self.read_roots().await;
        };
        if let Some(mut current) = self.current.take()
            && let Some(frames) = current.due(&self.world.clock, self.asked.end).await
        {
            self.current = Some(current);
            return self.send(frames);
        }
        // Before the world is read, so that no growth between the two is missed.
        let mut grown = self.world.grown();
        match self.world.read(&token, self.cursor, self.asked.end) {
            Reading::Entries(entries) => {
                self.cursor += entries.len();
                self.load(&entries);
            }
            Reading::Closing(entries) => {
                self.stage = Stage::Ends;
                if !self.strike.loses_successors() {
                    self.load(&entries);
                }
            }
            Reading::Bound => self.bound(),
            Reading::Waiting(next) => {
                let due = after(self.sent_at, self.asked.heartbeat);
                let wake = [next, self.asked.end]
                    .into_iter()
                    .flatten()
                    .fold(due, Timestamp::min);
                tokio::select! {
                    () = self.world.clock.wait_until(wake) => {}
                    // The sender lives in the world, so this only fails when nobody reads.
                    _ = grown.changed() => {}
                }
                self.heartbeat(&token, due);
            }
        }
    }

    async fn read_roots(&mut self) {
        self.world.clock.wait_until(self.asked.start).await;
        self.stage = Stage::Ends;
        let roots = self.world.roots(self.asked.start);
        self.load(&roots);
    }

    fn heartbeat(&mut self, token: &str, due: Timestamp) {
        let now = self.world.clock.now();
        let bound = self.asked.end;
        if now < due || bound.is_some_and(|end| end <= now) || now < self.asked.start {
            return;
        }
        if let Some(at) = self.world.heartbeat(token, self.cursor, bound) {
            self.load(&[Entry::Heartbeat(at)]);
        }
    }

    fn bound(&mut self) {
        self.stage = Stage::Ends;
        let says_goodbye = match self.final_heartbeat {
            FinalHeartbeat::Always => true,
            FinalHeartbeat::WhenSilent => self.silent,
            FinalHeartbeat::Never => false,
        };
        match self.asked.end.filter(|_| says_goodbye) {
            Some(end) => self.load(&[Entry::Heartbeat(end)]),
            None => {
                let introduction = self.framer.introduction();
                self.frames = introduction.into_iter().collect();
                self.next = 0;
            }
        }
    }

    fn load(&mut self, entries: &[Entry]) {
        let frames = self.framer.frames(entries);
        self.send(frames);
    }

    fn send(&mut self, frames: Arc<[Bytes]>) {
        self.silent &= frames.is_empty();
        self.frames = frames;
        self.next = 0;
        self.sent_at = self.world.clock.now();
    }
}
