//! Calls about one table, through one application profile.

use std::sync::Arc;

use acequia_core::KeyRange;
use googleapis_tonic_google_bigtable_admin_v2::google::bigtable::admin::v2::{
    AppProfile, GetAppProfileRequest, GetTableRequest, Table, table,
};
use googleapis_tonic_google_bigtable_v2::google::bigtable::v2::row_range::{EndKey, StartKey};
use googleapis_tonic_google_bigtable_v2::google::bigtable::v2::{
    GenerateInitialChangeStreamPartitionsRequest, GenerateInitialChangeStreamPartitionsResponse,
    ReadChangeStreamRequest, RowRange,
};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use tonic::metadata::{AsciiMetadataValue, MetadataMap, MetadataValue};
use tonic::{Code, Status};

use super::Cookies;
use super::status;
use crate::config::{self, BigtableChangeStream, Connection};
use crate::google::{
    About, Account, CallError, ConnectError, CredentialsError, Disposition, FrameStream, Patience,
    Reach, RpcMeter, Service, StreamTimes, decode, retrying,
};

const READ: &str = "ReadChangeStream";
const PARTITIONS: &str = "GenerateInitialChangeStreamPartitions";

/// Source: google/bigtable/v2/bigtable.proto, `default_host` and `oauth_scopes`.
const DATA: About = About {
    address: "https://bigtable.googleapis.com",
    name: "google.bigtable.v2.Bigtable",
    scopes: &["https://www.googleapis.com/auth/bigtable.data"],
    disposition: status::disposition,
    stream_times: StreamTimes::UntilItsEnd,
};

/// Source: google/bigtable/admin/v2/bigtable_table_admin.proto.
const TABLES: About = About {
    address: "https://bigtableadmin.googleapis.com",
    name: "google.bigtable.admin.v2.BigtableTableAdmin",
    scopes: &["https://www.googleapis.com/auth/bigtable.admin"],
    disposition: status::disposition,
    stream_times: StreamTimes::UntilItsEnd,
};

/// Source: google/bigtable/admin/v2/bigtable_instance_admin.proto.
const INSTANCES: About = About {
    name: "google.bigtable.admin.v2.BigtableInstanceAdmin",
    ..TABLES
};

/// A client of one table. Cheap to clone.
#[derive(Clone)]
pub struct Client(Arc<Inner>);

struct Inner {
    data: Service,
    tables: Service,
    instances: Service,
    table: String,
    app_profile: String,
    app_profile_name: String,
    /// What the data service routes calls by.
    routing: AsciiMetadataValue,
    patience: Patience,
}

impl Client {
    /// Where Google serves the data service.
    pub(crate) const DATA_ADDRESS: &str = DATA.address;
    /// Where Google serves both admin services.
    pub(crate) const ADMIN_ADDRESS: &str = TABLES.address;

    /// Makes a client, whose calls `meter` measures. Nothing is sent before the first call.
    ///
    /// # Errors
    ///
    /// An endpoint is no URI, or a name cannot stand in a header.
    pub fn new(config: &BigtableChangeStream, meter: RpcMeter) -> Result<Self, ConnectError> {
        Self::with_patience(config, Patience::OfARun, meter)
    }

    /// Makes a client for a few calls that a person waits for.
    ///
    /// # Errors
    ///
    /// As [`Client::new`].
    pub fn for_a_look(config: &BigtableChangeStream) -> Result<Self, ConnectError> {
        Self::with_patience(config, Patience::OfAPerson, RpcMeter::default())
    }

    fn with_patience(
        config: &BigtableChangeStream,
        patience: Patience,
        meter: RpcMeter,
    ) -> Result<Self, ConnectError> {
        let config::TableName {
            project, instance, ..
        } = &config.table;
        let table = config.table.to_string();
        let app_profile = config.app_profile.as_str().to_owned();
        let params = [("table_name", &table), ("app_profile_id", &app_profile)];
        let routing = routing(&params, "table")?;
        // Google's client counts the calls to the data service only.
        let admin_meter = meter.without_ledger();
        let admin = reach(&config.connection, &config.admin_endpoint);
        let data = reach(&config.connection, &config.connection.endpoint);
        Ok(Self(Arc::new(Inner {
            data: Service::new(DATA, &data, meter)?,
            tables: Service::new(TABLES, &admin, admin_meter.clone())?,
            instances: Service::new(INSTANCES, &admin, admin_meter)?,
            app_profile_name: format!(
                "projects/{project}/instances/{instance}/appProfiles/{app_profile}"
            ),
            table,
            app_profile,
            routing,
            patience,
        })))
    }

    /// Gets an access token, as the next call would, and says whose it is where a key says it.
    ///
    /// # Errors
    ///
    /// There are no usable credentials, or no token is given for them.
    pub async fn authorize(&self) -> Result<Option<Account>, CredentialsError> {
        self.0.data.authorize().await
    }

    /// The table, with its change stream. A failure that may pass is tried again, with pauses.
    ///
    /// # Errors
    ///
    /// The call failed for good, or too often.
    pub async fn table(&self) -> Result<Table, CallError> {
        const METHOD: &str = "GetTable";
        let request = GetTableRequest {
            name: self.0.table.clone(),
            view: table::View::SchemaView.into(),
        };
        let headers = self.named(&self.0.table);
        retrying(self.0.patience, || {
            let (headers, request) = (headers.clone(), request.clone());
            async { decode(METHOD, self.0.tables.unary(METHOD, headers, request).await?) }
        })
        .await
    }

    /// The application profile. A failure that may pass is tried again, with pauses.
    ///
    /// # Errors
    ///
    /// The call failed for good, or too often.
    pub async fn app_profile(&self) -> Result<AppProfile, CallError> {
        const METHOD: &str = "GetAppProfile";
        let request = GetAppProfileRequest {
            name: self.0.app_profile_name.clone(),
        };
        let headers = self.named(&self.0.app_profile_name);
        retrying(self.0.patience, || {
            let (headers, request) = (headers.clone(), request.clone());
            async {
                let answer = self.0.instances.unary(METHOD, headers, request).await?;
                decode(METHOD, answer)
            }
        })
        .await
    }

    /// Who waits for the answers.
    pub(crate) fn patience(&self) -> Patience {
        self.0.patience
    }

    /// The partitions of this moment, once. Together they cover the whole key space.
    ///
    /// # Errors
    ///
    /// The call failed.
    pub(crate) async fn partitions(&self) -> Result<Vec<KeyRange>, CallError> {
        let request = GenerateInitialChangeStreamPartitionsRequest {
            table_name: self.0.table.clone(),
            app_profile_id: self.0.app_profile.clone(),
        };
        let headers = self.routed(&Cookies::default());
        let mut frames = self.0.data.stream(PARTITIONS, headers, request).await?;
        let mut ranges = Vec::new();
        while let Some(frame) = frames.next().await? {
            let answer: GenerateInitialChangeStreamPartitionsResponse = decode(PARTITIONS, frame)?;
            let range = answer.partition.and_then(|partition| partition.row_range);
            ranges.push(key_range(&range.unwrap_or_default())?);
        }
        Ok(ranges)
    }

    /// Reads a partition: the request is complete but for table and profile.
    ///
    /// # Errors
    ///
    /// The call failed before the first frame.
    pub(crate) async fn read(
        &self,
        request: ReadChangeStreamRequest,
        cookies: &Cookies,
    ) -> Result<FrameStream, CallError> {
        let request = ReadChangeStreamRequest {
            table_name: self.0.table.clone(),
            app_profile_id: self.0.app_profile.clone(),
            ..request
        };
        let headers = self.routed(cookies);
        self.0.data.stream(READ, headers, request).await
    }

    /// Counts a call that is made because the last one failed.
    pub(crate) fn count_retry(&self) {
        self.0.data.meter().retry(READ);
    }

    fn routed(&self, cookies: &Cookies) -> MetadataMap {
        let mut headers = MetadataMap::new();
        headers.insert(ROUTING, self.0.routing.clone());
        cookies.give(&mut headers);
        headers
    }

    fn named(&self, name: &str) -> MetadataMap {
        let mut headers = MetadataMap::new();
        if let Ok(params) = routing(&[("name", name)], "name") {
            headers.insert(ROUTING, params);
        }
        headers
    }
}

const ROUTING: &str = "x-goog-request-params";

/// Source: java-bigtable, EnhancedBigtableStub.java, `composeRequestParams`.
fn routing<T: AsRef<str>>(
    params: &[(&str, T)],
    what: &'static str,
) -> Result<AsciiMetadataValue, ConnectError> {
    let encoded: Vec<_> = params
        .iter()
        .map(|(name, value)| {
            let value = utf8_percent_encode(value.as_ref(), NON_ALPHANUMERIC);
            format!("{name}={value}")
        })
        .collect();
    MetadataValue::try_from(encoded.join("&")).map_err(|_invalid| ConnectError::Header { what })
}

fn reach<'a>(connection: &'a Connection, endpoint: &'a config::Endpoint) -> Reach<'a> {
    Reach {
        endpoint,
        credentials: &connection.credentials,
        message_bytes_max: connection.message_bytes_max.get(),
    }
}

/// A range as the service names it, with bounds of either kind.
fn key_range(range: &RowRange) -> Result<KeyRange, CallError> {
    let start = match &range.start_key {
        None => Vec::new(),
        Some(StartKey::StartKeyClosed(key)) => key.to_vec(),
        Some(StartKey::StartKeyOpen(key)) => next_key(key),
    };
    let end = match &range.end_key {
        None => Vec::new(),
        Some(EndKey::EndKeyOpen(key)) => key.to_vec(),
        Some(EndKey::EndKeyClosed(key)) => next_key(key),
    };
    KeyRange::new(&start, &end).map_err(|_empty| CallError::Status {
        method: PARTITIONS,
        status: Box::new(Status::new(Code::Internal, "a partition without a row key")),
        disposition: Disposition::Retry,
    })
}

/// The key right after this one; the empty key is no bound.
fn next_key(key: &[u8]) -> Vec<u8> {
    let mut next = key.to_vec();
    if !key.is_empty() {
        next.push(0);
    }
    next
}
