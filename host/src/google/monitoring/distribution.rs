//! Times, counted in buckets.

use std::time::Duration;

/// Times since the start of the run, in milliseconds.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Distribution {
    /// Where one bucket ends and the next begins.
    pub(super) bounds: &'static [f64],
    /// How many times are in each bucket: one more than there are bounds.
    pub(super) counts: Vec<u64>,
    sum_ms: f64,
}

impl Distribution {
    /// A distribution of no times.
    pub(super) fn new(bounds: &'static [f64]) -> Self {
        Self {
            bounds,
            counts: vec![0; bounds.len() + 1],
            sum_ms: 0.0,
        }
    }

    /// Adds a time. A bucket has its lower bound and not its upper one.
    ///
    /// Source: google/api/distribution.proto, BucketOptions
    pub(super) fn add(&mut self, time: Duration) {
        let ms = time.as_secs_f64() * 1000.0;
        let bucket = self.bounds.partition_point(|bound| *bound <= ms);
        if let Some(count) = self.counts.get_mut(bucket) {
            *count = count.saturating_add(1);
        }
        self.sum_ms += ms;
    }

    /// How many times there are.
    pub(super) fn count(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Their mean, in milliseconds; zero where there are none.
    pub(super) fn mean_ms(&self) -> f64 {
        match self.count() {
            0 => 0.0,
            #[allow(
                clippy::cast_precision_loss,
                reason = "a mean of so many times needs no more digits"
            )]
            count => self.sum_ms / count as f64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_in_the_bucket_that_it_is_the_lower_bound_of() {
        let mut times = Distribution::new(&[0.0, 10.0, 20.0]);
        for ms in [0, 9, 10, 19, 20, 5000] {
            times.add(Duration::from_millis(ms));
        }
        assert_eq!(times.counts, [0, 2, 2, 2]);
        assert_eq!(times.count(), 6);
        assert!((times.mean_ms() - 843.0).abs() < 1e-9);
    }

    #[test]
    fn no_times_have_the_mean_zero() {
        // Source: google/api/distribution.proto, `mean`
        let none = Distribution::new(&[0.0]);
        assert_eq!((none.count(), none.mean_ms().to_bits()), (0, 0));
    }
}
