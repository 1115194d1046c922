//! The retention of the source, asked anew from time to time: somebody may change it.

use std::sync::Arc;
use std::time::Duration;

use acequia_core::Event;

use super::Driver;
use super::message::Message;
use crate::source::Source;
use crate::status::Subject;

/// How often it is asked.
///
/// Source: flink-connector-gcp asks for a table's each 5 minutes.
pub(super) const RETENTION_INTERVAL: Duration = Duration::from_mins(5);

impl Driver {
    /// The service may be long in answering.
    pub(super) fn ask_retention(&mut self) {
        let (source, sender) = (Arc::clone(&self.source), self.sender.clone());
        self.tasks.spawn(async move {
            if let Some(retention) = Source::ask_retention(source.as_ref()).await {
                // The driver outlives its tasks; without it there is nobody to tell.
                let _gone = sender.send(Message::Retention(retention));
            }
        });
    }

    pub(super) fn retention_is(&mut self, retention: Duration) {
        if self.subject.retention == Some(retention) {
            return;
        }
        self.subject = Arc::new(Subject {
            retention: Some(retention),
            ..self.subject.as_ref().clone()
        });
        let retention = retention.saturating_sub(self.retention_margin);
        self.handle(Event::Retention { retention });
    }
}
