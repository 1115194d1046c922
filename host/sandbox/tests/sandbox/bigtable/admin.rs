//! The admin services.

use std::{collections::BTreeSet, time::Duration};

use acequia_sandbox::{
    What,
    bigtable::{Fault, History, On, Sandbox, Script},
};
use googleapis_tonic_google_bigtable_admin_v2::google::bigtable::admin::v2::{
    GetAppProfileRequest, GetTableRequest, Table, app_profile::RoutingPolicy,
    bigtable_instance_admin_client::BigtableInstanceAdminClient,
    bigtable_table_admin_client::BigtableTableAdminClient, table::View,
};
use tonic::{
    Code, Request, Status,
    transport::{Channel, Endpoint},
};

use super::client::{an_hour_later, at};

fn script() -> Script {
    an_hour_later(History::starting_at(at(0.0)).build().unwrap())
}

async fn channel(sandbox: &Sandbox) -> Channel {
    let address = format!("http://{}", sandbox.address());
    Endpoint::from_shared(address)
        .unwrap()
        .connect()
        .await
        .unwrap()
}

fn routed<T>(message: T, name: &str) -> Request<T> {
    let mut request = Request::new(message);
    let header = format!("name={}", name.replace('/', "%2F"));
    let metadata = request.metadata_mut();
    metadata.insert("x-goog-request-params", header.parse().unwrap());
    request
}

async fn table(sandbox: &Sandbox, view: View) -> Result<Table, Status> {
    let name = sandbox.table().to_owned();
    let asked = GetTableRequest {
        name: name.clone(),
        view: view as i32,
    };
    let mut client = BigtableTableAdminClient::new(channel(sandbox).await);
    let table = client.get_table(routed(asked, &name)).await?.into_inner();
    assert_eq!(table.name, name);
    Ok(table)
}

async fn retention(sandbox: &Sandbox, view: View) -> Result<Option<Duration>, Status> {
    let config = table(sandbox, view).await?.change_stream_config;
    Ok(config.map(|config| config.retention_period.unwrap().try_into().unwrap()))
}

async fn policy(sandbox: &Sandbox, id: &str) -> Result<RoutingPolicy, Status> {
    let name = format!("{}/appProfiles/{id}", sandbox.instance());
    let asked = GetAppProfileRequest { name: name.clone() };
    let mut client = BigtableInstanceAdminClient::new(channel(sandbox).await);
    let profile = client
        .get_app_profile(routed(asked, &name))
        .await?
        .into_inner();
    Ok(profile.routing_policy.unwrap())
}

#[tokio::test]
async fn a_table_tells_the_retention_of_its_stream_where_the_view_has_it() {
    let sandbox = Sandbox::start(Script {
        retention: Some(Duration::from_secs(86_400)),
        ..script()
    })
    .unwrap();
    for view in [View::Unspecified, View::SchemaView, View::Full] {
        let told = retention(&sandbox, view).await.unwrap();
        assert_eq!(told, Some(Duration::from_secs(86_400)), "{view:?}");
    }
    assert_eq!(retention(&sandbox, View::NameOnly).await.unwrap(), None);
    let without = Sandbox::start(Script {
        retention: None,
        ..script()
    })
    .unwrap();
    assert_eq!(retention(&without, View::Full).await.unwrap(), None);
}

#[tokio::test]
async fn a_table_tells_its_families_where_the_view_has_them() {
    let sandbox = Sandbox::start(Script {
        families: vec!["stats".to_owned(), "state".to_owned()],
        ..script()
    })
    .unwrap();
    for view in [View::Unspecified, View::SchemaView, View::Full] {
        let families = table(&sandbox, view).await.unwrap().column_families;
        let families: BTreeSet<_> = families.into_keys().collect();
        let expected = ["state", "stats"].map(str::to_owned);
        assert_eq!(families, BTreeSet::from(expected), "{view:?}");
    }
    let named = table(&sandbox, View::NameOnly).await.unwrap();
    assert!(named.column_families.is_empty());
}

#[tokio::test]
async fn an_app_profile_tells_where_it_routes() {
    let sandbox = Sandbox::start(script()).unwrap();
    let reader = policy(&sandbox, "reader").await.unwrap();
    assert!(matches!(reader, RoutingPolicy::SingleClusterRouting(_)));
    let many = policy(&sandbox, "default").await.unwrap();
    assert!(matches!(many, RoutingPolicy::MultiClusterRoutingUseAny(_)));
    let missing = policy(&sandbox, "missing").await.unwrap_err();
    assert_eq!(missing.code(), Code::NotFound);
}

#[tokio::test]
async fn admin_calls_can_be_denied() {
    let denied = || What::status(Code::PermissionDenied, "no");
    let sandbox = Sandbox::start(Script {
        faults: vec![
            Fault::on_call(On::AppProfile, denied()),
            Fault::on_call(On::Table, denied()),
        ],
        ..script()
    })
    .unwrap();
    let table = retention(&sandbox, View::Full).await.unwrap_err();
    let profile = policy(&sandbox, "reader").await.unwrap_err();
    assert_eq!(table.code(), Code::PermissionDenied);
    assert_eq!(profile.code(), Code::PermissionDenied);
    let methods: Vec<String> = sandbox
        .stats()
        .calls
        .into_iter()
        .map(|call| call.method)
        .collect();
    assert_eq!(methods, ["GetTable", "GetAppProfile"]);
}
