//! Faults as a wrapper, and what a run does after each.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use acequia_host::checkpoint_store::{
    CheckpointStore, Disposition, MemoryDirectory, StoreError, Stored,
};
use async_trait::async_trait;
use tokio::sync::watch;

use crate::targets::{LossyTarget, RealTarget, Target};

/// What goes wrong.
pub(crate) enum Fault {
    /// Nothing is saved.
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

/// A store behind a fault.
pub(crate) struct Faulty {
    store: Box<dyn CheckpointStore>,
    fault: Fault,
}

impl Faulty {
    pub(crate) fn new(store: Box<dyn CheckpointStore>, fault: Fault) -> Self {
        Self { store, fault }
    }

    async fn before(&mut self) -> Result<(), StoreError> {
        match &mut self.fault {
            Fault::Reject => return Err(lost("save")),
            Fault::Hold(held) => {
                drop(
                    held.wait_for(|released| *released)
                        .await
                        .map_err(|_| lost("wait"))?,
                );
            }
            Fault::Slow(time) => tokio::time::sleep(*time).await,
            Fault::FailAfterWrite => {}
        }
        Ok(())
    }

    fn after<T>(&self, answer: T) -> Result<T, StoreError> {
        match self.fault {
            Fault::FailAfterWrite => Err(lost("answer")),
            Fault::Reject | Fault::Hold(_) | Fault::Slow(_) => Ok(answer),
        }
    }
}

#[async_trait]
impl CheckpointStore for Faulty {
    async fn load(&mut self) -> Result<Option<Stored>, StoreError> {
        self.before().await?;
        let stored = self.store.load().await?;
        self.after(stored)
    }

    async fn save(&mut self, generation: u64, bytes: &[u8]) -> Result<(), StoreError> {
        self.before().await?;
        self.store.save(generation, bytes).await?;
        self.after(())
    }

    async fn clear(&mut self) -> Result<(), StoreError> {
        self.before().await?;
        self.store.clear().await?;
        self.after(())
    }
}

fn lost(action: &'static str) -> StoreError {
    StoreError::Io {
        path: PathBuf::from("fault"),
        action,
        source: io::Error::other("injected"),
    }
}

/// Saves behind a fault, then again in the same process, and gives what the next one finds.
async fn saved_again(fault: Fault, generation: u64, target: impl Target) -> Option<Stored> {
    let mut faulty = Faulty::new(target.open("a").unwrap(), fault);
    let failed = faulty.save(1, b"one").await.unwrap_err();
    assert_eq!(failed.disposition(), Disposition::Retry);
    faulty.store.save(generation, b"one").await.unwrap();
    drop(faulty);
    target.crash();
    target.open("a").unwrap().load().await.unwrap()
}

#[tokio::test]
async fn a_save_whose_answer_was_lost_may_be_tried_again() {
    for generation in [1, 2] {
        let expected = Some(Stored {
            generation,
            bytes: b"one".to_vec(),
        });
        let fault = || Fault::FailAfterWrite;
        assert_eq!(
            saved_again(fault(), generation, RealTarget::new()).await,
            expected
        );
        assert_eq!(
            saved_again(fault(), generation, LossyTarget::default()).await,
            expected
        );
        assert_eq!(
            saved_again(fault(), generation, MemoryDirectory::new()).await,
            expected
        );
    }
}

#[tokio::test]
async fn a_save_that_was_rejected_may_be_tried_again() {
    for generation in [1, 2] {
        let expected = Some(Stored {
            generation,
            bytes: b"one".to_vec(),
        });
        let fault = || Fault::Reject;
        assert_eq!(
            saved_again(fault(), generation, RealTarget::new()).await,
            expected
        );
        assert_eq!(
            saved_again(fault(), generation, LossyTarget::default()).await,
            expected
        );
        assert_eq!(
            saved_again(fault(), generation, MemoryDirectory::new()).await,
            expected
        );
    }
}
