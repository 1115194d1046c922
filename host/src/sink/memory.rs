use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use super::{DeadLetter, OutputBatch, Sink, SinkError, SinkState};

/// What a [`MemorySink`] wrote. It outlives the sink, as a file does. Clones share one content.
#[derive(Clone, Debug, Default)]
pub struct MemoryTarget(Arc<Mutex<Content>>);

#[derive(Debug, Default)]
struct Content {
    values: Vec<Vec<u8>>,
    dead_letters: Vec<DeadLetter>,
    durable: Lengths,
}

/// The state: how many values and dead letters are durable.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Lengths {
    values: usize,
    dead_letters: usize,
}

impl MemoryTarget {
    /// An empty target.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The values that were accepted, in order.
    #[must_use]
    pub fn values(&self) -> Vec<Vec<u8>> {
        self.content().values.clone()
    }

    /// The dead letters that were accepted, in order.
    #[must_use]
    pub fn dead_letters(&self) -> Vec<DeadLetter> {
        self.content().dead_letters.clone()
    }

    /// Forgets what is not durable, as power loss would.
    pub fn crash(&self) {
        let mut content = self.content();
        let durable = content.durable;
        content.truncate(durable);
    }

    fn content(&self) -> MutexGuard<'_, Content> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Content {
    fn lengths(&self) -> Lengths {
        Lengths {
            values: self.values.len(),
            dead_letters: self.dead_letters.len(),
        }
    }

    fn truncate(&mut self, lengths: Lengths) {
        self.values.truncate(lengths.values);
        self.dead_letters.truncate(lengths.dead_letters);
    }
}

impl Lengths {
    fn of_state(state: &SinkState) -> Result<Self, SinkError> {
        serde_json::from_str(state.as_str()).map_err(|error| SinkError::State {
            reason: format!("it is not a state of memory: {error}"),
        })
    }
}

/// Values and dead letters in memory: the twin of [`FileSink`](super::FileSink) for tests.
#[derive(Debug)]
pub struct MemorySink(MemoryTarget);

impl MemorySink {
    /// Opens the target and goes back to the cut of the state; without a state, starts fresh.
    ///
    /// # Errors
    /// A target that is shorter than the state says or not empty on a fresh start; a state of another sink.
    pub fn open(target: &MemoryTarget, state: Option<&SinkState>) -> Result<Self, SinkError> {
        let mut content = target.content();
        let held = content.lengths();
        let cut = match state {
            Some(state) => Lengths::of_state(state)?,
            None => Lengths::default(),
        };
        for (name, length, cut) in [
            ("values", held.values, cut.values),
            ("dead letters", held.dead_letters, cut.dead_letters),
        ] {
            let (name, length, cut) = (name.to_owned(), count(length), count(cut));
            if length < cut {
                return Err(SinkError::Shorter { name, length, cut });
            }
            if state.is_none() && length > 0 {
                return Err(SinkError::NotEmpty { name, length });
            }
        }
        content.truncate(cut);
        content.durable = cut;
        drop(content);
        Ok(Self(target.clone()))
    }
}

#[async_trait]
impl Sink for MemorySink {
    async fn write(&mut self, batch: &OutputBatch) -> Result<(), SinkError> {
        let values = &batch.outputs.values;
        let mut content = self.0.content();
        content.values.extend(
            (0..values.len())
                .filter_map(|index| values.get(index))
                .map(<[u8]>::to_vec),
        );
        content
            .dead_letters
            .extend(batch.dead_letters.iter().cloned());
        Ok(())
    }

    async fn sync(&mut self) -> Result<SinkState, SinkError> {
        let mut content = self.0.content();
        content.durable = content.lengths();
        let json = serde_json::to_string(&content.durable).map_err(|error| SinkError::State {
            reason: error.to_string(),
        })?;
        Ok(SinkState::new(json))
    }

    async fn cut_back(&mut self, state: &SinkState) -> Result<(), SinkError> {
        let cut = Lengths::of_state(state)?;
        let mut content = self.0.content();
        content.truncate(cut);
        content.durable = cut;
        Ok(())
    }
}

fn count(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}
