//! What a deserializer writes.

use crate::bindings::plugin::acequia::connector::types::{
    self, Blobs, FailureKind, Outputs, Texts,
};

/// Why a record gives no output. Its message must not hold row values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The kind of failure.
    pub kind: FailureKind,
    /// What an operator needs to know, without row values.
    pub message: String,
}

impl Failure {
    /// The record is not what its schema says.
    pub fn malformed(message: impl Into<String>) -> Self {
        Self::new(FailureKind::Malformed, message)
    }

    /// The record is well-formed and the component does not handle it.
    pub fn unsupported(message: impl Into<String>) -> Self {
        Self::new(FailureKind::Unsupported, message)
    }

    /// Anything else.
    pub fn other(message: impl Into<String>) -> Self {
        Self::new(FailureKind::Other, message)
    }

    fn new(kind: FailureKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
        }
    }
}

/// Collects the outputs of a batch, in columns.
///
/// Outputs belong to the record that is being deserialized. If that record fails, what it has
/// written is taken back: a record gives outputs or a failure, never both.
#[derive(Default)]
pub struct Output {
    record: u32,
    source: Vec<u32>,
    keys: Column,
    values: Column,
    topics: Column,
    has_topics: bool,
    failures: Vec<types::Failure>,
}

impl Output {
    /// Adds one output. A key is any bytes; an empty one is no key. A value is UTF-8.
    pub fn push(&mut self, key: impl AsRef<[u8]>, value: impl AsRef<[u8]>) {
        self.push_to("", key, value);
    }

    /// Adds one output for a topic; an empty one is the configured place.
    pub fn push_to(&mut self, topic: &str, key: impl AsRef<[u8]>, value: impl AsRef<[u8]>) {
        self.write_to(topic, |buffers| {
            buffers.key.extend_from_slice(key.as_ref());
            buffers.value.extend_from_slice(value.as_ref());
        });
    }

    /// Adds one output whose key and value are appended to the buffers of the whole batch, so that
    /// nothing is copied twice. The value must be UTF-8, and what is there must stay.
    pub fn write(&mut self, fill: impl FnOnce(Buffers<'_>)) {
        self.write_to("", fill);
    }

    /// [`Output::write`] for a topic; an empty one is the configured place.
    pub fn write_to(&mut self, topic: &str, fill: impl FnOnce(Buffers<'_>)) {
        fill(Buffers {
            key: &mut self.keys.bytes,
            value: &mut self.values.bytes,
        });
        self.has_topics |= !topic.is_empty();
        self.topics.bytes.extend_from_slice(topic.as_bytes());
        self.source.push(self.record);
        self.keys.close();
        self.values.close();
        self.topics.close();
    }

    /// Nothing, with room for so many outputs and for the bytes of their keys and values. Growing step
    /// by step would copy the values of a batch several times.
    pub(crate) fn with_room(outputs: usize, key_bytes: usize, value_bytes: usize) -> Self {
        let column = |bytes| Column {
            bytes: Vec::with_capacity(bytes),
            ends: Vec::with_capacity(outputs),
        };
        Self {
            source: Vec::with_capacity(outputs),
            keys: column(key_bytes),
            values: column(value_bytes),
            ..Self::default()
        }
    }

    /// Begins record `index` of the batch and gives the place to come back to if it fails.
    pub(crate) fn begin(&mut self, index: usize) -> Mark {
        self.record = u32::try_from(index).unwrap_or(u32::MAX);
        Mark {
            outputs: self.source.len(),
            keys: self.keys.bytes.len(),
            values: self.values.bytes.len(),
            topics: self.topics.bytes.len(),
        }
    }

    /// Takes back what the record has written and notes its failure.
    pub(crate) fn fail(&mut self, mark: &Mark, failure: Failure) {
        self.source.truncate(mark.outputs);
        self.keys.truncate(mark.outputs, mark.keys);
        self.values.truncate(mark.outputs, mark.values);
        self.topics.truncate(mark.outputs, mark.topics);
        self.failures.push(types::Failure {
            source: self.record,
            kind: failure.kind,
            message: failure.message,
        });
    }

    /// The columns, as the contract wants them.
    pub(crate) fn finish(self) -> Outputs {
        let topics = if self.has_topics {
            self.topics
        } else {
            Column::default()
        };
        Outputs {
            source: self.source,
            keys: self.keys.into_blobs(),
            values: self.values.into_texts(),
            topics: topics.into_texts(),
            failures: self.failures,
        }
    }
}

/// Where an output's key and value are appended.
pub struct Buffers<'a> {
    /// The keys of the batch so far.
    pub key: &'a mut Vec<u8>,
    /// The values of the batch so far.
    pub value: &'a mut Vec<u8>,
}

/// Where a record began in each column.
pub(crate) struct Mark {
    outputs: usize,
    keys: usize,
    values: usize,
    topics: usize,
}

#[derive(Default)]
struct Column {
    bytes: Vec<u8>,
    ends: Vec<u32>,
}

impl Column {
    /// Memory has 32-bit addresses where this runs, so no end is past them.
    fn close(&mut self) {
        self.ends
            .push(u32::try_from(self.bytes.len()).unwrap_or(u32::MAX));
    }

    fn truncate(&mut self, outputs: usize, bytes: usize) {
        self.ends.truncate(outputs);
        self.bytes.truncate(bytes);
    }

    fn into_blobs(self) -> Blobs {
        Blobs {
            bytes: self.bytes,
            ends: self.ends,
        }
    }

    fn into_texts(self) -> Texts {
        Texts {
            bytes: self.bytes,
            ends: self.ends,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_that_fails_leaves_none_of_its_outputs() {
        let mut out = Output::default();
        out.begin(0);
        out.push("k", "first");
        let mark = out.begin(1);
        out.push("gone", "gone");
        out.fail(&mark, Failure::malformed("no key"));
        out.begin(2);
        out.push_to("side", "", "third");
        let outputs = out.finish();
        assert_eq!(outputs.source, [0, 2]);
        assert_eq!(outputs.keys.bytes, b"k");
        assert_eq!(outputs.keys.ends, [1, 1]);
        assert_eq!(outputs.values.bytes, b"firstthird");
        assert_eq!(outputs.values.ends, [5, 10]);
        assert_eq!(outputs.topics.bytes, b"side");
        assert_eq!(outputs.topics.ends, [0, 4]);
        assert_eq!(outputs.failures.len(), 1);
        assert_eq!(outputs.failures[0].source, 1);
        assert_eq!(outputs.failures[0].message, "no key");
    }

    #[test]
    fn without_topics_the_column_stays_empty() {
        let mut out = Output::default();
        out.begin(0);
        out.push("", "value");
        assert!(out.finish().topics.ends.is_empty());
    }
}
