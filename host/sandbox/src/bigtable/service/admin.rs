//! The admin services: the table's retention, and where an app profile routes.

use std::sync::Arc;

use bytes::Bytes;
use futures::future::BoxFuture;
use googleapis_tonic_google_bigtable_admin_v2::google::bigtable::admin::v2::{
    AppProfile, ChangeStreamConfig, ColumnFamily, GetAppProfileRequest, GetTableRequest, Table,
    app_profile::{MultiClusterRoutingUseAny, RoutingPolicy, SingleClusterRouting},
    table::View,
};
use prost::Message;
use tonic::{Request, Status, body::Body};

use super::{
    Bigtable,
    names::{INSTANCE, TABLE},
    routing,
    stats::Seen,
};
use crate::{
    bigtable::{
        fault::On,
        script::{self, Routing},
    },
    grpc,
};

/// The cluster of app profiles that route to one.
const CLUSTER: &str = "cluster-1";

/// `google.bigtable.admin.v2.BigtableTableAdmin`.
#[derive(Debug)]
pub(crate) struct TableAdmin(pub(crate) Arc<Bigtable>);

/// `google.bigtable.admin.v2.BigtableInstanceAdmin`.
#[derive(Debug)]
pub(crate) struct InstanceAdmin(pub(crate) Arc<Bigtable>);

impl grpc::Routes for TableAdmin {
    const NAME: &'static str = "google.bigtable.admin.v2.BigtableTableAdmin";

    fn route(
        self: Arc<Self>,
        request: http::Request<Body>,
    ) -> BoxFuture<'static, http::Response<Body>> {
        Box::pin(async move {
            let answer = move |asked: Request<GetTableRequest>| {
                let bigtable = Arc::clone(&self.0);
                async move { bigtable.table(asked).await }
            };
            match grpc::method(&request) {
                "GetTable" => grpc::unary(request, answer).await,
                _ => grpc::unserved(&request),
            }
        })
    }
}

impl grpc::Routes for InstanceAdmin {
    const NAME: &'static str = "google.bigtable.admin.v2.BigtableInstanceAdmin";

    fn route(
        self: Arc<Self>,
        request: http::Request<Body>,
    ) -> BoxFuture<'static, http::Response<Body>> {
        Box::pin(async move {
            let answer = move |asked: Request<GetAppProfileRequest>| {
                let bigtable = Arc::clone(&self.0);
                async move { bigtable.app_profile(asked).await }
            };
            match grpc::method(&request) {
                "GetAppProfile" => grpc::unary(request, answer).await,
                _ => grpc::unserved(&request),
            }
        })
    }
}

impl Bigtable {
    /// Source: `google/bigtable/admin/v2/table.proto`: a table without a change stream has no
    /// `change_stream_config`; the view SCHEMA, which is the default, and FULL have it and the
    /// families.
    async fn table(&self, request: Request<GetTableRequest>) -> Result<Bytes, Status> {
        let view = request.get_ref().view();
        self.admit_admin("GetTable", &request, |asked| &asked.name, &On::Table)
            .await?;
        let name = request.into_inner().name;
        if name != TABLE {
            return Err(Status::not_found(format!("Table not found: {name}")));
        }
        let has_schema = matches!(view, View::Unspecified | View::SchemaView | View::Full);
        let retention = self.rules.retention.filter(|_| has_schema);
        let config = retention.map(|retention| ChangeStreamConfig {
            retention_period: prost_types::Duration::try_from(retention).ok(),
        });
        let families = self.script.families.iter().filter(|_| has_schema);
        let table = Table {
            name,
            change_stream_config: config,
            column_families: families
                .map(|family| (family.clone(), ColumnFamily::default()))
                .collect(),
            ..Table::default()
        };
        Ok(table.encode_to_vec().into())
    }

    async fn app_profile(&self, request: Request<GetAppProfileRequest>) -> Result<Bytes, Status> {
        self.admit_admin(
            "GetAppProfile",
            &request,
            |asked| &asked.name,
            &On::AppProfile,
        )
        .await?;
        let name = request.into_inner().name;
        let id = name
            .strip_prefix(INSTANCE)
            .and_then(|rest| rest.strip_prefix("/appProfiles/"));
        let Some(profile) = id.and_then(|id| self.rules.profile(id)) else {
            return Err(Status::not_found(format!("App profile not found: {name}")));
        };
        let profile = AppProfile {
            routing_policy: Some(policy(profile)),
            name,
            ..AppProfile::default()
        };
        Ok(profile.encode_to_vec().into())
    }

    async fn admit_admin<In>(
        &self,
        method: &str,
        request: &Request<In>,
        name: impl Fn(&In) -> &String,
        on: &On,
    ) -> Result<(), Status> {
        let name = name(request.get_ref());
        let seen = Seen {
            method: method.to_owned(),
            name: name.clone(),
            ..Seen::default()
        };
        self.counters.call(request.metadata(), seen);
        routing::check_name(request.metadata(), name)?;
        self.strike_at_once(on).await
    }
}

fn policy(profile: &script::AppProfile) -> RoutingPolicy {
    match profile.routing {
        Routing::SingleCluster => RoutingPolicy::SingleClusterRouting(SingleClusterRouting {
            cluster_id: CLUSTER.to_owned(),
            allow_transactional_writes: false,
        }),
        Routing::MultiCluster => {
            RoutingPolicy::MultiClusterRoutingUseAny(MultiClusterRoutingUseAny::default())
        }
    }
}
