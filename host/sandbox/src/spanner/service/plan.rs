//! `BeginTransaction`, `PartitionQuery` and `PartitionRead`.

use bytes::Bytes;
use googleapis_tonic_google_spanner_v1::google::spanner::v1::{
    BeginTransactionRequest, PartitionOptions, PartitionQueryRequest, PartitionReadRequest,
    PartitionResponse, TransactionSelector,
};
use prost::Message;
use tonic::{Request, Status};

use super::Spanner;
use crate::{
    grpc,
    spanner::{
        batch::{Asked, Plan, SeenBatch, too_old},
        fault::{On, OnBatch},
        sql::{Statement, parse},
        tables::{Chosen, looks_partitionable},
    },
};

impl Spanner {
    pub(super) async fn begin(
        &self,
        request: Request<BeginTransactionRequest>,
    ) -> Result<Bytes, Status> {
        let headers = grpc::ascii(request.metadata());
        let request = request.into_inner();
        let mode = request
            .options
            .as_ref()
            .and_then(|options| options.mode.as_ref());
        let seen = SeenBatch::of("BeginTransaction", &request.session).begins(mode);
        let seen = seen.options(request.request_options.as_ref());
        self.counters.batch(SeenBatch { headers, ..seen });
        self.strike_batch(OnBatch::BeginTransaction).await?;
        let session = self.sessions.get(&request.session)?;
        let begun = self
            .transactions
            .begin(&session, request.options.as_ref(), &self.world)?;
        Ok(begun.encode_to_vec().into())
    }

    pub(super) async fn partition_query(
        &self,
        request: Request<PartitionQueryRequest>,
    ) -> Result<Bytes, Status> {
        let headers = grpc::ascii(request.metadata());
        let request = request.into_inner();
        let seen = SeenBatch {
            headers,
            sql: request.sql.clone(),
            ..SeenBatch::of("PartitionQuery", &request.session)
        };
        let planned = Planned {
            seen,
            selector: request.transaction.clone(),
            options: request.partition_options,
            asked: Asked::from(&request),
        };
        self.strike_batch(OnBatch::PartitionQuery).await?;
        self.plan(planned, || self.partitionable(&request))
    }

    pub(super) async fn partition_read(
        &self,
        request: Request<PartitionReadRequest>,
    ) -> Result<Bytes, Status> {
        let headers = grpc::ascii(request.metadata());
        let request = request.into_inner();
        let seen = SeenBatch {
            headers,
            table: request.table.clone(),
            index: request.index.clone(),
            columns: request.columns.clone(),
            ..SeenBatch::of("PartitionRead", &request.session)
        };
        let planned = Planned {
            seen,
            selector: request.transaction.clone(),
            options: request.partition_options,
            asked: Asked::from(&request),
        };
        self.strike_batch(OnBatch::PartitionRead).await?;
        let (table, index, columns) = (&request.table, &request.index, &request.columns);
        let keys = request.key_set.as_ref();
        self.plan(planned, || self.tables.read(table, index, columns, keys))
    }

    fn plan(
        &self,
        planned: Planned,
        choose: impl FnOnce() -> Result<Chosen, Status>,
    ) -> Result<Bytes, Status> {
        let Planned {
            seen,
            selector,
            options,
            asked,
        } = planned;
        let hints = options.unwrap_or_default();
        let name = seen.session.clone();
        self.counters.batch(SeenBatch {
            max_partitions: hints.max_partitions,
            partition_size_bytes: hints.partition_size_bytes,
            ..seen.selector(selector.as_ref())
        });
        let session = self.sessions.get(&name)?;
        check_hints(&hints)?;
        let used = self
            .transactions
            .to_plan(&session, selector.as_ref(), &self.world)?;
        let transaction = used.told.clone();
        let plan = Plan::new(name, used, asked, choose()?);
        let answer = PartitionResponse {
            partitions: self.plans.add(plan),
            transaction,
        };
        Ok(answer.encode_to_vec().into())
    }

    fn partitionable(&self, request: &PartitionQueryRequest) -> Result<Chosen, Status> {
        if let Some(query) = self.tables.query(&request.sql, request.params.as_ref()) {
            return if query.partitionable() {
                Ok(query)
            } else {
                Err(not_partitionable())
            };
        }
        if !looks_partitionable(&request.sql) {
            return Err(not_partitionable());
        }
        let statement = parse(&request.sql, self.dialect());
        match statement.map_err(|unread| Status::invalid_argument(unread.to_string()))? {
            Statement::Table(from) => self.tables.select(&from.table, &from.columns),
            Statement::ChangeStream(_) | Statement::Catalog(_) | Statement::One => {
                Err(not_partitionable())
            }
        }
    }

    async fn strike_batch(&self, on: OnBatch) -> Result<(), Status> {
        let on = On::Batch(on);
        let expired = too_old(self.world.clock.now());
        self.faults
            .strike_at_once(|fault| *fault == on, expired)
            .await
    }
}

/// A request to partition something.
struct Planned {
    seen: SeenBatch,
    selector: Option<TransactionSelector>,
    options: Option<PartitionOptions>,
    asked: Asked,
}

/// Zero is on the wire what was not given.
///
/// Source: Cloud Spanner emulator, `frontend/handlers/partition_read.cc`, `ValidatePartitionOptions`.
fn check_hints(hints: &PartitionOptions) -> Result<(), Status> {
    if hints.partition_size_bytes < 0 {
        return Err(Status::invalid_argument(
            "Invalid partition_options: bytes per batch must be greater than zero.",
        ));
    }
    if hints.max_partitions < 0 {
        return Err(Status::invalid_argument(
            "Invalid partition_options: max partition count must be greater than zero.",
        ));
    }
    Ok(())
}

/// Source: Cloud Spanner, as quoted in cloudspannerecosystem/spanner-cli's README.
fn not_partitionable() -> Status {
    Status::invalid_argument(
        "Query is not root partitionable since it does not have a DistributedUnion at the root. \
         Please check the conditions for a query to be root-partitionable.",
    )
}
