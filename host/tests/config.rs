//! The configuration: the rules of its options, and a folder of files with what is said of them.

#![forbid(unsafe_code)]
#![allow(
    clippy::panic,
    clippy::unwrap_used,
    reason = "a helper of a test may fail it"
)]

#[path = "config/batch.rs"]
mod batch;
#[path = "config/batch_read.rs"]
mod batch_read;
#[path = "config/batch_values.rs"]
mod batch_values;
#[path = "config/bigtable.rs"]
mod bigtable;
#[path = "config/cloud_monitoring.rs"]
mod cloud_monitoring;
#[path = "config/defaults.rs"]
mod defaults;
#[path = "config/documents.rs"]
mod documents;
#[path = "config/exclusive.rs"]
mod exclusive;
#[path = "config/forms.rs"]
mod forms;
#[path = "config/golden.rs"]
mod golden;
#[path = "config/rules.rs"]
mod rules;
#[path = "config/schema.rs"]
mod schema;
#[path = "config/support.rs"]
mod support;
#[path = "config/values.rs"]
mod values;
