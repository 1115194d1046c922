use std::cell::Cell;
use std::path::Path;
use std::sync::Arc;

use acequia_host::checkpoint_store::{CheckpointStore, FileCheckpointStore, StoreError};
use acequia_host::files::{Files, Lossy};
use acequia_host::sink::{FileSink, Sink, SinkError, SinkState};
use proptest::prelude::*;

use super::Op;
use crate::batches::{ids, lines, values, with_dead_letter};
use crate::targets::options;

pub(super) const DATA: &str = "/data";
pub(super) const STATE: &str = "/state";

/// What happened in all runs, so that a test in which nothing happened is seen.
#[derive(Debug, Default)]
pub(super) struct Totals {
    pub(super) restarts: Cell<u64>,
    pub(super) failed_restarts: Cell<u64>,
    pub(super) tails_cut: Cell<u64>,
    pub(super) answers_lost: Cell<u64>,
}

/// The lines before a cut: values and dead letters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Lines {
    values: Vec<String>,
    dead_letters: Vec<String>,
}

/// Why a process does not go on.
enum Stop {
    /// It died, or its power failed.
    Lost,
    /// A promise was broken.
    Broken(TestCaseError),
}

struct Process {
    store: FileCheckpointStore,
    sink: FileSink,
    generation: u64,
}

/// A disk, and what should be on it.
pub(super) struct Machine<'a> {
    disk: Lossy,
    files: Arc<dyn Files>,
    /// What was written before the checkpoint and since.
    written: Lines,
    /// The checkpoints that may be found: the last one confirmed, then those that were tried.
    candidates: Vec<(u64, Lines)>,
    life: u64,
    cut_seed: u64,
    totals: &'a Totals,
}

impl<'a> Machine<'a> {
    pub(super) fn new(disk: &Lossy, files: Arc<dyn Files>, totals: &'a Totals) -> Self {
        let candidates = vec![(0, Lines::default())];
        Self {
            disk: disk.clone(),
            files,
            written: Lines::default(),
            candidates,
            life: 0,
            cut_seed: 0,
            totals,
        }
    }

    /// Lives through the history, and comes up at its end.
    pub(super) async fn run(&mut self, ops: &[Op]) -> Result<(), TestCaseError> {
        let mut process = self.restart().await?;
        for op in ops {
            match self.step(&mut process, op).await {
                Ok(()) => {}
                Err(Stop::Broken(error)) => return Err(error),
                Err(Stop::Lost) => {
                    drop(process);
                    process = self.restart().await?;
                }
            }
        }
        drop(process);
        self.disk.crash(self.life);
        self.restart().await.map(drop)
    }

    /// Boots until it succeeds. A power cut that was set strikes once, so the second boot has power.
    async fn restart(&mut self) -> Result<Process, TestCaseError> {
        for _ in 0..2 {
            match self.boot().await {
                Ok(process) => return Ok(process),
                Err(Stop::Broken(error)) => return Err(error),
                Err(Stop::Lost) => {
                    add(&self.totals.failed_restarts);
                    self.disk.crash(self.cut_seed);
                }
            }
        }
        Err(TestCaseError::fail(
            "the machine does not come up with its power on",
        ))
    }

    /// Opens store and sink as a run does, and compares what is there. A fresh run saves before it writes.
    async fn boot(&mut self) -> Result<Process, Stop> {
        self.life += 1;
        add(&self.totals.restarts);
        let mut store = FileCheckpointStore::open(self.files.clone(), Path::new(STATE), "power")?;
        let (generation, state) = match store.load().await? {
            Some(stored) => (
                stored.generation,
                Some(SinkState::new(String::from_utf8_lossy(&stored.bytes))),
            ),
            None => (0, None),
        };
        let found = self
            .candidates
            .iter()
            .find(|(candidate, _)| *candidate == generation)
            .cloned();
        let Some(found) = found else {
            return Err(Stop::broken(format!(
                "generation {generation} was superseded or never saved"
            )));
        };
        let before_the_cut = self
            .disk
            .read(&options(Path::new(DATA)).path)
            .unwrap_or_default();
        let sink = FileSink::open(&self.files, &options(Path::new(DATA)), state.as_ref())?;
        if lines(&before_the_cut).len() > found.1.values.len() {
            add(&self.totals.tails_cut);
        }
        self.written = found.1.clone();
        self.candidates = vec![found];
        self.compare()?;
        let mut process = Process {
            store,
            sink,
            generation,
        };
        if state.is_none() {
            self.sync_and_save(&mut process).await?;
        }
        Ok(process)
    }

    async fn step(&mut self, process: &mut Process, op: &Op) -> Result<(), Stop> {
        match op {
            Op::Write { lines, dead_letter } => self.write(process, *lines, *dead_letter).await,
            Op::Sync => Ok(process.sink.sync().await.map(drop)?),
            Op::SyncAndSave => self.sync_and_save(process).await,
            Op::CutPowerAfter { calls, seed } => {
                self.cut_seed = *seed;
                self.disk.cut_power_after(*calls);
                Ok(())
            }
            Op::Crash { seed } => {
                self.disk.crash(*seed);
                Err(Stop::Lost)
            }
            Op::Kill => {
                self.disk.kill();
                Err(Stop::Lost)
            }
        }
    }

    async fn write(
        &mut self,
        process: &mut Process,
        count: usize,
        dead_letter: bool,
    ) -> Result<(), Stop> {
        let first = self.written.values.len();
        let new: Vec<String> = (first..first + count)
            .map(|line| format!("{line} of life {}", self.life))
            .collect();
        let mut batch = values(&new.iter().map(String::as_str).collect::<Vec<_>>());
        self.written.values.extend(new);
        if dead_letter {
            let id = format!("{} of life {}", self.written.dead_letters.len(), self.life);
            batch = with_dead_letter(batch, &id);
            self.written.dead_letters.push(id);
        }
        Ok(process.sink.write(&batch).await?)
    }

    async fn sync_and_save(&mut self, process: &mut Process) -> Result<(), Stop> {
        let state = process.sink.sync().await?;
        process.generation += 1;
        self.candidates
            .push((process.generation, self.written.clone()));
        let saved = process
            .store
            .save(process.generation, state.as_str().as_bytes())
            .await;
        saved.inspect_err(|_| add(&self.totals.answers_lost))?;
        self.candidates.drain(..self.candidates.len() - 1);
        Ok(())
    }

    fn compare(&self) -> Result<(), Stop> {
        let options = options(Path::new(DATA));
        let read = |path: &Path| self.disk.read(path).map_err(|_| Stop::Lost);
        let values = lines(&read(&options.path)?);
        let dead_letters = ids(&read(&options.dead_letter_path)?);
        let found = Lines {
            values,
            dead_letters,
        };
        if found == self.written {
            return Ok(());
        }
        Err(Stop::broken(format!(
            "found {found:?} where {:?} lie before the cut",
            self.written
        )))
    }
}

impl Stop {
    fn broken(reason: String) -> Self {
        Self::Broken(TestCaseError::fail(reason))
    }
}

impl From<SinkError> for Stop {
    fn from(error: SinkError) -> Self {
        if matches!(error, SinkError::Io { .. }) {
            Self::Lost
        } else {
            Self::broken(error.to_string())
        }
    }
}

impl From<StoreError> for Stop {
    fn from(error: StoreError) -> Self {
        if matches!(error, StoreError::Io { .. }) {
            Self::Lost
        } else {
            Self::broken(error.to_string())
        }
    }
}

fn add(total: &Cell<u64>) {
    total.set(total.get() + 1);
}
