//! What the conformance suite needs to know of each sink.

use std::path::Path;
use std::sync::Arc;

use acequia_host::files::{Files, Lossy, RealFiles};
use acequia_host::sink::{
    FileSink, FileSinkOptions, MemorySink, MemoryTarget, Sink, SinkError, SinkState, Unstated,
};

use crate::batches::{ids, lines};
use crate::faults::{Fault, Faulty};

/// A place that outlives the sinks that write it.
pub(crate) trait Target {
    fn open(&self, state: Option<&SinkState>) -> Result<Box<dyn Sink>, SinkError>;
    fn values(&self) -> Vec<String>;
    fn dead_letters(&self) -> Vec<String>;
    /// Loses what was accepted and not synced, as far as this place can lose it. No sink is open.
    fn crash(&self);
}

/// Files of the operating system; a crash is the death of the process.
pub(crate) struct RealTarget(tempfile::TempDir);

impl RealTarget {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }
}

impl Target for RealTarget {
    fn open(&self, state: Option<&SinkState>) -> Result<Box<dyn Sink>, SinkError> {
        let files: Arc<dyn Files> = Arc::new(RealFiles);
        Ok(Box::new(FileSink::open(
            &files,
            &options(self.0.path()),
            state,
        )?))
    }

    fn values(&self) -> Vec<String> {
        lines(&RealFiles.read(&options(self.0.path()).path).unwrap())
    }

    fn dead_letters(&self) -> Vec<String> {
        ids(&RealFiles
            .read(&options(self.0.path()).dead_letter_path)
            .unwrap())
    }

    fn crash(&self) {}
}

/// Files that forget what was not synced.
#[derive(Default)]
pub(crate) struct LossyTarget(pub(crate) Lossy);

impl Target for LossyTarget {
    fn open(&self, state: Option<&SinkState>) -> Result<Box<dyn Sink>, SinkError> {
        let files: Arc<dyn Files> = Arc::new(self.0.clone());
        Ok(Box::new(FileSink::open(
            &files,
            &options(Path::new("/data")),
            state,
        )?))
    }

    fn values(&self) -> Vec<String> {
        lines(&self.0.read(&options(Path::new("/data")).path).unwrap())
    }

    fn dead_letters(&self) -> Vec<String> {
        ids(&self
            .0
            .read(&options(Path::new("/data")).dead_letter_path)
            .unwrap())
    }

    fn crash(&self) {
        self.0.crash(11);
    }
}

impl Target for MemoryTarget {
    fn open(&self, state: Option<&SinkState>) -> Result<Box<dyn Sink>, SinkError> {
        Ok(Box::new(MemorySink::open(self, state)?))
    }

    fn values(&self) -> Vec<String> {
        self.values()
            .iter()
            .map(|value| String::from_utf8(value.clone()).unwrap())
            .collect()
    }

    fn dead_letters(&self) -> Vec<String> {
        self.dead_letters()
            .into_iter()
            .map(|letter| letter.id)
            .collect()
    }

    fn crash(&self) {
        self.crash();
    }
}

/// Any of them behind a fault that may delay but breaks nothing.
pub(crate) struct Delayed<T>(pub(crate) T, pub(crate) fn() -> Fault);

impl<T: Target> Target for Delayed<T> {
    fn open(&self, state: Option<&SinkState>) -> Result<Box<dyn Sink>, SinkError> {
        Ok(Box::new(Faulty::new(self.0.open(state)?, self.1())))
    }

    fn values(&self) -> Vec<String> {
        self.0.values()
    }

    fn dead_letters(&self) -> Vec<String> {
        self.0.dead_letters()
    }

    fn crash(&self) {
        self.0.crash();
    }
}

pub(crate) fn options(directory: &Path) -> FileSinkOptions {
    FileSinkOptions {
        path: directory.join("orders.ndjson"),
        dead_letter_path: directory.join("orders.dead-letter.ndjson"),
        unstated: Unstated::Refuse,
    }
}
