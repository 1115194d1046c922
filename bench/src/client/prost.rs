//! An ordinary client: frames are decoded into the generated types.

use googleapis_tonic_google_bigtable_v2::google::bigtable::v2::bigtable_client::BigtableClient;
use googleapis_tonic_google_spanner_v1::google::spanner::v1::PartialResultSet;
use googleapis_tonic_google_spanner_v1::google::spanner::v1::spanner_client::SpannerClient;
use tokio::task::JoinSet;
use tonic::{Status, Streaming};

use super::Sample;
use super::open::{Opened, Request};
use crate::Failed;
use crate::error::Of as _;
use crate::meter::Meter;
use crate::server::Target;

const WHAT: &str = "the prost drain";

/// Reads every partition to its end.
///
/// # Errors
/// A call fails.
pub async fn drain(target: &Target) -> Result<Sample, Failed> {
    let Opened { channel, requests } = Opened::connect(target).await?;
    let meter = Meter::start();
    let mut partitions = JoinSet::new();
    for request in requests {
        match request {
            Request::Spanner(query) => {
                let mut spanner = SpannerClient::new(channel.clone());
                let frames = spanner.execute_streaming_sql(*query).await.of(WHAT)?;
                let rows = |frame: &PartialResultSet| frame.values.len();
                partitions.spawn(count(frames.into_inner(), rows));
            }
            Request::Bigtable(read) => {
                let mut bigtable = BigtableClient::new(channel.clone());
                let messages = bigtable.read_change_stream(*read).await.of(WHAT)?;
                // Each is a whole mutation, but for the one that closes the stream.
                partitions.spawn(count(messages.into_inner(), |_| 1));
            }
        }
    }
    let mut records = 0;
    while let Some(count) = partitions.join_next().await {
        records += count.of(WHAT)?.of(WHAT)?;
    }
    super::complete(WHAT, records, target.records + u64::from(target.partitions))?;
    meter.stop(target.records)
}

/// Drops messages, and counts what each of them holds.
async fn count<T>(
    mut messages: Streaming<T>,
    records: impl Fn(&T) -> usize,
) -> Result<u64, Status> {
    let mut count = 0;
    while let Some(message) = messages.message().await? {
        count += u64::try_from(records(&message)).unwrap_or(u64::MAX);
    }
    Ok(count)
}
