//! The open readers: one task each, one delivery ahead.
//!
//! A reader's task may read one delivery ahead of the one that the scheduler has taken. It sends
//! when it has a permit; the driver gives the next permit when the last delivery was taken, and a
//! held reader's message waits here. So a held reader stops after one delivery, and its stream's
//! window fills: the service is slowed down, nothing grows.

use std::collections::BTreeMap;
use std::sync::Arc;

use acequia_core::{ReadFailure, ReaderId};
use tokio::sync::{Semaphore, mpsc};
use tokio::task::{AbortHandle, JoinSet};
use tracing::{Instrument, trace_span};

use super::message::Message;
use crate::source::{Delivery, Reader};
use crate::status::short;
use crate::telemetry::SPANS;

type Read = Result<Option<Delivery>, ReadFailure>;

/// The open readers by id.
#[derive(Default)]
pub(super) struct Readers {
    open: BTreeMap<ReaderId, Open>,
}

struct Open {
    task: AbortHandle,
    permits: Arc<Semaphore>,
    lane: usize,
    next_seq: u64,
    held: bool,
    waiting: Option<Read>,
}

impl Readers {
    /// Starts a reader on the lane with the fewest readers.
    pub(super) fn open(
        &mut self,
        id: ReaderId,
        reader: Box<dyn Reader>,
        lanes: usize,
        tasks: &mut JoinSet<()>,
        sender: mpsc::UnboundedSender<Message>,
    ) {
        let permits = Arc::new(Semaphore::new(1));
        let span = trace_span!(target: SPANS, "read", partition = short(id.partition.as_str()));
        let reading = read(id.clone(), reader, Arc::clone(&permits), sender);
        let task = tasks.spawn(reading.instrument(span));
        let readers_on = |lane| self.open.values().filter(|open| open.lane == lane).count();
        let lane = (0..lanes).min_by_key(|lane| readers_on(*lane)).unwrap_or(0);
        self.open.insert(
            id,
            Open {
                task,
                permits,
                lane,
                next_seq: 0,
                held: false,
                waiting: None,
            },
        );
    }

    /// Stops a reader. Its stream is dropped, and what it read ahead with it.
    pub(super) fn close(&mut self, id: &ReaderId) {
        if let Some(open) = self.open.remove(id) {
            open.task.abort();
        }
    }

    pub(super) fn hold(&mut self, id: &ReaderId, held: bool) {
        if let Some(open) = self.open.get_mut(id) {
            open.held = held;
        }
    }

    /// A message that may be looked at; a held reader's is kept for its release, a closed one's is
    /// dropped.
    pub(super) fn admit(&mut self, id: &ReaderId, read: Read) -> Option<Read> {
        let open = self.open.get_mut(id)?;
        if open.held {
            open.waiting = Some(read);
            return None;
        }
        Some(read)
    }

    /// A released reader's message that was kept.
    pub(super) fn take_waiting(&mut self) -> Option<Message> {
        let (id, open) = self
            .open
            .iter_mut()
            .find(|(_, open)| !open.held && open.waiting.is_some())?;
        let read = open.waiting.take()?;
        Some(Message::Read(id.clone(), read))
    }

    /// Takes a delivery of `items` items: the reader may send its next one. Gives the lane and the
    /// number of the last item.
    pub(super) fn taken(&mut self, id: &ReaderId, items: usize) -> Option<(usize, u64)> {
        let open = self.open.get_mut(id)?;
        open.permits.add_permits(1);
        open.next_seq += u64::try_from(items).unwrap_or(u64::MAX);
        Some((open.lane, open.next_seq.checked_sub(1)?))
    }
}

async fn read(
    id: ReaderId,
    mut reader: Box<dyn Reader>,
    permits: Arc<Semaphore>,
    sender: mpsc::UnboundedSender<Message>,
) {
    loop {
        let read = reader.next().await;
        let goes_on = matches!(read, Ok(Some(_)));
        match permits.acquire().await {
            Ok(permit) => permit.forget(),
            Err(_closed) => return,
        }
        if sender.send(Message::Read(id.clone(), read)).is_err() || !goes_on {
            return;
        }
    }
}
