//! What tasks report to the driver.

use std::time::Duration;

use acequia_core::{Generation, ReadFailure, ReaderId, Timestamp};
use tokio::sync::{mpsc, oneshot};
use tracing::{Instrument, trace_span};

use super::replan::LostPlan;
use crate::chain::chain;
use crate::checkpoint_store::{CheckpointStore, Disposition};
use crate::pipeline::writer::Written;
use crate::source::{Delivery, FallbackError};
use crate::status::Status;
use crate::telemetry::SPANS;

/// One report.
pub(super) enum Message {
    /// A reader read, ended or failed.
    Read(ReaderId, Result<Option<Delivery>, ReadFailure>),
    /// The writer made something durable, or failed.
    Written(Written),
    /// A record cannot be shaped.
    Rejected(String),
    /// A save came to an end.
    Saved(Generation, Result<(), SaveFailed>),
    /// How long records can be read, as the source says now.
    Retention(Duration),
    /// Somebody looks.
    Look(oneshot::Sender<Status>),
    /// The source says where to go on after an expiry; none if the configuration does not.
    Fallback(Lost, Option<Result<Timestamp, FallbackError>>),
    /// The source says of which instant a snapshot is planned anew; none if the configuration does not.
    PlanAnew(LostPlan, Option<Result<Timestamp, FallbackError>>),
}

/// What an expired position leaves unread.
pub(super) struct Lost {
    pub(super) partition: String,
    /// The first instant that is not completely read.
    pub(super) from: Timestamp,
    pub(super) cause: String,
}

/// Why a save failed.
pub(super) struct SaveFailed {
    pub(super) retry: bool,
    pub(super) cause: String,
}

/// A checkpoint to save.
pub(super) struct SaveRequest {
    pub(super) generation: Generation,
    pub(super) bytes: Vec<u8>,
}

/// Saves one checkpoint after the other.
pub(super) async fn save(
    mut store: Box<dyn CheckpointStore>,
    mut requests: mpsc::UnboundedReceiver<SaveRequest>,
    sender: mpsc::UnboundedSender<Message>,
) {
    while let Some(request) = requests.recv().await {
        let span = trace_span!(target: SPANS, "save", bytes = request.bytes.len());
        let saved = store
            .save(request.generation.get(), &request.bytes)
            .instrument(span)
            .await
            .map_err(|error| SaveFailed {
                retry: error.disposition() == Disposition::Retry,
                cause: chain(&error),
            });
        if sender
            .send(Message::Saved(request.generation, saved))
            .is_err()
        {
            return;
        }
    }
}
