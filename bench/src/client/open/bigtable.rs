//! The partitions of the table, and the read of each.

use acequia_core::{KeyRange, Resume};
use acequia_host::bigtable::request::{PartitionRead, read_change_stream};
use googleapis_tonic_google_bigtable_v2::google::bigtable::v2::bigtable_client::BigtableClient;
use googleapis_tonic_google_bigtable_v2::google::bigtable::v2::row_range::{EndKey, StartKey};
use googleapis_tonic_google_bigtable_v2::google::bigtable::v2::{
    GenerateInitialChangeStreamPartitionsRequest, ReadChangeStreamRequest, RowRange,
};
use tonic::transport::Channel;

use super::{HEARTBEAT, Request, WHAT};
use crate::Failed;
use crate::error::Of as _;
use crate::server::Target;

pub(super) async fn requests(
    channel: &Channel,
    target: &Target,
    table: &str,
    app_profile: &str,
) -> Result<Vec<Request>, Failed> {
    let request = GenerateInitialChangeStreamPartitionsRequest {
        table_name: table.to_owned(),
        app_profile_id: app_profile.to_owned(),
    };
    let mut answers = BigtableClient::new(channel.clone())
        .generate_initial_change_stream_partitions(routed(request, table)?)
        .await
        .of(WHAT)?
        .into_inner();
    let mut requests = Vec::new();
    while let Some(answer) = answers.message().await.of(WHAT)? {
        let rows = answer.partition.and_then(|partition| partition.row_range);
        let read = read_change_stream(&PartitionRead {
            range: &range(rows.unwrap_or_default())?,
            from: &Resume::fresh(target.since),
            end: Some(target.until),
            heartbeat: HEARTBEAT,
        });
        let request = ReadChangeStreamRequest {
            table_name: table.to_owned(),
            app_profile_id: app_profile.to_owned(),
            ..read
        };
        requests.push(Request::Bigtable(Box::new(routed(request, table)?)));
    }
    Ok(requests)
}

/// A request with the header that the service routes it by.
///
/// Source: google/bigtable/v2/bigtable.proto, `google.api.routing` of both calls.
fn routed<T>(request: T, table: &str) -> Result<tonic::Request<T>, Failed> {
    let mut request = tonic::Request::new(request);
    let params = format!("table_name={}", table.replace('/', "%2F"));
    let metadata = request.metadata_mut();
    metadata.insert("x-goog-request-params", params.parse().of(WHAT)?);
    Ok(request)
}

fn range(rows: RowRange) -> Result<KeyRange, Failed> {
    match (rows.start_key, rows.end_key) {
        (Some(StartKey::StartKeyClosed(start)), Some(EndKey::EndKeyOpen(end))) => {
            KeyRange::new(&start, &end).of(WHAT)
        }
        _ => Err(Failed::new(
            WHAT,
            "a partition is not of the form [start, end)",
        )),
    }
}
