//! An ordinary client: frames are decoded into the generated types.

use googleapis_tonic_google_spanner_v1::google::spanner::v1::spanner_client::SpannerClient;
use tokio::task::JoinSet;
use tonic::Status;

use super::Sample;
use super::open::Opened;
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
    let opened = Opened::connect(target).await?;
    let meter = Meter::start();
    let mut partitions = JoinSet::new();
    for partition in 0..target.partitions {
        let mut spanner = SpannerClient::new(opened.channel.clone());
        let query = opened.query(target, partition);
        let mut frames = spanner
            .execute_streaming_sql(query)
            .await
            .of(WHAT)?
            .into_inner();
        partitions.spawn(async move {
            let mut values = 0_u64;
            while let Some(frame) = frames.message().await? {
                values += u64::try_from(frame.values.len()).unwrap_or(u64::MAX);
            }
            Ok::<_, Status>(values)
        });
    }
    let mut values = 0;
    while let Some(count) = partitions.join_next().await {
        values += count.of(WHAT)?.of(WHAT)?;
    }
    super::complete(WHAT, values, target.records + u64::from(target.partitions))?;
    meter.stop(target.records)
}
