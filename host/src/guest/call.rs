//! How a call into a component fails.

use thiserror::Error;

use super::answer::AnswerError;
use super::instance::Stopped;
use super::limits::ERROR_MESSAGE_BYTES_MAX;
use super::live::StartError;
use super::message::clip;
use crate::batch::Shape;

/// Why a call gave nothing that can be used.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum CallError {
    /// The component was stopped.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// The component's answer breaks the contract.
    #[error("the component's answer breaks the contract: {0}")]
    Answer(#[from] AnswerError),
    /// The component itself says that it cannot answer.
    #[error("the component gives up: {0}")]
    Refused(String),
    /// The component is made for records of another shape.
    #[error("a component for {} was given {}", .takes.records(), .given.records())]
    OtherShape {
        /// What the component takes.
        takes: Shape,
        /// What it was given.
        given: Shape,
    },
    /// There is no instance to call, after an earlier one was lost.
    #[error(transparent)]
    Start(#[from] StartError),
}

/// The component's own words for giving up.
pub(super) fn refused(message: String) -> CallError {
    CallError::Refused(clip(&message, ERROR_MESSAGE_BYTES_MAX))
}
