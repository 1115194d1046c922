//! Puts values into messages and encodes them.

use std::sync::Arc;

use bytes::Bytes;
use googleapis_tonic_google_spanner_v1::google::spanner::v1::PartialResultSet;
use prost::Message;
use prost_types::Value;

use super::{Layout, chunk};
use crate::spanner::history::Entry;

/// Makes the messages of one query, in order.
#[derive(Clone, Debug)]
pub(crate) struct Framer {
    layout: Arc<Layout>,
    made: usize,
}

impl Framer {
    pub(crate) fn new(layout: &Arc<Layout>) -> Self {
        Self {
            layout: Arc::clone(layout),
            made: 0,
        }
    }

    /// The messages that carry `entries`; the last one is full or not.
    pub(crate) fn frames(&mut self, entries: &[Entry]) -> Arc<[Bytes]> {
        let rows = self.layout.wire.rows_per_frame.max(1);
        let mut frames = Frames {
            framer: self,
            done: Vec::new(),
            open: Vec::new(),
            within: false,
        };
        let mut in_open = 0;
        for entry in entries {
            frames.row(entry);
            in_open += 1;
            if in_open == rows {
                frames.close(false);
                in_open = 0;
            }
        }
        frames.close(false);
        frames.done.into()
    }

    /// A message that tells the columns and carries nothing, if none was made before.
    pub(crate) fn introduction(&mut self) -> Option<Bytes> {
        (self.made == 0).then(|| self.encode(Vec::new(), false))
    }

    /// Goes on after `made` messages that another framer of the same layout made.
    pub(crate) fn continues(&mut self, made: usize) {
        self.made = made;
    }

    fn encode(&mut self, values: Vec<Value>, chunked_value: bool) -> Bytes {
        let wire = &self.layout.wire;
        let again = wire
            .metadata_every
            .is_some_and(|every| self.made.is_multiple_of(every.max(1)));
        let metadata = (self.made == 0 || again).then(|| self.layout.metadata());
        let token = if wire.resume_tokens {
            format!("resume-{}", self.made)
        } else {
            String::new()
        };
        self.made += 1;
        let frame = PartialResultSet {
            metadata,
            values,
            chunked_value,
            resume_token: token.into(),
            ..PartialResultSet::default()
        };
        frame.encode_to_vec().into()
    }
}

struct Frames<'a> {
    framer: &'a mut Framer,
    done: Vec<Bytes>,
    open: Vec<Value>,
    within: bool,
}

impl Frames<'_> {
    fn row(&mut self, entry: &Entry) {
        let value = self.framer.layout.value(entry);
        let budget = self.framer.layout.wire.chunk_bytes;
        let chunks = match budget {
            Some(budget) if chunk::weight(&value) > budget => chunk::cut(value, budget),
            _ => vec![value],
        };
        let mut chunks = chunks.into_iter().peekable();
        while let Some(chunk) = chunks.next() {
            self.open.push(chunk);
            if chunks.peek().is_some() {
                self.close(true);
            }
        }
    }

    fn close(&mut self, chunked: bool) {
        if self.open.is_empty() {
            return;
        }
        let empty = self.framer.layout.wire.empty_frame_every;
        let due = empty.is_some_and(|every| (self.done.len() + 1).is_multiple_of(every.max(1)));
        // Nothing comes between the chunks of one value.
        if due && !self.within {
            self.insert_empty();
        }
        self.within = chunked;
        let values = std::mem::take(&mut self.open);
        let frame = self.framer.encode(values, chunked);
        self.done.push(frame);
    }

    fn insert_empty(&mut self) {
        let frame = self.framer.encode(Vec::new(), false);
        self.done.push(frame);
    }
}
