//! Calls to one database: headers, limits, what a failure drops.

mod session;

use std::sync::Arc;

use bytes::Bytes;
use googleapis_tonic_google_spanner_v1::google::spanner::v1::{
    DirectedReadOptions, ExecuteSqlRequest, RequestOptions, ResultSet,
};
use prost::Message;
use tokio::sync::Mutex;
use tonic::Code;
use tonic::metadata::{AsciiMetadataValue, MetadataMap, MetadataValue};

use self::session::{OpenSession, SessionKind};
use super::options;
use super::request::Statement;
use super::status;
use crate::config::{self, Connection, DatabaseName};
use crate::google::{
    self, About, Account, CallError, ConnectError, CredentialsError, Disposition, Patience, Reach,
    RpcMeter, Service, StreamTimes, decode, retrying,
};

const ABOUT: About = About {
    // Source: https://cloud.google.com/spanner/docs/reference/rpc
    address: "https://spanner.googleapis.com",
    name: "google.spanner.v1.Spanner",
    // Source: https://developers.google.com/identity/protocols/oauth2/scopes#spanner
    scopes: &["https://www.googleapis.com/auth/spanner.data"],
    disposition: status::disposition,
    stream_times: StreamTimes::UntilTheAnswer,
};

const EXECUTE_SQL: &str = "ExecuteSql";

/// A client of one database. Cheap to clone.
#[derive(Clone)]
pub struct Client(Arc<Inner>);

struct Inner {
    database: String,
    resource_prefix: AsciiMetadataValue,
    requests: config::RequestOptions,
    service: Service,
    session_kind: SessionKind,
    session: Mutex<Option<OpenSession>>,
}

impl Client {
    /// Where Google serves it.
    pub(crate) const ADDRESS: &str = ABOUT.address;

    /// Makes a client, whose calls `meter` measures. Nothing is sent before the first call.
    ///
    /// # Errors
    ///
    /// The endpoint is no URI, or the database's name cannot stand in a header.
    pub fn new(
        database: &DatabaseName,
        connection: &Connection,
        requests: &config::RequestOptions,
        meter: RpcMeter,
    ) -> Result<Self, ConnectError> {
        let kind = SessionKind::Multiplexed;
        Self::with_session(database, connection, requests, kind, meter)
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
        requests: &config::RequestOptions,
    ) -> Result<Self, ConnectError> {
        Self::with_session(
            database,
            connection,
            requests,
            SessionKind::Regular,
            RpcMeter::default(),
        )
    }

    fn with_session(
        database: &DatabaseName,
        connection: &Connection,
        requests: &config::RequestOptions,
        session_kind: SessionKind,
        meter: RpcMeter,
    ) -> Result<Self, ConnectError> {
        let database = database.to_string();
        let resource_prefix = MetadataValue::try_from(&database)
            .map_err(|_invalid| ConnectError::Header { what: "database" })?;
        let reach = Reach {
            endpoint: &connection.endpoint,
            credentials: &connection.credentials,
            message_bytes_max: connection.message_bytes_max.get(),
        };
        Ok(Self(Arc::new(Inner {
            database,
            resource_prefix,
            requests: requests.clone(),
            service: Service::new(ABOUT, &reach, meter)?,
            session_kind,
            session: Mutex::new(None),
        })))
    }

    /// Gets an access token, as the next call would, and says whose it is where a key says it;
    /// nothing is sent to the database.
    ///
    /// # Errors
    ///
    /// There are no usable credentials, or no token is given for them.
    pub async fn authorize(&self) -> Result<Option<Account>, CredentialsError> {
        self.0.service.authorize().await
    }

    /// Runs a statement whose result is small. A failure that may pass is tried again, with pauses.
    ///
    /// # Errors
    ///
    /// The call failed for good, or too often.
    pub async fn query(&self, statement: Statement) -> Result<ResultSet, CallError> {
        let operation = self.0.service.meter().begin(EXECUTE_SQL);
        let result = retrying(self.patience(), || {
            let (client, statement) = (self.clone(), statement.clone());
            async move { client.query_once(statement).await }
        })
        .await;
        operation.operation(result.as_ref().map_or_else(CallError::code, |_| Code::Ok));
        result
    }

    /// A client for a look has a person who waits.
    pub(crate) fn patience(&self) -> Patience {
        match self.0.session_kind {
            SessionKind::Multiplexed => Patience::OfARun,
            SessionKind::Regular => Patience::OfAPerson,
        }
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
        let request = self.execute_request(statement).await?;
        let session = request.session.clone();
        self.frames("ExecuteStreamingSql", &session, request).await
    }

    /// Opens a stream of frames.
    pub(super) async fn frames<T: Message + 'static>(
        &self,
        method: &'static str,
        session: &str,
        request: T,
    ) -> Result<FrameStream, CallError> {
        let headers = self.headers("session", session);
        let frames = self.0.service.stream(method, headers, request).await;
        let frames = frames.inspect_err(|error| self.forget_lost_session(error))?;
        Ok(FrameStream {
            client: self.clone(),
            frames,
        })
    }

    async fn execute_request(&self, statement: Statement) -> Result<ExecuteSqlRequest, CallError> {
        Ok(ExecuteSqlRequest {
            session: self.session().await?,
            sql: statement.sql,
            params: Some(statement.params),
            param_types: statement.param_types,
            request_options: self.request_options(),
            directed_read_options: self.directed_read_options(),
            ..ExecuteSqlRequest::default()
        })
    }

    /// None unless something in it is configured: unset sends no priority.
    pub(super) fn request_options(&self) -> Option<RequestOptions> {
        let tag = self.0.requests.request_tag.as_ref();
        if self.0.requests.rpc_priority.is_none() && tag.is_none() {
            return None;
        }
        Some(RequestOptions {
            priority: self.0.requests.rpc_priority.map_or(0, options::priority),
            request_tag: tag.cloned().unwrap_or_default(),
            ..RequestOptions::default()
        })
    }

    pub(super) fn directed_read_options(&self) -> Option<DirectedReadOptions> {
        let directed = self.0.requests.directed_read.as_ref();
        directed.map(options::directed_read)
    }

    /// One call that may fail and be made again elsewhere: it is an operation of one attempt.
    pub(super) async fn call<T: Message + 'static>(
        &self,
        method: &'static str,
        routed_by: &str,
        resource: &str,
        message: T,
    ) -> Result<Bytes, CallError> {
        let operation = self.0.service.meter().begin(method);
        let answer = self.unary(method, routed_by, resource, message).await;
        operation.operation(answer.as_ref().map_or_else(CallError::code, |_| Code::Ok));
        answer
    }

    async fn unary<T: Message + 'static>(
        &self,
        method: &'static str,
        routed_by: &str,
        resource: &str,
        message: T,
    ) -> Result<Bytes, CallError> {
        let headers = self.headers(routed_by, resource);
        let answer = self.0.service.unary(method, headers, message).await;
        answer.inspect_err(|error| self.forget_lost_session(error))
    }

    /// Source: https://cloud.google.com/spanner/docs/reference/rpc (routing headers), and
    /// google/api/routing.proto.
    fn headers(&self, routed_by: &str, resource: &str) -> MetadataMap {
        let mut headers = MetadataMap::new();
        headers.insert(
            "google-cloud-resource-prefix",
            self.0.resource_prefix.clone(),
        );
        // A resource's name has only `/` to escape.
        let params = format!("{routed_by}={}", resource.replace('/', "%2F"));
        if let Ok(params) = MetadataValue::try_from(params) {
            headers.insert("x-goog-request-params", params);
        }
        headers.insert(
            "x-goog-spanner-route-to-leader",
            MetadataValue::from_static("false"),
        );
        if self.0.service.meter().is_read() {
            // Spanner's own front end tells its time to those who ask for it.
            //
            // Source: java-spanner, SpannerMetadataProvider.java, `newAfeServerTimingHeader`
            headers.insert(
                "x-goog-spanner-enable-afe-server-timing",
                MetadataValue::from_static("true"),
            );
        }
        headers
    }

    /// Whoever holds the lock is making a new session already.
    fn forget_lost_session(&self, error: &CallError) {
        if error.disposition() == Disposition::Reopen
            && let Ok(mut session) = self.0.session.try_lock()
        {
            *session = None;
        }
    }
}

/// The frames of one query.
pub struct FrameStream {
    client: Client,
    frames: google::FrameStream,
}

impl FrameStream {
    /// The next frame; none at the stream's clean end. A call that is dropped while it waits loses
    /// nothing.
    ///
    /// # Errors
    ///
    /// The stream broke.
    pub async fn next(&mut self) -> Result<Option<Bytes>, CallError> {
        let next = self.frames.next().await;
        next.inspect_err(|error| self.client.forget_lost_session(error))
    }
}
