//! The admin address as the page sees it, with scripted answers.

use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use serde_json::Value;

/// The page itself.
pub(crate) const PAGE: &str = include_str!("../../host/src/admin/page.html");

/// What the page must work under: nothing from outside, no address but its own.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; \
                      connect-src 'self'; img-src data:";

/// What `status` answers.
pub(crate) enum Answer {
    /// A status.
    Status(Value),
    /// Another HTTP status.
    Refusal(u16),
    /// Something that is no JSON.
    Text(&'static str),
    /// The connection is closed without a word.
    Close,
    /// Nothing at all, until the visit is over.
    Hang,
}

type Script = Box<dyn Fn(usize) -> Answer + Send + Sync>;

struct Shared {
    script: Script,
    around: String,
    asked: AtomicUsize,
    closing: AtomicBool,
    over: Mutex<bool>,
    over_now: Condvar,
}

/// A server on loopback. It ends with this value.
pub(crate) struct Site {
    address: SocketAddr,
    shared: Arc<Shared>,
    listening: Option<JoinHandle<()>>,
}

impl Site {
    /// Serves the page, `around` it at `/around`, and the script's answers, numbered from 0.
    pub(crate) fn start(script: Script, around: String) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let shared = Arc::new(Shared {
            script,
            around,
            asked: AtomicUsize::new(0),
            closing: AtomicBool::new(false),
            over: Mutex::new(false),
            over_now: Condvar::new(),
        });
        let for_thread = Arc::clone(&shared);
        let listening = std::thread::spawn(move || listen(&listener, &for_thread));
        Self {
            address,
            shared,
            listening: Some(listening),
        }
    }

    /// Where the page around the page is.
    pub(crate) fn url(&self) -> String {
        format!("http://{}/around", self.address)
    }

    /// How often `status` was asked for.
    pub(crate) fn asked(&self) -> usize {
        self.shared.asked.load(Ordering::SeqCst)
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        self.shared.closing.store(true, Ordering::SeqCst);
        end_visit(&self.shared);
        drop(TcpStream::connect(self.address));
        if let Some(listening) = self.listening.take() {
            drop(listening.join());
        }
    }
}

/// A thread for each connection: a browser opens some that it does not use.
fn listen(listener: &TcpListener, shared: &Arc<Shared>) {
    for stream in listener.incoming() {
        if shared.closing.load(Ordering::SeqCst) {
            return;
        }
        let (Ok(stream), shared) = (stream, Arc::clone(shared)) else {
            continue;
        };
        std::thread::spawn(move || {
            // A browser that is gone is no failure of the site.
            drop(answer(&stream, &shared));
        });
    }
}

fn answer(stream: &TcpStream, shared: &Shared) -> std::io::Result<()> {
    let path = path_of(stream)?;
    match path.as_str() {
        "/" => send(stream, "200 OK", "text/html; charset=utf-8", PAGE),
        "/around" => send(stream, "200 OK", "text/html; charset=utf-8", &shared.around),
        "/over" => {
            end_visit(shared);
            send(stream, "200 OK", "text/plain", "")
        }
        "/late" => {
            wait_for_end(shared);
            send(stream, "404 Not Found", "text/plain", "")
        }
        "/status" => {
            let number = shared.asked.fetch_add(1, Ordering::SeqCst);
            match (shared.script)(number) {
                Answer::Status(status) => {
                    send(stream, "200 OK", "application/json", &status.to_string())
                }
                Answer::Refusal(code) => send(stream, &format!("{code} No"), "text/plain", "no"),
                Answer::Text(text) => send(stream, "200 OK", "text/html", text),
                Answer::Close => Ok(()),
                Answer::Hang => {
                    wait_for_end(shared);
                    Ok(())
                }
            }
        }
        _ => send(stream, "404 Not Found", "text/plain", ""),
    }
}

/// Reads a request and gives its path.
fn path_of(stream: &TcpStream) -> std::io::Result<String> {
    stream.set_read_timeout(Some(Duration::from_secs(60)))?;
    let mut lines = BufReader::new(stream).lines();
    let first = lines.next().transpose()?.unwrap_or_default();
    for line in lines {
        if line?.is_empty() {
            break;
        }
    }
    Ok(first.split(' ').nth(1).unwrap_or_default().to_owned())
}

fn send(mut stream: &TcpStream, code: &str, kind: &str, body: &str) -> std::io::Result<()> {
    let policy = if body == PAGE { POLICY } else { "" };
    write!(
        stream,
        "HTTP/1.1 {code}\r\ncontent-type: {kind}\r\ncontent-length: {}\r\n\
         content-security-policy: {policy}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    )
}

fn end_visit(shared: &Shared) {
    *shared.over.lock().unwrap() = true;
    shared.over_now.notify_all();
}

fn wait_for_end(shared: &Shared) {
    let over = shared.over.lock().unwrap();
    drop(
        shared
            .over_now
            .wait_timeout_while(over, Duration::from_secs(60), |over| !*over)
            .unwrap(),
    );
}
