//! A mutation of a recording into a batch.

use std::borrow::Cow;

use acequia_decode::bigtable::{self as decode, MutationBatch};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use jiff::Timestamp;

use super::mutation::{Bytes, Entry, Input, Mutation, MutationType};
use super::read_error::LineError;

impl Mutation<'_> {
    /// Appends it as the decoder does, so that it equals the one that was recorded.
    pub(super) fn append_to(&self, batch: &mut MutationBatch) -> Result<(), LineError> {
        if batch.is_empty() {
            batch.table.replace_range(.., &self.table);
        } else if batch.table != self.table {
            return Err(LineError::OtherTable(batch.table.clone()));
        }
        let commit = instant(&self.commit_timestamp)?;
        let low_watermark = match &self.estimated_low_watermark {
            Some(at) => instant(at)?,
            None => commit,
        };
        let row_key = self.row_key.read()?;
        let mutation = decode::Mutation {
            row_key: &row_key,
            source_cluster_id: self.cluster()?,
            commit,
            tie_breaker: self.tie_breaker,
            low_watermark,
        };
        let read = self.entries.iter().map(Read::of);
        let read = read.collect::<Result<Vec<_>, LineError>>()?;
        Ok(batch.push(&mutation, read.iter().map(Read::entry))?)
    }

    fn cluster(&self) -> Result<Option<&str>, LineError> {
        match (self.mutation_type, self.source_cluster_id.as_ref()) {
            (MutationType::GarbageCollection, "") => Ok(None),
            (MutationType::User, cluster) if !cluster.is_empty() => Ok(Some(cluster)),
            (MutationType::GarbageCollection | MutationType::User, _) => Err(LineError::Cluster),
        }
    }
}

/// An entry with its bytes as they are.
struct Read<'a> {
    entry: &'a Entry<'a>,
    qualifier: Cow<'a, [u8]>,
    /// The value of a cell, or an input of bytes.
    value: Cow<'a, [u8]>,
}

impl<'a> Read<'a> {
    fn of(entry: &'a Entry<'a>) -> Result<Self, LineError> {
        let none = Cow::Borrowed(&[][..]);
        let (qualifier, value) = match entry {
            Entry::SetCell {
                qualifier, value, ..
            } => (qualifier.read()?, value.read()?),
            Entry::DeleteCells { qualifier, .. } => (qualifier.read()?, none),
            Entry::DeleteFamily { .. } => (none.clone(), none),
            Entry::AddToCell {
                qualifier, input, ..
            }
            | Entry::MergeToCell {
                qualifier, input, ..
            } => match input {
                Input::Number(_) => (qualifier.read()?, none),
                Input::Bytes(bytes) => (qualifier.read()?, bytes.read()?),
            },
        };
        Ok(Self {
            entry,
            qualifier,
            value,
        })
    }

    fn entry(&self) -> decode::Entry<'_> {
        let (qualifier, value) = (self.qualifier.as_ref(), self.value.as_ref());
        match self.entry {
            Entry::SetCell {
                family,
                timestamp_micros,
                ..
            } => decode::Entry::SetCell {
                family,
                qualifier,
                timestamp_micros: *timestamp_micros,
                value,
            },
            Entry::DeleteCells {
                family,
                start_timestamp_micros,
                end_timestamp_micros,
                ..
            } => decode::Entry::DeleteCells {
                family,
                qualifier,
                range_start_micros: *start_timestamp_micros,
                range_end_micros: end_timestamp_micros.unwrap_or_default(),
            },
            Entry::DeleteFamily { family } => decode::Entry::DeleteFamily { family },
            Entry::AddToCell {
                family,
                timestamp_micros,
                input,
                ..
            } => decode::Entry::AddToCell {
                family,
                qualifier,
                timestamp_micros: *timestamp_micros,
                input: read_input(input, value),
            },
            Entry::MergeToCell {
                family,
                timestamp_micros,
                input,
                ..
            } => decode::Entry::MergeToCell {
                family,
                qualifier,
                timestamp_micros: *timestamp_micros,
                input: read_input(input, value),
            },
        }
    }
}

fn read_input<'a>(input: &Input<'_>, bytes: &'a [u8]) -> decode::Input<'a> {
    match input {
        Input::Number(number) => decode::Input::Number(*number),
        Input::Bytes(_) => decode::Input::Bytes(bytes),
    }
}

impl Bytes<'_> {
    fn read(&self) -> Result<Cow<'_, [u8]>, LineError> {
        match self {
            Self::Text(text) => Ok(Cow::Borrowed(text.as_bytes())),
            Self::Base64 { base64 } => {
                let bytes = STANDARD.decode(base64);
                bytes.map(Cow::Owned).map_err(|_error| LineError::Base64)
            }
        }
    }
}

fn instant(text: &str) -> Result<Timestamp, LineError> {
    let at = text.parse::<Timestamp>().ok();
    at.filter(|at| at.subsec_nanosecond() % 1_000 == 0)
        .ok_or_else(|| LineError::Instant(text.to_owned()))
}
