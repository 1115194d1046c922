//! Bad and hostile requests: each is answered or its connection closed, and the run goes on as if
//! nothing had happened.

use std::time::Duration;

use acequia_sandbox::spanner::History;
use rustix::process::Signal;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::run;
use crate::end_to_end::place::Place;
use crate::end_to_end::shop::{after, an_hour_ago, customer, serve};
use crate::end_to_end::truth;

fn history(start: jiff::Timestamp) -> History {
    History::starting_at(start)
        .partition("a")
        .commit(after(start, 10), "a", [customer(1), customer(2)])
        .build()
        .unwrap()
}

/// A request, and the codes that are right for it; none where closing without an answer is too.
#[derive(Clone)]
struct Case {
    what: &'static str,
    request: Vec<u8>,
    right: &'static [Option<u16>],
}

const REFUSED: &[Option<u16>] = &[Some(400), None];
const TOO_LARGE: &[Option<u16>] = &[Some(400), Some(414), Some(431), None];
const IGNORED: &[Option<u16>] = &[Some(200), Some(400), None];

fn case(what: &'static str, request: impl Into<Vec<u8>>, right: &'static [Option<u16>]) -> Case {
    Case {
        what,
        request: request.into(),
        right,
    }
}

/// Requests whose first line is the trouble.
fn first_lines() -> Vec<Case> {
    let long = format!("GET /{} HTTP/1.1", "a".repeat(100_000));
    let elsewhere: &[_] = &[Some(200), Some(400), Some(404), Some(421)];
    let tunnel: &[_] = &[Some(400), Some(404), Some(405), None];
    let lines: [(&str, &str, &'static [Option<u16>]); 15] = [
        ("another method", "POST /status HTTP/1.1", &[Some(405)]),
        ("a deletion", "DELETE / HTTP/1.1", &[Some(405)]),
        ("a trace", "TRACE / HTTP/1.1", &[Some(405)]),
        ("an unknown method", "BREW /status HTTP/1.1", &[Some(405)]),
        ("a tunnel", "CONNECT evil.example:443 HTTP/1.1", tunnel),
        (
            "a path that climbs",
            "GET /../../etc/passwd HTTP/1.1",
            &[Some(404)],
        ),
        (
            "an encoded climb",
            "GET /%2e%2e/%2e%2e/etc/passwd HTTP/1.1",
            &[Some(404)],
        ),
        (
            "a path with a null",
            "GET /status%00.html HTTP/1.1",
            &[Some(404)],
        ),
        (
            "another server",
            "GET http://evil.example/status HTTP/1.1",
            elsewhere,
        ),
        (
            "a script in the query",
            "GET /status?<script>alert(1)</script> HTTP/1.1",
            IGNORED,
        ),
        ("a long path", &long, TOO_LARGE),
        ("no version", "GET /status", REFUSED),
        ("an unknown version", "GET /status HTTP/9.9", REFUSED),
        ("no method", "/status HTTP/1.1", REFUSED),
        ("an empty line", "", REFUSED),
    ];
    let local = "Host: localhost\r\nConnection: close\r\n";
    lines
        .into_iter()
        .map(|(what, line, right)| case(what, format!("{line}\r\n{local}\r\n"), right))
        .collect()
}

/// Requests whose headers are the trouble.
fn headers() -> Vec<Case> {
    let many: String = (0..500).map(|n| format!("X-{n}: x\r\n")).collect();
    let huge = format!("X: {}", "x".repeat(1 << 20));
    let local: [(&str, &str, &'static [Option<u16>]); 7] = [
        ("too many headers", many.trim_end(), TOO_LARGE),
        ("a huge header", &huge, TOO_LARGE),
        ("a header without a colon", "nonsense", REFUSED),
        (
            "two lengths",
            "Content-Length: 1\r\nContent-Length: 2",
            REFUSED,
        ),
        ("a length that is none", "Content-Length: -1", REFUSED),
        (
            "a length and chunks",
            "Content-Length: 5\r\nTransfer-Encoding: chunked",
            IGNORED,
        ),
        (
            "chunks that do not come",
            "Transfer-Encoding: chunked",
            IGNORED,
        ),
    ];
    let mut cases: Vec<_> = local
        .into_iter()
        .map(|(what, header, right)| {
            let head = format!("GET /status HTTP/1.1\r\nHost: localhost\r\n{header}\r\n");
            case(what, format!("{head}Connection: close\r\n\r\n"), right)
        })
        .collect();
    let elsewhere = "GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n";
    cases.push(case("a name from elsewhere", elsewhere, &[Some(421)]));
    let no_text = b"GET / HTTP/1.1\r\nHost: \xff\xfe\r\nConnection: close\r\n\r\n";
    cases.push(case(
        "a host that is no text",
        *no_text,
        &[Some(400), Some(421), None],
    ));
    cases
}

/// What is no HTTP/1.
fn other_protocols() -> Vec<Case> {
    let noise: Vec<u8> = (0..=255).cycle().take(4096).collect();
    let greeting = b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03".repeat(20);
    vec![
        case("HTTP/2", *b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", REFUSED),
        case("a TLS greeting", greeting, REFUSED),
        case("noise", noise, REFUSED),
        case(
            "lines and nothing in them",
            *b"\r\n\r\n\r\nx\r\n\r\n",
            REFUSED,
        ),
    ]
}

#[tokio::test]
async fn hostile_requests_change_nothing_and_are_answered() {
    let start = an_hour_ago();
    let sandbox = serve(history(start));
    let mut place = Place::endless(&sandbox, start);
    let asked = run::start(&mut place).await;
    asked
        .status_when("read", |status| status["totals"]["outputs"] == 2)
        .await;
    let cases = [first_lines(), headers(), other_protocols()].concat();
    assert!(cases.len() >= 24);
    for Case {
        what,
        request,
        right,
    } in &cases
    {
        let code = asked.send(request).await.map(|answer| answer.code);
        assert!(right.contains(&code), "{what}: {code:?}");
        let status = asked.status().await;
        assert_eq!(status["phase"], "reading", "after {what}");
        assert_eq!(status["totals"]["outputs"], 2, "after {what}");
    }
    asked.running.signal(Signal::TERM);
    let ended = asked.running.ended().await;
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    truth::check(&place, &sandbox.committed());
}

/// More clients than places, each of which sends half a request and waits.
#[tokio::test]
async fn clients_that_dawdle_are_cut_off_and_others_get_their_turn() {
    let start = an_hour_ago();
    let sandbox = serve(history(start));
    let mut place = Place::endless(&sandbox, start);
    let asked = run::start(&mut place).await;
    let mut dawdling = Vec::new();
    for _client in 0..40 {
        let mut stream = TcpStream::connect(asked.address).await.unwrap();
        stream
            .write_all(b"GET /status HTTP/1.1\r\nHost: loc")
            .await
            .unwrap();
        dawdling.push(stream);
    }
    assert_eq!(asked.get("/healthz").await.code, 200);
    let mut first = dawdling.remove(0);
    let mut rest = Vec::new();
    let closed = tokio::time::timeout(Duration::from_secs(30), first.read_to_end(&mut rest));
    let _read = closed.await.expect("a client that dawdles is cut off");
    asked
        .status_when("read", |status| status["totals"]["outputs"] == 2)
        .await;
}

#[tokio::test]
async fn a_page_is_served_under_a_policy_that_lets_nothing_in() {
    let start = an_hour_ago();
    let sandbox = serve(history(start));
    let mut place = Place::endless(&sandbox, start);
    let asked = run::start(&mut place).await;
    let page = asked.get("/").await;
    assert_eq!(page.code, 200);
    assert!(page.body.starts_with("<!doctype html>"));
    for header in [
        "content-type: text/html",
        "content-security-policy: default-src 'none'",
        "x-content-type-options: nosniff",
        "x-frame-options: deny",
        "cache-control: no-store",
    ] {
        assert!(page.head.contains(header), "{header}: {}", page.head);
    }
    // Only addresses of namespaces may be in it.
    let outside = page
        .body
        .split("http")
        .skip(1)
        .filter(|rest| rest.starts_with("://") || rest.starts_with("s://"));
    for rest in outside {
        assert!(
            rest.contains("www.w3.org"),
            "http{}",
            &rest[..60.min(rest.len())]
        );
    }
}

#[tokio::test]
async fn an_address_that_is_taken_stops_the_run_before_it_reads() {
    let start = an_hour_ago();
    let sandbox = serve(history(start));
    let mut place = Place::endless(&sandbox, start);
    let taken = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    place.set("admin-address", json!(taken.local_addr().unwrap().port()));
    let ended = crate::end_to_end::process::run(&place.config()).await;
    assert_eq!(ended.code, Some(1));
    assert!(
        ended
            .stderr
            .contains("admin-address: cannot listen on 127.0.0.1:"),
        "{}",
        ended.stderr
    );
    assert!(!place.path("out.ndjson").exists());
    assert_eq!(sandbox.stats().opened.len(), 0);
}

#[cfg(not(feature = "otlp"))]
#[tokio::test]
async fn an_exporter_that_this_binary_does_not_have_is_refused_by_name() {
    let start = an_hour_ago();
    let sandbox = serve(history(start));
    let mut place = Place::endless(&sandbox, start);
    place.set("otlp-endpoint", json!("http://127.0.0.1:4317"));
    let ended = crate::end_to_end::process::run(&place.config()).await;
    assert_eq!(ended.code, Some(2));
    let said =
        "spanner-change-stream.otlp-endpoint: this binary was built without the feature otlp";
    assert!(ended.stderr.contains(said), "{}", ended.stderr);
}
