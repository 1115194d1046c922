//! The components of a run, with their costs.

use std::sync::Arc;

use super::Guest;
use crate::guest::{About, Meter};

/// A component and the place where its costs are counted.
#[derive(Clone)]
pub(crate) struct WatchedGuest {
    pub(crate) role: &'static str,
    pub(crate) about: About,
    pub(crate) meter: Arc<Meter>,
}

impl WatchedGuest {
    pub(crate) fn seen(&self) -> Guest {
        let cost = self.meter.cost();
        let digest = self.about.sha256.iter().map(|byte| format!("{byte:02x}"));
        Guest {
            role: self.role,
            name: self.about.name.clone(),
            version: self.about.version.clone(),
            sha256: digest.collect(),
            pure: self.about.pure,
            calls: cost.calls,
            records: cost.records,
            failures: cost.failures,
            traps: cost.stops,
            seconds: cost.time.as_secs_f64(),
            memory_bytes: cost.memory_bytes,
        }
    }
}
