//! One gRPC service: its calls, and what a failed one drops.

use std::sync::Arc;

use bytes::Bytes;
use http::uri::PathAndQuery;
use prost::Message;
use tonic::metadata::{MetadataMap, MetadataValue};
use tonic::{Code, Request, Status, Streaming};
use tracing::{Instrument, trace_span};

use super::account::Account;
use super::call_error::CallError;
use super::channels::{Channels, Lease};
use super::credentials::{Authorization, CredentialsError};
use super::endpoint::{ConnectError, endpoint};
use super::frames::FrameCodec;
use super::meter::{RpcMeter, TimedStream};
use super::status::{self, Disposition};
use super::unreached::{self, Server};
use crate::config::{self, Credentials};
use crate::telemetry::SPANS;

/// What distinguishes a service.
#[derive(Clone, Copy)]
pub(crate) struct About {
    /// Where Google serves it.
    pub(crate) address: &'static str,
    /// Its full name, as in the path of a call.
    pub(crate) name: &'static str,
    /// What an access token must allow.
    pub(crate) scopes: &'static [&'static str],
    /// What its codes mean.
    pub(crate) disposition: fn(&Status) -> Disposition,
    /// Until when the operation of a stream lasts.
    pub(crate) stream_times: StreamTimes,
}

/// Until when the operation of a stream lasts, as its metrics tell it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum StreamTimes {
    /// Until the service answers.
    UntilTheAnswer,
    /// Until the stream ends, or is ended here.
    UntilItsEnd,
}

/// How a service is reached.
pub(crate) struct Reach<'a> {
    pub(crate) endpoint: &'a config::Endpoint,
    pub(crate) credentials: &'a Credentials,
    /// The largest message that is accepted from it, in bytes.
    pub(crate) message_bytes_max: usize,
}

/// A service. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Service(Arc<Inner>);

struct Inner {
    about: About,
    server: Server,
    channels: Channels,
    authorization: Authorization,
    message_bytes_max: usize,
    meter: RpcMeter,
}

impl Service {
    /// A service whose calls are counted by `meter`. Nothing is sent before the first call.
    ///
    /// # Errors
    ///
    /// The endpoint is no URI.
    pub(crate) fn new(
        about: About,
        reach: &Reach<'_>,
        meter: RpcMeter,
    ) -> Result<Self, ConnectError> {
        let endpoint = endpoint(reach.endpoint, about.address)?;
        let is_emulator = matches!(reach.endpoint, config::Endpoint::Emulator { .. });
        Ok(Self(Arc::new(Inner {
            server: Server::of(endpoint.uri(), is_emulator),
            channels: Channels::new(endpoint),
            authorization: Authorization::new(reach.credentials.clone(), about.scopes),
            message_bytes_max: reach.message_bytes_max,
            about,
            meter,
        })))
    }

    /// Gets an access token, as the next call would, and says whose it is where a key says it;
    /// nothing is sent to the service.
    ///
    /// # Errors
    ///
    /// There are no usable credentials, or no token is given for them.
    pub(crate) async fn authorize(&self) -> Result<Option<Account>, CredentialsError> {
        let granted = self.0.authorization.grant().await?;
        Ok(granted.and_then(|granted| granted.account))
    }

    /// Counts calls.
    pub(crate) fn meter(&self) -> &RpcMeter {
        &self.0.meter
    }

    /// One call with one answer, once.
    ///
    /// # Errors
    ///
    /// It failed.
    pub(crate) async fn unary<T: Message + 'static>(
        &self,
        method: &'static str,
        headers: MetadataMap,
        message: T,
    ) -> Result<Bytes, CallError> {
        let lease = self.0.channels.lease();
        let renewals = self.0.authorization.renewals();
        let request = self.request(headers, message).await?;
        let mut grpc = self.grpc(&lease);
        let span = trace_span!(target: SPANS, "rpc", method);
        let mut attempt = self.0.meter.begin(method);
        let response = async {
            ready(&mut grpc).await?;
            grpc.unary(request, self.path(method), FrameCodec::default())
                .await
        }
        .instrument(span);
        match response.await {
            Ok(response) => {
                attempt.attempt(Ok(response.metadata().as_ref()));
                self.0.authorization.accepted();
                Ok(response.into_inner())
            }
            Err(status) => {
                attempt.attempt(Err(&status));
                Err(self.failed(method, status, renewals).await)
            }
        }
    }

    /// One call, whose frames are handed out as they come.
    ///
    /// # Errors
    ///
    /// It failed before the first frame.
    pub(crate) async fn stream<T: Message + 'static>(
        &self,
        method: &'static str,
        headers: MetadataMap,
        message: T,
    ) -> Result<FrameStream, CallError> {
        let lease = self.0.channels.lease();
        let renewals = self.0.authorization.renewals();
        let request = self.request(headers, message).await?;
        let mut grpc = self.grpc(&lease);
        let mut operation = self.0.meter.stream(method);
        let response = async {
            ready(&mut grpc).await?;
            grpc.server_streaming(request, self.path(method), FrameCodec::default())
                .await
        };
        match response.await {
            Ok(response) => {
                operation.attempt(Ok(response.metadata().as_ref()));
                if self.0.about.stream_times == StreamTimes::UntilTheAnswer {
                    operation.end(Code::Ok);
                }
                Ok(FrameStream {
                    service: self.clone(),
                    method,
                    headers: response.metadata().clone(),
                    frames: response.into_inner(),
                    operation,
                    failure: None,
                    renewals,
                    _lease: lease,
                })
            }
            Err(status) => {
                operation.attempt(Err(&status));
                operation.end(status.code());
                Err(self.failed(method, status, renewals).await)
            }
        }
    }

    async fn request<T>(&self, headers: MetadataMap, message: T) -> Result<Request<T>, CallError> {
        let mut request = Request::new(message);
        *request.metadata_mut() = headers;
        request.metadata_mut().insert(
            "x-goog-api-client",
            MetadataValue::from_static(concat!("acequia/", env!("CARGO_PKG_VERSION"))),
        );
        if let Some(header) = self.0.authorization.header().await? {
            request.metadata_mut().insert("authorization", header);
        }
        Ok(request)
    }

    fn grpc(&self, lease: &Lease) -> tonic::client::Grpc<tonic::transport::Channel> {
        tonic::client::Grpc::new(lease.channel.clone())
            .max_decoding_message_size(self.0.message_bytes_max)
    }

    fn path(&self, method: &'static str) -> PathAndQuery {
        // Names and methods are our own constants; a path that did not parse would be the root, which
        // every service refuses.
        PathAndQuery::try_from(format!("/{}/{method}", self.0.about.name))
            .unwrap_or_else(|_invalid| PathAndQuery::from_static("/"))
    }

    /// Turns a status into an error, and drops a token that is no longer good.
    async fn failed(&self, method: &'static str, status: Status, renewals: u64) -> CallError {
        let disposition = (self.0.about.disposition)(&status);
        if status::is_oversize(&status) {
            return CallError::Oversize {
                method,
                limit_bytes: self.0.message_bytes_max,
            };
        }
        let status = Box::new(unreached::naming(&self.0.server, status));
        if disposition == Disposition::Refresh && !self.0.authorization.refresh(renewals).await {
            return CallError::Refused { method, status };
        }
        CallError::Status {
            method,
            status,
            disposition,
        }
    }
}

/// The frames of one streaming call.
pub(crate) struct FrameStream {
    service: Service,
    method: &'static str,
    headers: MetadataMap,
    frames: Streaming<Bytes>,
    operation: TimedStream,
    /// What ended the stream, kept so that a caller who stops waiting does not lose it.
    failure: Option<Status>,
    /// How often the token was renewed before the call.
    renewals: u64,
    _lease: Lease,
}

impl FrameStream {
    /// What the service said before the first frame.
    pub(crate) fn headers(&self) -> &MetadataMap {
        &self.headers
    }

    /// The next frame; none at the stream's clean end. A call that is dropped while it waits loses
    /// nothing.
    ///
    /// # Errors
    ///
    /// The stream broke.
    pub(crate) async fn next(&mut self) -> Result<Option<Bytes>, CallError> {
        self.operation.asked();
        let status = match self.failure.clone() {
            Some(status) => status,
            None => match self.frames.message().await {
                Ok(frame) => {
                    // Headers alone say nothing of the token: its refusal may follow them.
                    self.service.0.authorization.accepted();
                    self.operation.answered(frame.is_some());
                    return Ok(frame);
                }
                Err(status) => {
                    self.operation.end(status.code());
                    self.failure.insert(status).clone()
                }
            },
        };
        Err(self
            .service
            .failed(self.method, status, self.renewals)
            .await)
    }
}

async fn ready(grpc: &mut tonic::client::Grpc<tonic::transport::Channel>) -> Result<(), Status> {
    grpc.ready().await.map_err(|error| {
        let mut status = Status::unavailable(error.to_string());
        status.set_source(Arc::new(error));
        status
    })
}

/// Reads an answer.
///
/// # Errors
///
/// It is not the message; asking again may help.
pub(crate) fn decode<T: Message + Default>(
    method: &'static str,
    frame: Bytes,
) -> Result<T, CallError> {
    T::decode(frame).map_err(|error| CallError::Status {
        method,
        status: Box::new(Status::internal(format!("undecodable answer: {error}"))),
        disposition: Disposition::Retry,
    })
}
