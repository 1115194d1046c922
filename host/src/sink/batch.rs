use std::fmt;

use acequia_decode::{Blobs, Texts};

/// What a sink accepts at once: outputs and dead letters of one run of records, in order.
#[derive(Clone, Default)]
pub struct OutputBatch {
    /// The shaped records.
    pub outputs: Outputs,
    /// The records that could not be shaped, under the policy that keeps them.
    pub dead_letters: Vec<DeadLetter>,
}

/// Shaped records, one entry a record in `keys` and `values`.
#[derive(Clone, Default)]
pub struct Outputs {
    /// The key of each output, as the deserializer wrote it: any bytes. An empty one is no key.
    pub keys: Blobs,
    /// The value of each output, as the deserializer wrote it.
    pub values: Texts,
    /// Where each output goes; an empty text is the configured place. A column without any entry means
    /// that for all outputs.
    pub topics: Texts,
}

/// A record that could not be shaped, as it is kept for a person to look at.
#[derive(Clone, PartialEq, Eq)]
pub struct DeadLetter {
    /// The id of the record, as the host computed it.
    pub id: String,
    /// The name of the component that failed on it.
    pub component: String,
    /// The kind of the failure, as the contract names it.
    pub kind: String,
    /// What the component said.
    pub message: String,
    /// The place of the record in the source.
    pub position: String,
    /// The record as JSON text. Text that is not JSON is kept as a JSON string.
    pub raw: String,
}

/// Counts only: row values do not belong in a log.
impl fmt::Debug for OutputBatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OutputBatch")
            .field("outputs", &self.outputs.values.len())
            .field("dead_letters", &self.dead_letters.len())
            .finish()
    }
}

/// Counts only: row values do not belong in a log.
impl fmt::Debug for Outputs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Outputs")
            .field("values", &self.values.len())
            .finish_non_exhaustive()
    }
}

/// Without the record and what the component said about it: row values do not belong in a log.
impl fmt::Debug for DeadLetter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DeadLetter")
            .field("id", &self.id)
            .field("component", &self.component)
            .field("kind", &self.kind)
            .field("position", &self.position)
            .finish_non_exhaustive()
    }
}
