//! Answers.

use bytes::Bytes;
use http::header::{
    ALLOW, CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY,
    X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use http::{HeaderValue, Request, Response, StatusCode};
use http_body_util::Full;

use super::desk::{Desk, LookError};
use super::request::{self, Asked};
use crate::status::Status;
use crate::telemetry::Metrics;

type Answer = Response<Full<Bytes>>;

const TEXT: &str = "text/plain; charset=utf-8";
const PAGE: &str = include_str!("page.html");

/// The page has its styles and its script in itself, and asks this server only.
const PAGE_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src \
                           'unsafe-inline'; connect-src 'self'; img-src data:; base-uri 'none'; \
                           form-action 'none'; frame-ancestors 'none'";

/// Answers a request.
pub(super) async fn answer<B>(
    request: &Request<B>,
    loopback: bool,
    desk: &Desk,
    metrics: &Metrics,
) -> Answer {
    match request::read(request, loopback) {
        Ok(Asked::Page) => told(StatusCode::OK, "text/html; charset=utf-8", PAGE),
        Ok(Asked::Status) => status(desk).await,
        Ok(Asked::Metrics) => scraped(desk, metrics).await,
        Ok(Asked::Health) => health(desk).await,
        Ok(Asked::Readiness) => readiness(desk).await,
        Err((code, reason)) => {
            let mut refused = told(code, TEXT, reason);
            if code == StatusCode::METHOD_NOT_ALLOWED {
                let allowed = HeaderValue::from_static("GET, HEAD");
                refused.headers_mut().insert(ALLOW, allowed);
            }
            refused
        }
    }
}

async fn status(desk: &Desk) -> Answer {
    let status = match desk.status().await {
        Ok(status) => status,
        Err(error) => return unavailable(&error),
    };
    match serde_json::to_vec(status.as_ref()) {
        Ok(json) => told(StatusCode::OK, "application/json", json),
        Err(error) => told(
            StatusCode::INTERNAL_SERVER_ERROR,
            TEXT,
            format!("{error}\n"),
        ),
    }
}

async fn scraped(desk: &Desk, metrics: &Metrics) -> Answer {
    match desk.status().await {
        Ok(status) => {
            metrics.publish(&status);
            let text = metrics.render();
            told(
                StatusCode::OK,
                "text/plain; version=0.0.4; charset=utf-8",
                text,
            )
        }
        Err(error) => unavailable(&error),
    }
}

async fn health(desk: &Desk) -> Answer {
    match desk.status().await {
        Ok(_) | Err(LookError::Over) => told(StatusCode::OK, TEXT, "alive\n"),
        Err(error @ LookError::Stuck) => unavailable(&error),
    }
}

async fn readiness(desk: &Desk) -> Answer {
    match desk.status().await {
        Ok(status) => told(ready_code(&status), TEXT, ready_text(&status)),
        Err(error) => unavailable(&error),
    }
}

fn ready_code(status: &Status) -> StatusCode {
    if status.ready {
        StatusCode::OK
    } else {
        StatusCode::SERVICE_UNAVAILABLE
    }
}

fn ready_text(status: &Status) -> String {
    let mut text = match (status.ready, status.degraded.is_empty()) {
        (true, true) => "ready\n".to_owned(),
        (true, false) => "ready, but degraded:\n".to_owned(),
        (false, _) => format!("not ready: {}\n", status.phase.as_str()),
    };
    for sentence in &status.degraded {
        text.push_str(sentence);
        text.push('\n');
    }
    text
}

fn unavailable(error: &LookError) -> Answer {
    told(StatusCode::SERVICE_UNAVAILABLE, TEXT, format!("{error}\n"))
}

fn told(code: StatusCode, kind: &'static str, body: impl Into<Bytes>) -> Answer {
    let mut answer = Response::new(Full::new(body.into()));
    *answer.status_mut() = code;
    let headers = answer.headers_mut();
    for (name, value) in [
        (CONTENT_TYPE, kind),
        (CACHE_CONTROL, "no-store"),
        (CONTENT_SECURITY_POLICY, PAGE_POLICY),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (X_FRAME_OPTIONS, "DENY"),
        (REFERRER_POLICY, "no-referrer"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    answer
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use crate::status::Totals;

    /// The keys of the list in the page's script.
    fn listed() -> BTreeSet<String> {
        let (_, rest) = super::PAGE.split_once("const TOTALS = [").unwrap();
        let (list, _) = rest.split_once("];").unwrap();
        let entries = list.split("[\"").skip(1);
        entries
            .map(|entry| entry.split('"').next().unwrap().to_owned())
            .collect()
    }

    #[test]
    fn the_page_has_words_for_every_total_and_for_nothing_else() {
        let totals = serde_json::to_value(Totals::default()).unwrap();
        let told: BTreeSet<_> = totals.as_object().unwrap().keys().cloned().collect();
        assert_eq!(listed(), told);
    }
}
