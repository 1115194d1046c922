//! Calls to one database: headers, limits, what a failure drops.

mod session;

use std::sync::Arc;

use bytes::Bytes;
use googleapis_tonic_google_spanner_v1::google::spanner::v1::{
    ExecuteSqlRequest, RequestOptions, ResultSet,
};
use http::uri::PathAndQuery;
use prost::Message;
use tokio::sync::Mutex;
use tonic::metadata::{AsciiMetadataValue, MetadataValue};
use tonic::{Code, Request, Status, Streaming};
use tracing::{Instrument, trace_span};

use self::session::{OpenSession, SessionKind};
use super::account::Account;
use super::call_error::CallError;
use super::channels::{Channels, Lease};
use super::credentials::{Authorization, CredentialsError};
use super::endpoint::{ConnectError, endpoint};
use super::frames::FrameCodec;
use super::meter::RpcMeter;
use super::options;
use super::request::Statement;
use super::retry::retrying;
use super::status::{self, Disposition};
use crate::config::{self, Connection, DatabaseName};
use crate::telemetry::SPANS;

const EXECUTE_SQL: &str = "ExecuteSql";

/// A client of one database. Cheap to clone.
#[derive(Clone)]
pub struct Client(Arc<Inner>);

struct Inner {
    database: String,
    resource_prefix: AsciiMetadataValue,
    connection: Connection,
    priority: Option<config::RpcPriority>,
    channels: Channels,
    authorization: Authorization,
    session_kind: SessionKind,
    session: Mutex<Option<OpenSession>>,
    meter: RpcMeter,
}

impl Client {
    /// Makes a client, whose calls are `metered` or not. Nothing is sent before the first call.
    ///
    /// # Errors
    ///
    /// The endpoint is no URI, or the database's name cannot stand in a header.
    pub fn new(
        database: &DatabaseName,
        connection: &Connection,
        priority: Option<config::RpcPriority>,
        metered: bool,
    ) -> Result<Self, ConnectError> {
        let kind = SessionKind::Multiplexed;
        Self::with_session(database, connection, priority, kind, metered)
    }

    /// Makes a client for a few calls, one after the other, that leaves no session behind: end it
    /// with [`close`](Self::close).
    ///
    /// # Errors
    ///
    /// As [`Client::new`].
    pub fn for_a_look(
        database: &DatabaseName,
        connection: &Connection,
        priority: Option<config::RpcPriority>,
    ) -> Result<Self, ConnectError> {
        Self::with_session(database, connection, priority, SessionKind::Regular, false)
    }

    fn with_session(
        database: &DatabaseName,
        connection: &Connection,
        priority: Option<config::RpcPriority>,
        session_kind: SessionKind,
        metered: bool,
    ) -> Result<Self, ConnectError> {
        let database = database.to_string();
        let resource_prefix = MetadataValue::try_from(&database)
            .map_err(|_invalid| ConnectError::Header { what: "database" })?;
        Ok(Self(Arc::new(Inner {
            database,
            resource_prefix,
            priority,
            channels: Channels::new(endpoint(&connection.endpoint)?),
            authorization: Authorization::new(connection.credentials.clone()),
            connection: connection.clone(),
            session_kind,
            session: Mutex::new(None),
            meter: RpcMeter::new(metered),
        })))
    }

    /// Gets an access token, as the next call would, and says whose it is where a key says it;
    /// nothing is sent to the database.
    ///
    /// # Errors
    ///
    /// There are no usable credentials, or no token is given for them.
    pub async fn authorize(&self) -> Result<Option<Account>, CredentialsError> {
        let granted = self.0.authorization.grant().await?;
        Ok(granted.and_then(|granted| granted.account))
    }

    /// Runs a statement whose result is small. A failure that may pass is tried again, with pauses.
    ///
    /// # Errors
    ///
    /// The call failed for good, or too often.
    pub async fn query(&self, statement: Statement) -> Result<ResultSet, CallError> {
        let operation = self.0.meter.begin(EXECUTE_SQL);
        let result = retrying(|| {
            let (client, statement) = (self.clone(), statement.clone());
            async move { client.query_once(statement).await }
        })
        .await;
        operation.operation(result.as_ref().map_or_else(CallError::code, |_| Code::Ok));
        result
    }

    async fn query_once(&self, statement: Statement) -> Result<ResultSet, CallError> {
        const METHOD: &str = EXECUTE_SQL;
        let request = self.execute_request(statement).await?;
        let session = request.session.clone();
        let frame = self.unary(METHOD, "session", &session, request).await?;
        decode(METHOD, frame)
    }

    /// Runs a statement and hands out the frames of its result as they come.
    ///
    /// # Errors
    ///
    /// The call failed before the first frame.
    pub async fn stream(&self, statement: Statement) -> Result<FrameStream, CallError> {
        const METHOD: &str = "ExecuteStreamingSql";
        let request = self.execute_request(statement).await?;
        let session = request.session.clone();
        let lease = self.0.channels.lease();
        let renewals = self.0.authorization.renewals();
        let request = self.request("session", &session, request).await?;
        let mut grpc = self.grpc(&lease);
        let (operation, attempt) = (self.0.meter.begin(METHOD), self.0.meter.begin(METHOD));
        let response = async {
            ready(&mut grpc).await?;
            grpc.server_streaming(request, path(METHOD), FrameCodec::default())
                .await
        };
        match response.await {
            Ok(response) => {
                attempt.attempt(Ok(response.metadata().as_ref()));
                operation.operation(Code::Ok);
                Ok(FrameStream {
                    client: self.clone(),
                    frames: response.into_inner(),
                    failure: None,
                    renewals,
                    _lease: lease,
                })
            }
            Err(status) => {
                attempt.attempt(Err(&status));
                operation.operation(status.code());
                Err(self.failed(METHOD, status, renewals).await)
            }
        }
    }

    async fn execute_request(&self, statement: Statement) -> Result<ExecuteSqlRequest, CallError> {
        Ok(ExecuteSqlRequest {
            session: self.session().await?,
            sql: statement.sql,
            params: Some(statement.params),
            param_types: statement.param_types,
            request_options: self.request_options(),
            directed_read_options: self
                .0
                .connection
                .directed_read
                .as_ref()
                .map(options::directed_read),
            ..ExecuteSqlRequest::default()
        })
    }

    /// None unless something in it is configured: unset sends no priority.
    fn request_options(&self) -> Option<RequestOptions> {
        let tag = self.0.connection.request_tag.as_ref();
        if self.0.priority.is_none() && tag.is_none() {
            return None;
        }
        Some(RequestOptions {
            priority: self.0.priority.map_or(0, options::priority),
            request_tag: tag.cloned().unwrap_or_default(),
            ..RequestOptions::default()
        })
    }

    async fn unary<T: Message + 'static>(
        &self,
        method: &'static str,
        routed_by: &str,
        resource: &str,
        message: T,
    ) -> Result<Bytes, CallError> {
        let lease = self.0.channels.lease();
        let renewals = self.0.authorization.renewals();
        let request = self.request(routed_by, resource, message).await?;
        let mut grpc = self.grpc(&lease);
        let span = trace_span!(target: SPANS, "rpc", method);
        let attempt = self.0.meter.begin(method);
        let response = async {
            ready(&mut grpc).await?;
            grpc.unary(request, path(method), FrameCodec::default())
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

    /// Source: https://cloud.google.com/spanner/docs/reference/rpc (routing headers), and
    /// google/api/routing.proto.
    async fn request<T>(
        &self,
        routed_by: &str,
        resource: &str,
        message: T,
    ) -> Result<Request<T>, CallError> {
        let mut request = Request::new(message);
        let metadata = request.metadata_mut();
        metadata.insert(
            "google-cloud-resource-prefix",
            self.0.resource_prefix.clone(),
        );
        // A resource's name has only `/` to escape.
        let params = format!("{routed_by}={}", resource.replace('/', "%2F"));
        if let Ok(params) = MetadataValue::try_from(params) {
            metadata.insert("x-goog-request-params", params);
        }
        metadata.insert(
            "x-goog-spanner-route-to-leader",
            MetadataValue::from_static("false"),
        );
        metadata.insert(
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
            .max_decoding_message_size(self.0.connection.message_bytes_max.get())
    }

    /// Turns a status into an error, and drops what the status says is no longer good.
    async fn failed(&self, method: &'static str, status: Status, renewals: u64) -> CallError {
        match status::disposition(&status) {
            // Whoever holds the lock is making a new session already.
            Disposition::Reopen => {
                if let Ok(mut session) = self.0.session.try_lock() {
                    *session = None;
                }
            }
            Disposition::Refresh => return self.refused(method, status, renewals).await,
            Disposition::Retry | Disposition::OutOfRange | Disposition::Fatal => {}
        }
        if status::is_oversize(&status) {
            let limit_bytes = self.0.connection.message_bytes_max.get();
            return CallError::Oversize {
                method,
                limit_bytes,
            };
        }
        let status = Box::new(status);
        CallError::Status { method, status }
    }

    async fn refused(&self, method: &'static str, status: Status, renewals: u64) -> CallError {
        let status = Box::new(status);
        if self.0.authorization.refresh(renewals).await {
            CallError::Status { method, status }
        } else {
            CallError::Refused { method, status }
        }
    }
}

/// The frames of one streaming call.
pub struct FrameStream {
    client: Client,
    frames: Streaming<Bytes>,
    /// What ended the stream, kept so that a caller who stops waiting does not lose it.
    failure: Option<Status>,
    /// How often the token was renewed before the call.
    renewals: u64,
    _lease: Lease,
}

impl FrameStream {
    /// The next frame; none at the stream's clean end. A call that is dropped while it waits loses
    /// nothing.
    ///
    /// # Errors
    ///
    /// The stream broke.
    pub async fn next(&mut self) -> Result<Option<Bytes>, CallError> {
        let status = match self.failure.clone() {
            Some(status) => status,
            None => match self.frames.message().await {
                Ok(frame) => {
                    // Headers alone say nothing of the token: its refusal may follow them.
                    self.client.0.authorization.accepted();
                    return Ok(frame);
                }
                Err(status) => self.failure.insert(status).clone(),
            },
        };
        let failed = self
            .client
            .failed("ExecuteStreamingSql", status, self.renewals);
        Err(failed.await)
    }
}

async fn ready(grpc: &mut tonic::client::Grpc<tonic::transport::Channel>) -> Result<(), Status> {
    grpc.ready()
        .await
        .map_err(|error| Status::unavailable(error.to_string()))
}

fn path(method: &'static str) -> PathAndQuery {
    // The methods are our own constants; a path that did not parse would be the root, which the
    // service refuses.
    PathAndQuery::try_from(format!("/google.spanner.v1.Spanner/{method}"))
        .unwrap_or_else(|_invalid| PathAndQuery::from_static("/"))
}

fn decode<T: Message + Default>(method: &'static str, frame: Bytes) -> Result<T, CallError> {
    T::decode(frame).map_err(|error| CallError::Status {
        method,
        status: Box::new(Status::internal(format!("undecodable answer: {error}"))),
    })
}
