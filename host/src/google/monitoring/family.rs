//! The client metrics of each service, as Google's own clients write them.

use std::sync::LazyLock;
use std::time::Duration;

use super::super::measure::Measure;
use super::super::server_timing::FrontEnd;

/// Whose client metrics they are.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Family {
    /// Source: java-spanner, BuiltInMetricsConstant.java and BuiltInMetricsRecorder.java
    Spanner,
    /// Source: java-bigtable, internal/csm/metrics
    Bigtable,
}

/// A metric, and which of its labels are not those of every metric of the family.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(super) struct Metric {
    /// The last part of its type.
    pub(super) name: &'static str,
    /// Whether it has the label `status`.
    pub(super) has_status: bool,
    /// Whether it has the label `streaming`.
    pub(super) has_streaming: bool,
}

impl Metric {
    const fn plain(name: &'static str) -> Self {
        Self {
            name,
            has_status: false,
            has_streaming: false,
        }
    }

    const fn by_status(name: &'static str) -> Self {
        Self {
            has_status: true,
            ..Self::plain(name)
        }
    }

    const fn by_status_and_streaming(name: &'static str) -> Self {
        Self {
            has_streaming: true,
            ..Self::by_status(name)
        }
    }
}

/// What a measure adds to a metric.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Amount {
    /// To a count.
    Count(u64),
    /// To a distribution.
    Time(Duration),
}

impl Family {
    /// What the type of each metric begins with.
    pub(super) fn prefix(self) -> &'static str {
        match self {
            Self::Spanner => "spanner.googleapis.com/internal/client/",
            Self::Bigtable => "bigtable.googleapis.com/internal/client/",
        }
    }

    /// The type of the monitored resource.
    pub(super) fn resource(self) -> &'static str {
        match self {
            Self::Spanner => "spanner_instance_client",
            Self::Bigtable => "bigtable_client_raw",
        }
    }

    /// What the label `method` begins with.
    pub(super) fn service(self) -> &'static str {
        match self {
            Self::Spanner => "Spanner.",
            Self::Bigtable => "Bigtable.",
        }
    }

    /// Where one bucket of a distribution ends and the next begins, in milliseconds.
    pub(super) fn bounds(self) -> &'static [f64] {
        match self {
            Self::Spanner => &SPANNER_BOUNDS,
            Self::Bigtable => &BIGTABLE_BOUNDS,
        }
    }

    /// The metrics that a measure adds to, each with what is added.
    pub(super) fn additions(self, measure: Measure) -> Vec<(Metric, Amount)> {
        match self {
            Self::Spanner => of_spanner(measure),
            Self::Bigtable => of_bigtable(measure),
        }
    }
}

/// Counts of retries, first responses and the application's time are not among Spanner's. An attempt
/// that reached nobody reached neither front end.
fn of_spanner(measure: Measure) -> Vec<(Metric, Amount)> {
    let metric = Metric::by_status;
    match measure {
        Measure::Operation(time) => vec![
            (metric("operation_count"), Amount::Count(1)),
            (metric("operation_latencies"), Amount::Time(time)),
        ],
        Measure::Attempt { time, reached, .. } => {
            let mut additions = vec![
                (metric("attempt_count"), Amount::Count(1)),
                (metric("attempt_latencies"), Amount::Time(time)),
            ];
            if !reached {
                for name in [
                    "gfe_connectivity_error_count",
                    "afe_connectivity_error_count",
                ] {
                    additions.push((metric(name), Amount::Count(1)));
                }
            }
            additions
        }
        Measure::FrontEnd(FrontEnd::Google, time) => {
            vec![(metric("gfe_latencies"), Amount::Time(time))]
        }
        Measure::FrontEnd(FrontEnd::SpannerApi, time) => {
            vec![(metric("afe_latencies"), Amount::Time(time))]
        }
        Measure::Retry | Measure::FirstResponse(_) | Measure::Application(_) => Vec::new(),
    }
}

/// Bigtable's `retry_count` counts the attempts of an operation after its first. Here every operation
/// has one: a stream is opened again as another operation.
fn of_bigtable(measure: Measure) -> Vec<(Metric, Amount)> {
    let timed = |metric, time| vec![(metric, Amount::Time(time))];
    match measure {
        Measure::Operation(time) => {
            let metric = Metric::by_status_and_streaming("operation_latencies");
            timed(metric, time)
        }
        // An attempt that did reach the service counts, too, with nothing.
        Measure::Attempt { time, reached, .. } => vec![
            (
                Metric::by_status_and_streaming("attempt_latencies"),
                Amount::Time(time),
            ),
            (
                Metric::by_status("connectivity_error_count"),
                Amount::Count(u64::from(!reached)),
            ),
        ],
        Measure::FrontEnd(FrontEnd::Google, time) => {
            let metric = Metric::by_status_and_streaming("server_latencies");
            timed(metric, time)
        }
        Measure::FirstResponse(time) => timed(Metric::by_status("first_response_latencies"), time),
        Measure::Application(time) => timed(Metric::plain("application_latencies"), time),
        Measure::FrontEnd(FrontEnd::SpannerApi, _) | Measure::Retry => Vec::new(),
    }
}

/// Source: java-spanner, BuiltInMetricsConstant.java, `BUCKET_BOUNDARIES`
static SPANNER_BOUNDS: [f64; 50] = [
    0.0,
    0.5,
    1.0,
    2.0,
    3.0,
    4.0,
    5.0,
    6.0,
    7.0,
    8.0,
    9.0,
    10.0,
    11.0,
    12.0,
    13.0,
    14.0,
    15.0,
    16.0,
    17.0,
    18.0,
    19.0,
    20.0,
    25.0,
    30.0,
    40.0,
    50.0,
    65.0,
    80.0,
    100.0,
    130.0,
    160.0,
    200.0,
    250.0,
    300.0,
    400.0,
    500.0,
    650.0,
    800.0,
    1000.0,
    2000.0,
    5000.0,
    10_000.0,
    20_000.0,
    50_000.0,
    100_000.0,
    200_000.0,
    400_000.0,
    800_000.0,
    1_600_000.0,
    3_200_000.0,
];

/// Tenths up to three, and then wider and wider. Distributions of several clients are added where
/// their bounds are the same: a tenth is multiplied, not divided, as Google's clients do.
///
/// Source: java-bigtable, Constants.java, `AGGREGATION_WITH_MILLIS_HISTOGRAM`
static BIGTABLE_BOUNDS: LazyLock<Vec<f64>> = LazyLock::new(|| {
    let tenths = (0..=30).map(|tenth| f64::from(tenth) * 0.1);
    tenths.chain(BIGTABLE_BOUNDS_FROM_FOUR).collect()
});

const BIGTABLE_BOUNDS_FROM_FOUR: [f64; 40] = [
    4.0,
    5.0,
    6.0,
    8.0,
    10.0,
    13.0,
    16.0,
    20.0,
    25.0,
    30.0,
    40.0,
    50.0,
    65.0,
    80.0,
    100.0,
    130.0,
    160.0,
    200.0,
    250.0,
    300.0,
    400.0,
    500.0,
    650.0,
    800.0,
    900.0,
    1000.0,
    2000.0,
    3000.0,
    4000.0,
    5000.0,
    6000.0,
    10_000.0,
    20_000.0,
    50_000.0,
    100_000.0,
    200_000.0,
    500_000.0,
    1_000_000.0,
    2_000_000.0,
    5_000_000.0,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_grow_and_have_the_ends_and_the_number_of_googles_clients() {
        // Counted in the sources that are named above.
        let of = |family: Family| {
            let bounds = family.bounds();
            assert!(bounds.is_sorted_by(|one, next| one < next));
            (
                bounds.len(),
                bounds.first().copied(),
                bounds.last().copied(),
            )
        };
        assert_eq!(of(Family::Spanner), (50, Some(0.0), Some(3_200_000.0)));
        assert_eq!(of(Family::Bigtable), (71, Some(0.0), Some(5_000_000.0)));
    }
}
