//! HTTP/2 connections whose windows cannot starve a stream.
//!
//! A stream that is not read holds up to its stream window of the connection window. With default
//! windows, seven held streams leave the eighth without a frame. So a connection takes a bounded
//! number of streams, its window is the sum of theirs, and more streams open another connection.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tonic::transport::{Channel, Endpoint};

/// Streams that one connection takes. Below what servers allow at once (commonly 100), and small
/// enough that one lost connection does not end every reader.
const STREAMS_PER_CONNECTION_MAX: usize = 16;

/// Window of one stream, bytes: what a held stream may buffer. It is also the HTTP/2 read-ahead of
/// a busy one; a larger window costs memory for each partition and gains nothing on a fast link.
const STREAM_WINDOW_BYTES: u32 = 256 << 10;

/// Window of a connection: every stream's window at once.
const CONNECTION_WINDOW_BYTES: u32 = STREAM_WINDOW_BYTES * STREAMS_PER_CONNECTION_MAX as u32;

/// Bytes of one HTTP/2 frame. The transport reads a frame at a time, so larger ones are fewer calls
/// of the system and fewer turns of the connection's task; a frame is still far below a window.
const FRAME_BYTES_MAX: u32 = 64 << 10;

/// How often an HTTP/2 ping goes out, so that a dead peer is noticed between heartbeats.
const KEEP_ALIVE_INTERVAL: Duration = Duration::from_secs(30);

/// How long a ping may stay unanswered.
const KEEP_ALIVE_TIMEOUT: Duration = Duration::from_secs(20);

/// How long a connection may take to come up.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(20);

/// Hands out channels, each to a bounded number of streams at once.
pub(super) struct Channels {
    endpoint: Endpoint,
    open: Mutex<Vec<Slot>>,
}

struct Slot {
    channel: Channel,
    streams: Arc<()>,
}

/// A channel, and the right to one stream on it for as long as the lease lives.
pub(super) struct Lease {
    pub(super) channel: Channel,
    _stream: Arc<()>,
}

impl Channels {
    pub(super) fn new(endpoint: Endpoint) -> Self {
        let endpoint = endpoint
            .initial_stream_window_size(STREAM_WINDOW_BYTES)
            .initial_connection_window_size(CONNECTION_WINDOW_BYTES)
            .max_frame_size(FRAME_BYTES_MAX)
            .http2_keep_alive_interval(KEEP_ALIVE_INTERVAL)
            .keep_alive_timeout(KEEP_ALIVE_TIMEOUT)
            .keep_alive_while_idle(true)
            .connect_timeout(CONNECT_TIMEOUT)
            .tcp_nodelay(true);
        Self {
            endpoint,
            open: Mutex::new(Vec::new()),
        }
    }

    /// A channel with room for one more stream; a connection comes up with its first call.
    pub(super) fn lease(&self) -> Lease {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        // The pool's own reference to `streams` is one, each lease another.
        let with_room = open
            .iter()
            .position(|slot| Arc::strong_count(&slot.streams) <= STREAMS_PER_CONNECTION_MAX);
        let slot = match with_room.and_then(|index| open.get(index)) {
            Some(slot) => slot,
            None => {
                open.push(Slot {
                    channel: self.endpoint.connect_lazy(),
                    streams: Arc::new(()),
                });
                &open[open.len() - 1]
            }
        };
        Lease {
            channel: slot.channel.clone(),
            _stream: Arc::clone(&slot.streams),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_full_connection_is_followed_by_another_and_a_returned_place_is_used_again() {
        let channels = Channels::new(Endpoint::from_static("http://127.0.0.1:1"));
        let mut leases: Vec<Lease> = (0..STREAMS_PER_CONNECTION_MAX)
            .map(|_| channels.lease())
            .collect();
        assert_eq!(channels.open.lock().unwrap().len(), 1);

        leases.push(channels.lease());
        assert_eq!(channels.open.lock().unwrap().len(), 2);

        leases.remove(0);
        leases.push(channels.lease());
        assert_eq!(channels.open.lock().unwrap().len(), 2);
    }
}
