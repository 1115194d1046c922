//! A record that no guest could shape, as JSON for a person and for a later replay.

mod bigtable;
mod rows;
mod spanner;

use acequia_decode::Texts;

use crate::batch::Batch;
use crate::guest::RecordFailure;
use crate::sink::DeadLetter;

/// Keeps a failed record.
pub(crate) fn dead_letter(batch: &Batch, component: &str, failure: &RecordFailure) -> DeadLetter {
    DeadLetter {
        id: id(batch, failure.record),
        component: component.to_owned(),
        kind: failure.kind.to_string(),
        message: failure.message.clone(),
        position: lossy(batch.timestamp(failure.record)),
        raw: match batch {
            Batch::Spanner(batch) => spanner::raw(batch, failure.record),
            Batch::Bigtable(batch) => bigtable::raw(batch, failure.record),
            Batch::Rows(batch) => rows::raw(batch, failure.record),
        },
    }
}

/// The id of a record.
pub(crate) fn id(batch: &Batch, record: usize) -> String {
    text(batch.ids(), record)
}

fn text(texts: &Texts, index: usize) -> String {
    lossy(texts.get(index).unwrap_or_default())
}

fn lossy(text: &[u8]) -> String {
    String::from_utf8_lossy(text).into_owned()
}
