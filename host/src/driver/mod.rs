//! The one loop: events go into the scheduler, commands come out and are carried out.
//!
//! Nothing else spawns tasks or decides when to read. Tasks report through one inbox; after each
//! event the scheduler is drained, so that a reader that is told to stop is out of the picture
//! before its next message is looked at.

mod backlog;
mod carry;
mod clock;
mod headroom;
mod look;
mod message;
mod outcome;
mod readers;
mod replan;
mod retention;

use std::panic::resume_unwind;
use std::sync::Arc;
use std::time::Duration;

use acequia_core::{Event, Generation, Output, Scheduler};
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::Instant;
use tracing::{Instrument, info, trace_span, warn};

use self::backlog::Backlog;
pub(crate) use self::clock::Clock;
use self::headroom::{HEADROOM_INTERVAL, HeadroomWatch};
pub(crate) use self::look::Probe;
use self::message::Message;
pub use self::outcome::{Outcome, RunError, Tally};
use self::readers::Readers;
use self::replan::Replan;
use self::retention::RETENTION_INTERVAL;
use crate::chain::chain;
use crate::checkpoint_store::CheckpointStore;
use crate::pipeline::{Flow, Lane, Shaped, Work, writer};
use crate::sink::Sink;
use crate::source::Source;
use crate::status::{Status, Subject};
use crate::telemetry::SPANS;

/// What a driver is made of.
pub(crate) struct Parts {
    pub(crate) scheduler: Scheduler,
    pub(crate) source: Arc<dyn Source>,
    /// Partitions are spread over them.
    pub(crate) lanes: Vec<Lane>,
    pub(crate) sink: Box<dyn Sink>,
    /// None keeps no checkpoints.
    pub(crate) store: Option<Box<dyn CheckpointStore>>,
    /// How long a drain may take.
    pub(crate) drain_timeout: Duration,
    /// What the scheduler takes off the retention.
    pub(crate) retention_margin: Duration,
    pub(crate) clock: Clock,
    /// Who is looked at.
    pub(crate) subject: Arc<Subject>,
}

/// Runs a scheduler against the world.
pub(crate) struct Driver {
    scheduler: Scheduler,
    source: Arc<dyn Source>,
    readers: Readers,
    lanes: Vec<mpsc::UnboundedSender<Work>>,
    saves: Option<mpsc::UnboundedSender<message::SaveRequest>>,
    inbox: mpsc::UnboundedReceiver<Message>,
    sender: mpsc::UnboundedSender<Message>,
    tasks: JoinSet<()>,
    clock: Clock,
    drain: Drain,
    /// Where the gap leads that is being written.
    restarting_at: Option<acequia_core::Timestamp>,
    /// How far a snapshot is that is planned anew.
    replan: Replan,
    tally: Tally,
    subject: Arc<Subject>,
    retention_margin: Duration,
    flow: Arc<Flow>,
    /// When a record was read last.
    last_record: Option<Duration>,
    last_save: Option<LastSave>,
    /// Size of the checkpoint that is being saved, in bytes.
    saving_bytes: u64,
    /// Why the last save failed, if it did.
    save_failure: Option<String>,
    headroom_watch: HeadroomWatch,
    backlog: Backlog,
}

/// The last checkpoint that was saved.
#[derive(Clone, Copy)]
struct LastSave {
    generation: Generation,
    at: Duration,
    bytes: u64,
}

/// What remains of a driver whose run is over.
pub(crate) struct Ended {
    pub(crate) outcome: Result<Outcome, RunError>,
    pub(crate) tally: Tally,
    /// What it saw last.
    pub(crate) last: Status,
}

/// How far a drain is.
struct Drain {
    timeout: Duration,
    deadline: Option<Instant>,
}

impl Driver {
    pub(crate) fn new(parts: Parts) -> Self {
        let (sender, inbox) = mpsc::unbounded_channel();
        let mut tasks = JoinSet::new();
        let (shaped, to_write) = mpsc::unbounded_channel();
        let flow = Arc::new(Flow::start());
        let lanes = parts
            .lanes
            .into_iter()
            .map(|lane| {
                let (work, works) = mpsc::unbounded_channel();
                let (shaped, flow) = (shaped.clone(), Arc::clone(&flow));
                tasks.spawn(shape(lane, works, shaped, flow, sender.clone()));
                work
            })
            .collect();
        let report = sender.clone();
        let writer_flow = Arc::clone(&flow);
        tasks.spawn(writer::write(
            parts.sink,
            to_write,
            writer_flow,
            move |written| {
                // The driver outlives its tasks; without it there is nobody to tell.
                let _gone = report.send(Message::Written(written));
            },
        ));
        let saves = parts.store.map(|store| {
            let (saves, requests) = mpsc::unbounded_channel();
            tasks.spawn(message::save(store, requests, sender.clone()));
            saves
        });
        Self {
            scheduler: parts.scheduler,
            source: parts.source,
            readers: Readers::default(),
            lanes,
            saves,
            inbox,
            sender,
            tasks,
            clock: parts.clock,
            drain: Drain {
                timeout: parts.drain_timeout,
                deadline: None,
            },
            restarting_at: None,
            replan: Replan::None,
            tally: Tally::default(),
            subject: parts.subject,
            retention_margin: parts.retention_margin,
            flow,
            last_record: None,
            last_save: None,
            saving_bytes: 0,
            save_failure: None,
            headroom_watch: HeadroomWatch::default(),
            backlog: Backlog::default(),
        }
    }

    /// Runs until all is read, a drain is done, or something fails. Each message of `stop` is a
    /// wish to stop: the first drains, the second leaves at once.
    ///
    /// The outcome is an error if something failed.
    ///
    /// The loop is a task beside those that tell it things: on the thread that waits for the run, each
    /// of their messages would wake another thread. It ends with the wait.
    pub(crate) async fn run(self, stop: mpsc::Receiver<()>) -> Ended {
        let mut task = JoinSet::new();
        task.spawn(self.turn(stop));
        match task.join_next().await {
            Some(Ok(ended)) => ended,
            Some(Err(error)) if error.is_panic() => resume_unwind(error.into_panic()),
            // It is cancelled when nobody waits.
            Some(Err(_)) | None => std::future::pending().await,
        }
    }

    async fn turn(mut self, mut stop: mpsc::Receiver<()>) -> Ended {
        let outcome = self.turn_until_done(&mut stop).await;
        self.tally.scheduler = self.scheduler.stats();
        Ended {
            last: self.look(),
            tally: self.tally,
            outcome,
        }
    }

    async fn turn_until_done(
        &mut self,
        stop: &mut mpsc::Receiver<()>,
    ) -> Result<Outcome, RunError> {
        self.scheduler.handle(Event::Tick, self.clock.now());
        let mut each_minute = tokio::time::interval(HEADROOM_INTERVAL);
        let first = Instant::now() + RETENTION_INTERVAL;
        let mut ask_retention = tokio::time::interval_at(first, RETENTION_INTERVAL);
        loop {
            let wake = match self.carry_out_all()? {
                carry::Next::Done(outcome) => return Ok(outcome),
                carry::Next::Wait(wake) => wake,
            };
            tokio::select! {
                Some(message) = self.inbox.recv() => self.take(message)?,
                Some(()) = stop.recv() => self.stop()?,
                _ = each_minute.tick() => self.watch_headroom(),
                _ = ask_retention.tick() => self.ask_retention(),
                Some(joined) = self.tasks.join_next() => {
                    match joined {
                        // A closed reader's task is cancelled while it waits.
                        Err(error) if !error.is_cancelled() => {
                            return Err(RunError::Task(error.to_string()));
                        }
                        Ok(()) | Err(_) => {}
                    }
                }
                () = sleep_until(wake) => {
                    if self.drain.deadline.is_some_and(|deadline| deadline <= Instant::now()) {
                        return Err(RunError::DrainTimeout(self.drain.timeout));
                    }
                    self.scheduler.handle(Event::Tick, self.clock.now());
                }
            }
        }
    }

    /// Carries out commands until the scheduler waits.
    fn carry_out_all(&mut self) -> Result<carry::Next, RunError> {
        loop {
            match self.scheduler.poll_output(self.clock.now()) {
                Output::Command(command) => {
                    if let Some(outcome) = self.carry_out(command)? {
                        return Ok(carry::Next::Done(outcome));
                    }
                }
                Output::Timeout(wake) => {
                    let wake = wake.map(|(at, _reason)| self.clock.instant(at));
                    let wake = wake.into_iter().chain(self.drain.deadline).min();
                    // A released reader may have a message waiting.
                    match self.readers.take_waiting() {
                        Some(message) => self.take(message)?,
                        None => return Ok(carry::Next::Wait(wake)),
                    }
                }
            }
        }
    }

    fn stop(&mut self) -> Result<(), RunError> {
        if self.drain.deadline.is_some() {
            return Err(RunError::Interrupted);
        }
        info!(timeout = ?self.drain.timeout, "draining; a second signal leaves at once");
        self.drain.deadline = Some(Instant::now() + self.drain.timeout);
        self.scheduler.handle(Event::Drain, self.clock.now());
        Ok(())
    }
}

/// One lane: takes work in its order.
async fn shape(
    mut lane: Lane,
    mut work: mpsc::UnboundedReceiver<Work>,
    shaped: mpsc::UnboundedSender<Shaped>,
    flow: Arc<Flow>,
    sender: mpsc::UnboundedSender<Message>,
) {
    while let Some(piece) = work.recv().await {
        let span = trace_span!(target: SPANS, "shape", records = piece.records());
        match lane.take(piece).instrument(span).await {
            Ok(batch) => {
                flow.shaped();
                if shaped.send(batch).is_err() {
                    warn!("the writer is gone");
                    return;
                }
            }
            Err(error) => {
                let _gone = sender.send(Message::Rejected(chain(&error)));
                return;
            }
        }
    }
}

async fn sleep_until(wake: Option<Instant>) {
    match wake {
        Some(at) => tokio::time::sleep_until(at).await,
        None => std::future::pending().await,
    }
}
