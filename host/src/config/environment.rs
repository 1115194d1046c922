//! What the environment of the process says, asked once when a file is read.

/// The variable by which Google's own clients of Spanner are told to keep their metrics to themselves.
///
/// Source: java-spanner, SpannerOptions.SpannerEnvironment.isEnableBuiltInMetrics
const DISABLE_BUILTIN_METRICS: &str = "SPANNER_DISABLE_BUILTIN_METRICS";

/// What of the environment bears on a configuration. Default: an empty environment.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Environment {
    /// Whether metrics of the client are not exported to Cloud Monitoring unless the file says so.
    pub disable_builtin_metrics: bool,
}

impl Environment {
    /// The environment of this process.
    #[must_use]
    pub fn of_process() -> Self {
        Self::of(|name| std::env::var(name).ok())
    }

    /// The environment in which `variable` gives the values. In any case, only `true` is a yes.
    #[must_use]
    pub fn of(variable: impl Fn(&str) -> Option<String>) -> Self {
        let value = variable(DISABLE_BUILTIN_METRICS);
        Self {
            disable_builtin_metrics: value.is_some_and(|value| value.eq_ignore_ascii_case("true")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_true_in_any_case_turns_the_metrics_off() {
        let of = |value: Option<&str>| {
            let value = value.map(str::to_owned);
            let environment = Environment::of(|name| {
                assert_eq!(name, "SPANNER_DISABLE_BUILTIN_METRICS");
                value.clone()
            });
            environment.disable_builtin_metrics
        };
        assert!(of(Some("true")) && of(Some("TRUE")));
        assert!(!of(Some("1")) && !of(Some("yes")) && !of(Some("")) && !of(None));
    }
}
