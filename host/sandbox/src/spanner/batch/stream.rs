//! One open stream of rows: what it sends, and how it ends.

use std::sync::Arc;

use bytes::Bytes;
use futures::Stream;
use jiff::Timestamp;
use tonic::Status;

use super::{frames::RowFrames, transaction::Transactions};
use crate::{
    spanner::{fault::On, service::OpenRows, world::World},
    strike::Strike,
};

/// What a stream works with.
#[derive(Debug)]
pub(crate) struct RowStream {
    pub(crate) world: Arc<World>,
    pub(crate) transactions: Arc<Transactions>,
    pub(crate) at: Timestamp,
    pub(crate) frames: RowFrames,
    pub(crate) strike: Strike<On>,
    pub(crate) open: OpenRows,
    pub(crate) over: bool,
}

type Message = Result<Bytes, Status>;

impl RowStream {
    pub(crate) fn messages(self) -> impl Stream<Item = Message> + Send {
        futures::stream::unfold(self, |mut stream| async move {
            let message = stream.message().await?;
            Some((message, stream))
        })
    }

    async fn message(&mut self) -> Option<Message> {
        if self.over {
            return None;
        }
        if let Some(what) = self.strike.due(self.open.messages) {
            self.over = true;
            return self.strike.carry_out(&what).await.map(Err);
        }
        if let Err(status) = self.transactions.check_age(self.at, &self.world) {
            self.over = true;
            return Some(Err(status));
        }
        let frame = self.frames.next()?;
        self.open.messages += 1;
        Some(Ok(frame))
    }
}
