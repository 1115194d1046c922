//! The limit of the transport: frames stay bytes.

use std::marker::PhantomData;

use bytes::{Buf, Bytes};
use http::uri::PathAndQuery;
use prost::Message;
use tokio::task::JoinSet;
use tonic::codec::{Codec, DecodeBuf, Decoder, EncodeBuf, Encoder};
use tonic::transport::Channel;
use tonic::{Status, Streaming};

use super::Sample;
use super::open::{Opened, Request};
use crate::Failed;
use crate::error::Of as _;
use crate::meter::Meter;
use crate::server::Target;

const WHAT: &str = "the raw drain";

/// Reads every partition to its end.
///
/// # Errors
/// A call fails.
pub async fn drain(target: &Target) -> Result<Sample, Failed> {
    let Opened { channel, requests } = Opened::connect(target).await?;
    let meter = Meter::start();
    let mut partitions = JoinSet::new();
    for request in requests {
        let mut frames = open(&channel, request).await?;
        partitions.spawn(async move {
            let mut count = 0_u64;
            while frames.message().await?.is_some() {
                count += 1;
            }
            Ok::<_, Status>(count)
        });
    }
    let mut frames = 0;
    while let Some(count) = partitions.join_next().await {
        frames += count.of(WHAT)?.of(WHAT)?;
    }
    super::complete(WHAT, frames, target.frames + u64::from(target.partitions))?;
    meter.stop(target.records)
}

/// The frames of one partition.
///
/// # Errors
/// The call fails.
pub(super) async fn open(channel: &Channel, request: Request) -> Result<Streaming<Bytes>, Failed> {
    match request {
        Request::Spanner(query) => {
            call(
                channel,
                *query,
                "/google.spanner.v1.Spanner/ExecuteStreamingSql",
            )
            .await
        }
        Request::Bigtable(read) => {
            call(
                channel,
                *read,
                "/google.bigtable.v2.Bigtable/ReadChangeStream",
            )
            .await
        }
    }
}

async fn call<T: Message + 'static>(
    channel: &Channel,
    request: tonic::Request<T>,
    path: &'static str,
) -> Result<Streaming<Bytes>, Failed> {
    let mut grpc = tonic::client::Grpc::new(channel.clone());
    grpc.ready().await.of(WHAT)?;
    let path = PathAndQuery::from_static(path);
    let response = grpc.server_streaming(request, path, Raw(PhantomData)).await;
    Ok(response.of(WHAT)?.into_inner())
}

/// Encodes the request; a response is its bytes.
struct Raw<T>(PhantomData<T>);

impl<T: Message + 'static> Codec for Raw<T> {
    type Encode = T;
    type Decode = Bytes;
    type Encoder = Self;
    type Decoder = Self;

    fn encoder(&mut self) -> Self {
        Self(PhantomData)
    }

    fn decoder(&mut self) -> Self {
        Self(PhantomData)
    }
}

impl<T: Message> Encoder for Raw<T> {
    type Item = T;
    type Error = Status;

    fn encode(&mut self, item: Self::Item, buffer: &mut EncodeBuf<'_>) -> Result<(), Status> {
        item.encode(buffer)
            .map_err(|error| Status::internal(error.to_string()))
    }
}

impl<T> Decoder for Raw<T> {
    type Item = Bytes;
    type Error = Status;

    fn decode(&mut self, buffer: &mut DecodeBuf<'_>) -> Result<Option<Bytes>, Status> {
        let length = buffer.remaining();
        Ok(Some(buffer.copy_to_bytes(length)))
    }
}
