//! A connection that can be cut from within, and a response that can be reset.

use std::{
    io,
    pin::Pin,
    sync::{
        Arc, Mutex, PoisonError, Weak,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll},
};

use bytes::Bytes;
use futures::task::AtomicWaker;
use http_body::Frame;
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::TcpStream,
};
use tonic::{Status, body::Body, transport::server::Connected};

/// Cuts one connection.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cutter(Arc<Cut>);

#[derive(Debug, Default)]
struct Cut {
    cut: AtomicBool,
    reader: AtomicWaker,
}

impl Cutter {
    pub(crate) fn cut(&self) {
        self.0.cut.store(true, Ordering::Release);
        self.0.reader.wake();
    }

    fn check(&self) -> io::Result<()> {
        if self.0.cut.load(Ordering::Acquire) {
            Err(io::ErrorKind::ConnectionReset.into())
        } else {
            Ok(())
        }
    }
}

/// All connections, to cut them when the sandbox stops.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lines(Arc<Mutex<Vec<Weak<Cut>>>>);

impl Lines {
    pub(crate) fn accept(&self, stream: TcpStream) -> Line {
        let cutter = Cutter::default();
        let mut lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        lines.retain(|line| line.strong_count() > 0);
        lines.push(Arc::downgrade(&cutter.0));
        Line { stream, cutter }
    }

    pub(crate) fn cut_all(&self) {
        let lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        lines
            .iter()
            .filter_map(Weak::upgrade)
            .for_each(|line| Cutter(line).cut());
    }
}

/// A connection.
#[derive(Debug)]
pub(crate) struct Line {
    stream: TcpStream,
    cutter: Cutter,
}

impl Connected for Line {
    type ConnectInfo = Cutter;

    fn connect_info(&self) -> Cutter {
        self.cutter.clone()
    }
}

impl AsyncRead for Line {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.cutter.0.reader.register(context.waker());
        self.cutter.check()?;
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for Line {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.cutter.check()?;
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.cutter.check()?;
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.cutter.check()?;
        Pin::new(&mut self.stream).poll_write_vectored(context, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}

/// Set by a call that is to be reset instead of ended.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reset(Arc<AtomicBool>);

impl Reset {
    pub(crate) fn set(&self) {
        self.0.store(true, Ordering::Release);
    }
}

/// A response body that fails when its call asked for a reset, which makes the HTTP/2 layer send
/// RST_STREAM instead of trailers.
pub(crate) struct Resettable {
    pub(crate) body: Body,
    pub(crate) reset: Reset,
}

impl http_body::Body for Resettable {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        let frame = Pin::new(&mut self.body).poll_frame(context);
        let is_data = matches!(&frame, Poll::Ready(Some(Ok(frame))) if frame.is_data());
        if is_data || frame.is_pending() || !self.reset.0.load(Ordering::Acquire) {
            return frame;
        }
        Poll::Ready(Some(Err(Status::internal("reset"))))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }
}
