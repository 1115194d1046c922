//! What the two drains share: a connection, a session and the query of a partition.

use std::time::Duration;

use acequia_host::config::ChangeStreamName;
use acequia_host::spanner::request::{Dialect, PartitionMode, PartitionQuery, read_partition};
use acequia_sandbox::spanner::history::Flood;
use googleapis_tonic_google_spanner_v1::google::spanner::v1::spanner_client::SpannerClient;
use googleapis_tonic_google_spanner_v1::google::spanner::v1::{
    CreateSessionRequest, ExecuteSqlRequest, Session,
};
use tonic::transport::{Channel, Endpoint};

use crate::Failed;
use crate::error::Of as _;
use crate::server::Target;

const WHAT: &str = "the connection";

/// The windows and the size of a frame that the host's own client has, so that only what is done with
/// the frames differs.
const STREAM_WINDOW_BYTES: u32 = 256 << 10;
const CONNECTION_WINDOW_BYTES: u32 = 16 * STREAM_WINDOW_BYTES;
const FRAME_BYTES_MAX: u32 = 64 << 10;

/// How often a quiet partition reports. None here is quiet.
const HEARTBEAT: Duration = Duration::from_secs(1);

/// A connection with a session.
pub(super) struct Opened {
    pub(super) channel: Channel,
    session: String,
    stream: ChangeStreamName,
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
        let request = CreateSessionRequest {
            database: target.database.clone(),
            session: Some(Session {
                multiplexed: true,
                ..Session::default()
            }),
        };
        let session = SpannerClient::new(channel.clone())
            .create_session(request)
            .await
            .of(WHAT)?;
        Ok(Self {
            channel,
            session: session.into_inner().name,
            stream: target.stream.parse().of(WHAT)?,
        })
    }

    /// The query of one partition, as the host asks it.
    pub(super) fn query(&self, target: &Target, partition: u32) -> ExecuteSqlRequest {
        let token = Flood::token(partition);
        let query = PartitionQuery {
            start: target.since,
            end: Some(target.until),
            token: Some(&token),
            heartbeat_ms: u64::try_from(HEARTBEAT.as_millis()).unwrap_or(u64::MAX),
        };
        let statement = read_partition(
            Dialect::GoogleSql,
            PartitionMode::Immutable,
            &self.stream,
            &query,
        );
        ExecuteSqlRequest {
            session: self.session.clone(),
            sql: statement.sql,
            params: Some(statement.params),
            param_types: statement.param_types,
            ..ExecuteSqlRequest::default()
        }
    }
}
