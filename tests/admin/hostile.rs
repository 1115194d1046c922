//! Bad and hostile requests: each is answered or its connection closed, and the run goes on as if
//! nothing had happened.

use std::time::Duration;

use acequia_sandbox::History;
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
fn requests() -> Vec<(&'static str, Vec<u8>, &'static [Option<u16>])> {
    const REFUSED: &[Option<u16>] = &[Some(400), None];
    let local = "Host: localhost\r\nConnection: close\r\n";
    let line = |line: &str| format!("{line}\r\n{local}\r\n").into_bytes();
    let headers = |headers: &str| {
        format!("GET /status HTTP/1.1\r\n{headers}Connection: close\r\n\r\n").into_bytes()
    };
    let many: String = (0..500).map(|n| format!("X-{n}: x\r\n")).collect();
    let mut not_text = b"GET /status HTTP/1.1\r\nHost: \xff\xfe\r\n\r\n".to_vec();
    not_text.extend_from_slice(b"\x00\x01");
    vec![
        (
            "another method",
            line("POST /status HTTP/1.1"),
            &[Some(405)],
        ),
        ("a deletion", line("DELETE / HTTP/1.1"), &[Some(405)]),
        ("a trace", line("TRACE / HTTP/1.1"), &[Some(405)]),
        (
            "an unknown method",
            line("BREW /status HTTP/1.1"),
            &[Some(405)],
        ),
        (
            "a tunnel",
            line("CONNECT evil.example:443 HTTP/1.1"),
            &[Some(400), Some(404), Some(405), None],
        ),
        (
            "a path that climbs",
            line("GET /../../etc/passwd HTTP/1.1"),
            &[Some(404)],
        ),
        (
            "an encoded climb",
            line("GET /%2e%2e/%2e%2e/etc/passwd HTTP/1.1"),
            &[Some(404)],
        ),
        (
            "a path with a null",
            line("GET /status%00.html HTTP/1.1"),
            &[Some(404)],
        ),
        (
            "another server",
            line("GET http://evil.example/status HTTP/1.1"),
            &[Some(200), Some(400), Some(404), Some(421)],
        ),
        (
            "a long path",
            line(&format!("GET /{} HTTP/1.1", "a".repeat(100_000))),
            &[Some(400), Some(414), Some(431), None],
        ),
        ("no version", line("GET /status"), REFUSED),
        ("an unknown version", line("GET /status HTTP/9.9"), REFUSED),
        (
            "another protocol",
            b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec(),
            REFUSED,
        ),
        (
            "a TLS greeting",
            b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03".repeat(20),
            REFUSED,
        ),
        ("noise", (0..=255).cycle().take(4096).collect(), REFUSED),
        (
            "empty lines and nothing else",
            b"\r\n\r\n\r\n\r\nx\r\n\r\n".to_vec(),
            REFUSED,
        ),
        (
            "too many headers",
            headers(&format!("Host: localhost\r\n{many}")),
            &[Some(431), None],
        ),
        (
            "a huge header",
            headers(&format!(
                "Host: localhost\r\nX: {}\r\n",
                "x".repeat(1 << 20)
            )),
            &[Some(431), None],
        ),
        (
            "a header without a colon",
            headers("Host: localhost\r\nnonsense\r\n"),
            REFUSED,
        ),
        (
            "a name from elsewhere",
            headers("Host: evil.example\r\n"),
            &[Some(421)],
        ),
        (
            "a host that is no text",
            not_text,
            &[Some(400), Some(421), None],
        ),
        (
            "two lengths",
            headers("Host: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n"),
            REFUSED,
        ),
        (
            "a length that is none",
            headers("Host: localhost\r\nContent-Length: -1\r\n"),
            REFUSED,
        ),
        (
            "a length and chunks",
            headers("Host: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n"),
            &[Some(200), Some(400), None],
        ),
        (
            "a chunk that is none",
            headers("Host: localhost\r\nTransfer-Encoding: chunked\r\n"),
            &[Some(200), Some(400), None],
        ),
        (
            "a script in the query",
            line("GET /status?<script>alert(1)</script> HTTP/1.1"),
            &[Some(200), Some(400)],
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
    let requests = requests();
    assert!(requests.len() >= 24);
    for (what, request, right) in &requests {
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
