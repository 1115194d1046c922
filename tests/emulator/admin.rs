//! Instances and databases. The few fields that are needed are written down here.

use prost::Message;
use tonic::Request;
use tonic::client::Grpc;
use tonic::codegen::http::uri::PathAndQuery;
use tonic::transport::Channel;
use tonic_prost::ProstCodec;

use super::shop::Dialect;

const INSTANCE: &str = "projects/p/instances/emulated";

/// Makes a database with the given tables and change streams, and gives its full name.
pub(crate) async fn create_database(
    channel: &Channel,
    name: &str,
    dialect: Dialect,
    statements: &[&str],
) -> String {
    create_instance(channel).await;
    let (create_statement, database_dialect) = match dialect {
        Dialect::GoogleSql => (format!("CREATE DATABASE `{name}`"), 1),
        Dialect::PostgreSql => (format!("CREATE DATABASE \"{name}\""), 2),
    };
    let request = CreateDatabaseRequest {
        parent: INSTANCE.to_owned(),
        create_statement,
        database_dialect,
    };
    let created = "/google.spanner.admin.database.v1.DatabaseAdmin/CreateDatabase";
    call(channel, created, request).await;
    let database = format!("{INSTANCE}/databases/{name}");
    // A PostgreSQL database takes no further statements when it is created.
    let request = UpdateDatabaseDdlRequest {
        database: database.clone(),
        statements: statements.iter().map(|text| (*text).to_owned()).collect(),
    };
    let updated = "/google.spanner.admin.database.v1.DatabaseAdmin/UpdateDatabaseDdl";
    call(channel, updated, request).await;
    database
}

async fn create_instance(channel: &Channel) {
    let request = CreateInstanceRequest {
        parent: "projects/p".to_owned(),
        instance_id: "emulated".to_owned(),
        instance: Some(Instance {
            name: INSTANCE.to_owned(),
            config: "projects/p/instanceConfigs/emulator-config".to_owned(),
            display_name: "Emulated".to_owned(),
            node_count: 1,
        }),
    };
    let path = "/google.spanner.admin.instance.v1.InstanceAdmin/CreateInstance";
    call(channel, path, request).await;
}

/// The emulator answers with operations that are done.
async fn call<T: Message + 'static>(channel: &Channel, path: &'static str, request: T) {
    let mut grpc = Grpc::new(channel.clone());
    grpc.ready().await.expect("the emulator is there");
    let codec = ProstCodec::<T, Operation>::default();
    let answer = grpc.unary(
        Request::new(request),
        PathAndQuery::from_static(path),
        codec,
    );
    let operation = answer
        .await
        .unwrap_or_else(|status| panic!("{path}: {status}"));
    let operation = operation.into_inner();
    assert!(
        operation.done,
        "{path}: the operation {} goes on",
        operation.name
    );
    if let Some(error) = operation.error {
        panic!("{path}: {}", error.message);
    }
}

/// Source: google/spanner/admin/instance/v1/spanner_instance_admin.proto
#[derive(Clone, PartialEq, Message)]
struct CreateInstanceRequest {
    #[prost(string, tag = "1")]
    parent: String,
    #[prost(string, tag = "2")]
    instance_id: String,
    #[prost(message, optional, tag = "3")]
    instance: Option<Instance>,
}

/// Source: google/spanner/admin/instance/v1/spanner_instance_admin.proto
#[derive(Clone, PartialEq, Message)]
struct Instance {
    #[prost(string, tag = "1")]
    name: String,
    #[prost(string, tag = "2")]
    config: String,
    #[prost(string, tag = "3")]
    display_name: String,
    #[prost(int32, tag = "5")]
    node_count: i32,
}

/// Source: google/spanner/admin/database/v1/spanner_database_admin.proto
#[derive(Clone, PartialEq, Message)]
struct CreateDatabaseRequest {
    #[prost(string, tag = "1")]
    parent: String,
    #[prost(string, tag = "2")]
    create_statement: String,
    /// `DatabaseDialect`: 1 is GOOGLE_STANDARD_SQL, 2 is POSTGRESQL.
    #[prost(int32, tag = "5")]
    database_dialect: i32,
}

/// Source: google/spanner/admin/database/v1/spanner_database_admin.proto
#[derive(Clone, PartialEq, Message)]
struct UpdateDatabaseDdlRequest {
    #[prost(string, tag = "1")]
    database: String,
    #[prost(string, repeated, tag = "2")]
    statements: Vec<String>,
}

/// Source: google/longrunning/operations.proto
#[derive(Clone, PartialEq, Message)]
struct Operation {
    #[prost(string, tag = "1")]
    name: String,
    #[prost(bool, tag = "3")]
    done: bool,
    #[prost(message, optional, tag = "4")]
    error: Option<OperationError>,
}

/// Source: google/rpc/status.proto
#[derive(Clone, PartialEq, Message)]
struct OperationError {
    #[prost(int32, tag = "1")]
    code: i32,
    #[prost(string, tag = "2")]
    message: String,
}
