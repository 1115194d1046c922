//! What was measured since the start of the run.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Instant, SystemTime};

use http::HeaderMap;

use super::super::measure::{Call, Measure};
use super::super::meter::name;
use super::distribution::Distribution;
use super::family::{Amount, Family, Metric};
use super::place::Place;

/// Counts and times by series. They only grow.
#[derive(Debug)]
pub struct Ledger {
    family: Family,
    start: SystemTime,
    began: Instant,
    entries: Mutex<Entries>,
}

#[derive(Clone, Debug, Default)]
struct Entries {
    counts: BTreeMap<Series, u64>,
    times: BTreeMap<Series, Distribution>,
}

/// Which series a number belongs to: what its labels say beside those that all series of a run share.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(super) struct Series {
    pub(super) metric: Metric,
    pub(super) method: &'static str,
    /// The name of the gRPC code; none where the metric does not have it.
    pub(super) status: Option<&'static str>,
    pub(super) place: Place,
}

/// Everything that was measured up to a moment.
#[derive(Clone, Debug)]
pub(super) struct Reading {
    /// Since when it was measured.
    pub(super) start: SystemTime,
    /// The moment: later than that of every reading before it.
    pub(super) end: SystemTime,
    pub(super) counts: BTreeMap<Series, u64>,
    pub(super) times: BTreeMap<Series, Distribution>,
}

impl Ledger {
    /// An empty ledger, which starts here.
    pub(super) fn new(family: Family) -> Self {
        Self {
            family,
            start: SystemTime::now(),
            began: Instant::now(),
            entries: Mutex::default(),
        }
    }

    /// Where a call was served, as far as the family's metrics tell it.
    pub(in super::super) fn place(&self, headers: &HeaderMap) -> Place {
        match self.family {
            Family::Spanner => Place::default(),
            Family::Bigtable => Place::of(headers),
        }
    }

    /// Adds what was measured of a call.
    pub(in super::super) fn enter(&self, call: Call, measure: Measure) {
        let additions = self.family.additions(measure);
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        for (metric, amount) in additions {
            let series = Series {
                metric,
                method: call.method,
                status: metric.has_status.then(|| name(call.code)),
                place: call.place.clone(),
            };
            entries.add(series, amount, self.family.bounds());
        }
    }

    /// Everything up to now. Time goes on as the monotonic clock says it: a wall clock that is set back
    /// would give points that are older than the last.
    pub(super) fn reading(&self) -> Reading {
        let end = self.start + self.began.elapsed();
        let entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        let Entries { counts, times } = entries.clone();
        Reading {
            start: self.start,
            end,
            counts,
            times,
        }
    }
}

impl Entries {
    fn add(&mut self, series: Series, amount: Amount, bounds: &'static [f64]) {
        match amount {
            Amount::Count(more) => {
                let count = self.counts.entry(series).or_default();
                *count = count.saturating_add(more);
            }
            Amount::Time(time) => {
                let times = self.times.entry(series);
                times.or_insert_with(|| Distribution::new(bounds)).add(time);
            }
        }
    }
}
