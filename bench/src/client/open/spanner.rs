//! A session, and the query of each partition.

use acequia_host::spanner::request::{Dialect, PartitionMode, PartitionQuery, read_partition};
use acequia_sandbox::spanner::history::Flood;
use googleapis_tonic_google_spanner_v1::google::spanner::v1::spanner_client::SpannerClient;
use googleapis_tonic_google_spanner_v1::google::spanner::v1::{
    CreateSessionRequest, ExecuteSqlRequest, Session,
};
use tonic::transport::Channel;

use super::{HEARTBEAT, Request, WHAT};
use crate::Failed;
use crate::error::Of as _;
use crate::server::Target;

pub(super) async fn requests(
    channel: &Channel,
    target: &Target,
    database: &str,
    stream: &str,
) -> Result<Vec<Request>, Failed> {
    let request = CreateSessionRequest {
        database: database.to_owned(),
        session: Some(Session {
            multiplexed: true,
            ..Session::default()
        }),
    };
    let session = SpannerClient::new(channel.clone())
        .create_session(request)
        .await
        .of(WHAT)?
        .into_inner()
        .name;
    let stream = stream.parse().of(WHAT)?;
    let query = |partition| {
        let token = Flood::token(partition);
        let query = PartitionQuery {
            start: target.since,
            end: Some(target.until),
            token: Some(&token),
            heartbeat_ms: u64::try_from(HEARTBEAT.as_millis()).unwrap_or(u64::MAX),
        };
        let mode = PartitionMode::Immutable;
        let statement = read_partition(Dialect::GoogleSql, mode, &stream, &query);
        let request = ExecuteSqlRequest {
            session: session.clone(),
            sql: statement.sql,
            params: Some(statement.params),
            param_types: statement.param_types,
            ..ExecuteSqlRequest::default()
        };
        Request::Spanner(Box::new(tonic::Request::new(request)))
    };
    Ok((0..target.partitions).map(query).collect())
}
