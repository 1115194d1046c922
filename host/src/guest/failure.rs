//! What a deserializer made of a batch.

use std::fmt;

use crate::batch::Batch;
use crate::sink::Outputs;

/// What a deserializer made of a batch: outputs, each with the record that it came from, and the
/// records that failed.
#[derive(Debug, Default)]
pub struct Deserialized {
    /// Per output: the index of its record in the batch. It never decreases.
    pub source: Vec<u32>,
    /// The outputs.
    pub outputs: Outputs,
    /// The records that failed, by ascending index.
    pub failures: Vec<RecordFailure>,
}

impl Deserialized {
    /// The values, each with the id of the record of `batch` that it came from.
    pub(crate) fn values<'a>(
        &'a self,
        batch: &'a Batch,
    ) -> impl Iterator<Item = (&'a str, &'a [u8])> {
        let ids = self.source.iter().map(|record| {
            let record = usize::try_from(*record).ok();
            let id = record.and_then(|record| batch.ids().get(record));
            std::str::from_utf8(id.unwrap_or_default()).unwrap_or_default()
        });
        ids.zip(self.outputs.values.iter())
    }
}

/// One record that gave no output because something is wrong with it or with the component.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordFailure {
    /// The index of the record in the batch.
    pub record: usize,
    /// What happened.
    pub kind: FailureKind,
    /// For the operator, one line.
    pub message: String,
}

/// What happened to a record that failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailureKind {
    /// The component says: it is not what its schema says.
    Malformed,
    /// The component says: it is well-formed and not handled.
    Unsupported,
    /// The component says something else.
    Other,
    /// The component trapped on it.
    Trap,
    /// The component ran into its time limit on it.
    Timeout,
    /// The component ran into its memory limit on it.
    Memory,
    /// The component's answer to it breaks the contract.
    Answer,
}

impl FailureKind {
    fn name(self) -> &'static str {
        match self {
            Self::Malformed => "malformed",
            Self::Unsupported => "unsupported",
            Self::Other => "other",
            Self::Trap => "trap",
            Self::Timeout => "timeout",
            Self::Memory => "memory",
            Self::Answer => "answer",
        }
    }
}

/// As dead letters and metrics name it. The first three are the contract's names.
impl fmt::Display for FailureKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
