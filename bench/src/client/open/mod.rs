//! What the two drains share: a connection, and the request of each partition as the host asks it.

mod bigtable;
mod spanner;

use std::time::Duration;

use googleapis_tonic_google_bigtable_v2::google::bigtable::v2::ReadChangeStreamRequest;
use googleapis_tonic_google_spanner_v1::google::spanner::v1::ExecuteSqlRequest;
use tonic::transport::{Channel, Endpoint};

use crate::Failed;
use crate::error::Of as _;
use crate::server::{Stream, Target};

const WHAT: &str = "the connection";

/// The windows and the size of a frame that the host's own client has, so that only what is done with
/// the frames differs.
const STREAM_WINDOW_BYTES: u32 = 256 << 10;
const CONNECTION_WINDOW_BYTES: u32 = 16 * STREAM_WINDOW_BYTES;
const FRAME_BYTES_MAX: u32 = 64 << 10;

/// How often a quiet partition reports. None here is quiet.
const HEARTBEAT: Duration = Duration::from_secs(1);

/// A connection, and what is to be read over it.
pub(super) struct Opened {
    pub(super) channel: Channel,
    /// One of each partition.
    pub(super) requests: Vec<Request>,
}

/// What reads one partition to its end.
pub(super) enum Request {
    /// A query.
    Spanner(Box<tonic::Request<ExecuteSqlRequest>>),
    /// A read.
    Bigtable(Box<tonic::Request<ReadChangeStreamRequest>>),
}

impl Opened {
    pub(super) async fn connect(target: &Target) -> Result<Self, Failed> {
        let channel = Endpoint::from_shared(format!("http://{}", target.address))
            .of(WHAT)?
            .initial_stream_window_size(STREAM_WINDOW_BYTES)
            .initial_connection_window_size(CONNECTION_WINDOW_BYTES)
            .max_frame_size(FRAME_BYTES_MAX)
            .tcp_nodelay(true)
            .connect()
            .await
            .of(WHAT)?;
        let requests = match &target.stream {
            Stream::Spanner { database, name } => {
                spanner::requests(&channel, target, database, name).await?
            }
            Stream::Bigtable { table, app_profile } => {
                bigtable::requests(&channel, target, table, app_profile).await?
            }
        };
        Ok(Self { channel, requests })
    }
}
