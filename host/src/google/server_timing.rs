//! The header in which Google's front ends tell their own times.

use std::time::Duration;

use http::HeaderMap;

/// Source: https://cloud.google.com/spanner/docs/latency-metrics#capture-gfe-latency
const SERVER_TIMING: &str = "server-timing";

/// Who tells a time.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum FrontEnd {
    /// The Google front end, where Google's network begins.
    Google,
    /// The front end of Spanner's own interface, behind it.
    SpannerApi,
}

impl FrontEnd {
    /// As it is called in the header.
    ///
    /// Source: java-spanner, HeaderInterceptor.java
    const ALL: [(&str, Self); 2] = [("gfet4t7", Self::Google), ("afe", Self::SpannerApi)];

    /// What Google's documents call it for short.
    pub(super) fn short(self) -> &'static str {
        match self {
            Self::Google => "gfe",
            Self::SpannerApi => "afe",
        }
    }
}

/// Reads `gfet4t7; dur=12, afe; dur=3.5`: milliseconds.
pub(super) fn server_times(headers: &HeaderMap) -> Vec<(FrontEnd, Duration)> {
    let values = headers.get_all(SERVER_TIMING).into_iter();
    let texts = values.filter_map(|value| value.to_str().ok());
    texts
        .flat_map(|text| text.split(','))
        .filter_map(server_time)
        .collect()
}

fn server_time(entry: &str) -> Option<(FrontEnd, Duration)> {
    let mut parts = entry.split(';').map(str::trim);
    let name = parts.next()?;
    let (_, front_end) = FrontEnd::ALL.iter().find(|(known, _)| *known == name)?;
    let millis: f64 = parts
        .find_map(|part| part.strip_prefix("dur="))?
        .parse()
        .ok()?;
    let time = Duration::try_from_secs_f64(millis / 1000.0).ok()?;
    Some((*front_end, time))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_front_ends_times_are_read_and_other_entries_are_not() {
        let mut headers = HeaderMap::new();
        headers.append(
            SERVER_TIMING,
            "gfet4t7; dur=123, afe; dur=4.5".parse().unwrap(),
        );
        headers.append(SERVER_TIMING, "cache; dur=9, gfet4t7".parse().unwrap());
        let times = server_times(&headers);
        assert_eq!(
            times,
            [
                (FrontEnd::Google, Duration::from_millis(123)),
                (FrontEnd::SpannerApi, Duration::from_micros(4500))
            ]
        );
    }

    #[test]
    fn a_time_that_is_none_is_left_out() {
        for text in ["gfet4t7; dur=-1", "gfet4t7; dur=x", "gfet4t7; dur=NaN", ""] {
            let mut headers = HeaderMap::new();
            headers.append(SERVER_TIMING, text.parse().unwrap());
            assert!(server_times(&headers).is_empty(), "{text}");
        }
    }
}
