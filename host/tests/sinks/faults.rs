//! Faults as a wrapper, and what a run does after each.

use std::io;
use std::time::Duration;

use acequia_host::sink::{MemoryTarget, OutputBatch, Sink, SinkError, SinkState};
use async_trait::async_trait;
use tokio::sync::watch;

use crate::batches::values;
use crate::targets::{LossyTarget, RealTarget, Target};

/// What goes wrong.
pub(crate) enum Fault {
    /// Nothing is accepted.
    Reject,
    /// The call does its work, and its answer is lost.
    FailAfterWrite,
    /// Calls wait until they are released.
    Hold(watch::Receiver<bool>),
    /// Calls take this long.
    Slow(Duration),
}

impl Fault {
    pub(crate) fn slow() -> Self {
        Self::Slow(Duration::from_millis(250))
    }

    /// Released by itself after a second of the paused clock.
    pub(crate) fn held_for_a_while() -> Self {
        let (release, held) = watch::channel(false);
        tokio::spawn(async move {
            tokio::time::sleep(Duration::from_secs(1)).await;
            release.send_replace(true);
            release.closed().await;
        });
        Self::Hold(held)
    }
}

/// A sink behind a fault.
pub(crate) struct Faulty<S> {
    sink: S,
    fault: Fault,
}

impl<S> Faulty<S> {
    pub(crate) fn new(sink: S, fault: Fault) -> Self {
        Self { sink, fault }
    }

    async fn before(&mut self) -> Result<(), SinkError> {
        match &mut self.fault {
            Fault::Reject => return Err(lost("accept")),
            Fault::Hold(held) => drop(
                held.wait_for(|released| *released)
                    .await
                    .map_err(|_| lost("wait"))?,
            ),
            Fault::Slow(time) => tokio::time::sleep(*time).await,
            Fault::FailAfterWrite => {}
        }
        Ok(())
    }

    fn after<T>(&self, answer: T) -> Result<T, SinkError> {
        match self.fault {
            Fault::FailAfterWrite => Err(lost("answer")),
            Fault::Reject | Fault::Hold(_) | Fault::Slow(_) => Ok(answer),
        }
    }
}

#[async_trait]
impl Sink for Faulty<Box<dyn Sink>> {
    async fn write(&mut self, batch: &OutputBatch) -> Result<(), SinkError> {
        self.before().await?;
        self.sink.write(batch).await?;
        self.after(())
    }

    async fn sync(&mut self) -> Result<SinkState, SinkError> {
        self.before().await?;
        let state = self.sink.sync().await?;
        self.after(state)
    }

    async fn cut_back(&mut self, state: &SinkState) -> Result<(), SinkError> {
        self.before().await?;
        self.sink.cut_back(state).await?;
        self.after(())
    }
}

fn lost(action: &'static str) -> SinkError {
    SinkError::Io {
        name: "fault".to_owned(),
        action,
        source: io::Error::other("injected"),
    }
}

/// Writes "1" durably and saved, lets the fault have the rest, and starts again at what was saved.
async fn after(fault: Fault, target: impl Target) -> Vec<String> {
    let mut sink = target.open(None).unwrap();
    sink.write(&values(&["1"])).await.unwrap();
    let saved = sink.sync().await.unwrap();
    let mut faulty = Faulty::new(sink, fault);
    assert!(faulty.write(&values(&["2"])).await.is_err());
    assert!(faulty.sync().await.is_err());
    drop(faulty);
    target.crash();
    let mut sink = target.open(Some(&saved)).unwrap();
    sink.write(&values(&["2"])).await.unwrap();
    sink.sync().await.unwrap();
    target.values()
}

#[tokio::test]
async fn a_batch_whose_answer_was_lost_is_there_once_after_the_restart() {
    assert_eq!(
        after(Fault::FailAfterWrite, RealTarget::new()).await,
        ["1", "2"]
    );
    assert_eq!(
        after(Fault::FailAfterWrite, LossyTarget::default()).await,
        ["1", "2"]
    );
    assert_eq!(
        after(Fault::FailAfterWrite, MemoryTarget::new()).await,
        ["1", "2"]
    );
}

#[tokio::test]
async fn a_batch_that_was_rejected_is_there_once_after_the_restart() {
    assert_eq!(after(Fault::Reject, RealTarget::new()).await, ["1", "2"]);
    assert_eq!(
        after(Fault::Reject, LossyTarget::default()).await,
        ["1", "2"]
    );
    assert_eq!(after(Fault::Reject, MemoryTarget::new()).await, ["1", "2"]);
}
