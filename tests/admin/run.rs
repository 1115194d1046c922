//! A run that can be asked.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{Instant, timeout};

use crate::end_to_end::place::{PATIENCE, Place};
use crate::end_to_end::process::{self, Running};

/// A run of the binary with an admin address.
pub(crate) struct Asked {
    pub(crate) address: SocketAddr,
    pub(crate) running: Running,
}

/// An answer.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) code: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

/// Starts a run, and waits until it answers.
pub(crate) async fn start(place: &mut Place) -> Asked {
    let address = free_address().await;
    place.set("admin-address", json!(address.port()));
    let running = process::start(&place.config());
    let asked = Asked { address, running };
    let started = Instant::now();
    while TcpStream::connect(address).await.is_err() {
        assert!(started.elapsed() < PATIENCE, "nothing listens");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    asked
}

/// A port of the loopback address that was free a moment ago.
pub(crate) async fn free_address() -> SocketAddr {
    let any = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
    let listener = TcpListener::bind(any).await.unwrap();
    listener.local_addr().unwrap()
}

impl Asked {
    /// Asks for a path.
    pub(crate) async fn get(&self, path: &str) -> Answer {
        get(self.address, path).await
    }

    /// Sends bytes and reads until the server closes; none if it does so without an answer.
    pub(crate) async fn send(&self, request: &[u8]) -> Option<Answer> {
        send(self.address, request).await
    }

    pub(crate) async fn status(&self) -> Value {
        let answer = self.get("/status").await;
        assert_eq!(answer.code, 200, "{}", answer.body);
        serde_json::from_str(&answer.body).unwrap()
    }

    /// Asks for the status until it is as wished.
    pub(crate) async fn status_when(&self, what: &str, wished: impl Fn(&Value) -> bool) -> Value {
        let started = Instant::now();
        loop {
            let status = self.status().await;
            if wished(&status) {
                return status;
            }
            assert!(started.elapsed() < PATIENCE, "never {what}: {status:#}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
}

/// Asks an address for a path.
pub(crate) async fn get(address: SocketAddr, path: &str) -> Answer {
    let request = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    let answer = send(address, request.as_bytes()).await;
    answer.unwrap_or_else(|| panic!("no answer to {path}"))
}

async fn send(address: SocketAddr, request: &[u8]) -> Option<Answer> {
    let mut stream = TcpStream::connect(address).await.unwrap();
    // A server that has refused already may have closed.
    let _closed = stream.write_all(request).await;
    let mut bytes = Vec::new();
    let read = timeout(PATIENCE, stream.read_to_end(&mut bytes)).await;
    let _reset = read.unwrap_or_else(|_elapsed| panic!("the answer does not end"));
    parse(&String::from_utf8_lossy(&bytes))
}

fn parse(text: &str) -> Option<Answer> {
    let (head, body) = text.split_once("\r\n\r\n")?;
    let code = head.split(' ').nth(1)?.parse().ok()?;
    Some(Answer {
        code,
        head: head.to_ascii_lowercase(),
        body: body.to_owned(),
    })
}
