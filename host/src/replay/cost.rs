//! The cost of every call, added up.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::summary::Cost;
use crate::guest::{Listen, Stopped};

/// Hears of calls and keeps what they cost.
#[derive(Debug, Default)]
pub(super) struct Costs(Mutex<Heard>);

#[derive(Debug, Default)]
struct Heard {
    took: Vec<Duration>,
    cost: Cost,
}

impl Listen for Costs {
    fn called(&self, took: Duration) {
        let mut heard = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        heard.took.push(took);
    }

    fn stopped(&self, by: &Stopped) {
        let mut heard = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match by {
            Stopped::Trap(_) => heard.cost.traps += 1,
            Stopped::Timeout { .. } => heard.cost.timeouts += 1,
            Stopped::Memory { .. } => heard.cost.out_of_memory += 1,
        }
    }
}

impl Costs {
    /// What the calls so far cost together. `memory_bytes` is known to the component's meter.
    pub(super) fn sum(&self, memory_bytes: u64) -> Cost {
        let heard = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut took = heard.took.clone();
        took.sort_unstable();
        Cost {
            calls: took.len(),
            total: took.iter().sum(),
            p50: percentile(&took, 50),
            p99: percentile(&took, 99),
            memory_bytes,
            ..heard.cost
        }
    }
}

/// The nearest rank: the smallest duration that so many in a hundred do not exceed.
fn percentile(sorted: &[Duration], percent: usize) -> Duration {
    let rank = (sorted.len() * percent).div_ceil(100);
    let place = rank.saturating_sub(1);
    sorted.get(place).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_nearest_ranks() {
        let durations: Vec<Duration> = (1..=200).map(Duration::from_micros).collect();
        assert_eq!(percentile(&durations, 50), Duration::from_micros(100));
        assert_eq!(percentile(&durations, 99), Duration::from_micros(198));
        assert_eq!(percentile(&durations[..1], 99), Duration::from_micros(1));
        assert_eq!(percentile(&[], 50), Duration::ZERO);
    }

    #[test]
    fn calls_that_were_stopped_are_counted_by_their_reason() {
        let costs = Costs::default();
        for _call in 0..3 {
            costs.called(Duration::from_micros(5));
        }
        costs.stopped(&Stopped::Trap("unreachable".to_owned()));
        costs.stopped(&Stopped::Memory { limit: 1 });
        let cost = costs.sum(30);
        assert_eq!(
            (cost.calls, cost.traps, cost.timeouts, cost.out_of_memory),
            (3, 1, 0, 1)
        );
        assert_eq!(cost.memory_bytes, 30);
        assert_eq!(cost.total, Duration::from_micros(15));
    }
}
