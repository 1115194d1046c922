//! A batch reader made from the generated client, and short ways to ask.

use acequia_sandbox::spanner::{Batch, Dialect, History, Mode, Sandbox, Script, tables::Contents};
use googleapis_tonic_google_spanner_v1::google::spanner::v1::{
    BeginTransactionRequest, ExecuteSqlRequest, KeySet, PartialResultSet, PartitionQueryRequest,
    PartitionReadRequest, ReadRequest, Transaction, TransactionOptions, TransactionSelector,
    transaction_options::{Mode as TransactionMode, ReadOnly, read_only::TimestampBound},
    transaction_selector::Selector,
};
use jiff::Timestamp;
use prost_types::{Value, value::Kind};
use serde_json::{Value as Json, json};
use tonic::{Status, Streaming};

use super::super::client::{Client, at, script};

pub(crate) const STRONG: TimestampBound = TimestampBound::Strong(true);

pub(crate) fn read_at(instant: Timestamp) -> TimestampBound {
    TimestampBound::ReadTimestamp(wire(instant))
}

pub(crate) fn wire(instant: Timestamp) -> prost_types::Timestamp {
    prost_types::Timestamp {
        seconds: instant.as_second(),
        nanos: instant.subsec_nanosecond(),
    }
}

pub(crate) fn options(bound: TimestampBound) -> TransactionOptions {
    TransactionOptions {
        mode: Some(TransactionMode::ReadOnly(ReadOnly {
            return_read_timestamp: true,
            timestamp_bound: Some(bound),
        })),
        ..TransactionOptions::default()
    }
}

pub(crate) fn selector(selector: Selector) -> Option<TransactionSelector> {
    Some(TransactionSelector {
        selector: Some(selector),
    })
}

pub(crate) fn all() -> Option<KeySet> {
    Some(KeySet {
        all: true,
        ..KeySet::default()
    })
}

/// Three customers, out of order.
pub(crate) fn customers() -> Contents {
    Contents::of(
        "Customers",
        [
            json!({"CustomerId": "10", "Name": "Linus", "City": "Bern"}),
            json!({"CustomerId": "2", "Name": "Ada", "City": "Lyon"}),
            json!({"CustomerId": "-1", "Name": "Grace"}),
        ],
    )
}

/// What [`customers`] are in key order.
pub(crate) fn three() -> Json {
    json!([
        ["-1", "Grace", null],
        ["2", "Ada", "Lyon"],
        ["10", "Linus", "Bern"]
    ])
}

pub(crate) fn quiet() -> History {
    History::starting_at(at(0.0))
        .partition("a")
        .build()
        .unwrap()
}

pub(crate) fn with(batch: Batch) -> Script {
    Script {
        batch,
        ..script(quiet())
    }
}

pub(crate) fn shop() -> Script {
    with(Batch {
        contents: vec![customers()],
        ..Batch::default()
    })
}

/// A sandbox, a session of it, and a transaction.
pub(crate) struct Reader {
    pub(crate) client: Client,
    pub(crate) transaction: Transaction,
}

impl Reader {
    pub(crate) async fn start(script: Script) -> (Sandbox, Self) {
        let dialect = script.dialect;
        let sandbox = Sandbox::start(script).unwrap();
        let reader = Self::of(&sandbox, dialect, STRONG).await;
        (sandbox, reader)
    }

    pub(crate) async fn of(sandbox: &Sandbox, dialect: Dialect, bound: TimestampBound) -> Self {
        let client = Client::connect(sandbox, dialect, Mode::Immutable).await;
        let transaction = begin(&client, bound).await.unwrap();
        Self {
            client,
            transaction,
        }
    }

    pub(crate) fn by_id(&self) -> Option<TransactionSelector> {
        selector(Selector::Id(self.transaction.id.clone()))
    }

    pub(crate) fn query(&self, sql: &str) -> PartitionQueryRequest {
        PartitionQueryRequest {
            session: self.client.session.clone(),
            transaction: self.by_id(),
            sql: sql.to_owned(),
            ..PartitionQueryRequest::default()
        }
    }

    pub(crate) fn read(&self, table: &str, columns: &[&str]) -> PartitionReadRequest {
        PartitionReadRequest {
            session: self.client.session.clone(),
            transaction: self.by_id(),
            table: table.to_owned(),
            columns: columns.iter().map(|&column| column.to_owned()).collect(),
            key_set: all(),
            ..PartitionReadRequest::default()
        }
    }

    pub(crate) async fn plan_query(
        &self,
        request: PartitionQueryRequest,
    ) -> Result<Vec<ExecuteSqlRequest>, Status> {
        let mut spanner = self.client.spanner.clone();
        let answer = spanner.partition_query(request.clone()).await?;
        let partitions = answer.into_inner().partitions.into_iter();
        let part = |partition| ExecuteSqlRequest {
            session: request.session.clone(),
            transaction: request.transaction.clone(),
            sql: request.sql.clone(),
            params: request.params.clone(),
            param_types: request.param_types.clone(),
            partition_token: partition,
            ..ExecuteSqlRequest::default()
        };
        Ok(partitions.map(|p| part(p.partition_token)).collect())
    }

    pub(crate) async fn plan_read(
        &self,
        request: PartitionReadRequest,
    ) -> Result<Vec<ReadRequest>, Status> {
        let mut spanner = self.client.spanner.clone();
        let answer = spanner.partition_read(request.clone()).await?;
        let partitions = answer.into_inner().partitions.into_iter();
        let part = |partition| ReadRequest {
            session: request.session.clone(),
            transaction: request.transaction.clone(),
            table: request.table.clone(),
            index: request.index.clone(),
            columns: request.columns.clone(),
            key_set: request.key_set.clone(),
            partition_token: partition,
            ..ReadRequest::default()
        };
        Ok(partitions.map(|p| part(p.partition_token)).collect())
    }

    pub(crate) async fn open_read(
        &self,
        request: ReadRequest,
    ) -> Result<Streaming<PartialResultSet>, Status> {
        let answer = self.client.spanner.clone().streaming_read(request).await?;
        Ok(answer.into_inner())
    }

    /// All rows of a statement's partitions, in the order of those.
    pub(crate) async fn rows_of_query(&self, sql: &str) -> Json {
        let mut rows = Vec::new();
        for part in self.plan_query(self.query(sql)).await.unwrap() {
            let stream = self.client.send(part).await.unwrap();
            rows.extend(rows_of(&frames(stream).await.unwrap()));
        }
        Json::Array(rows)
    }

    /// All rows of a read's partitions, in the order of those.
    pub(crate) async fn rows_of_read(&self, request: PartitionReadRequest) -> Json {
        let mut rows = Vec::new();
        for part in self.plan_read(request).await.unwrap() {
            let stream = self.open_read(part).await.unwrap();
            rows.extend(rows_of(&frames(stream).await.unwrap()));
        }
        Json::Array(rows)
    }

    /// The status with which a read's stream ends, at the opening or later.
    pub(crate) async fn refusal_of_read(&self, request: ReadRequest) -> Status {
        match self.open_read(request).await {
            Ok(stream) => frames(stream).await.unwrap_err(),
            Err(status) => status,
        }
    }
}

pub(crate) async fn begin(client: &Client, bound: TimestampBound) -> Result<Transaction, Status> {
    let request = BeginTransactionRequest {
        session: client.session.clone(),
        options: Some(options(bound)),
        ..BeginTransactionRequest::default()
    };
    let begun = client.spanner.clone().begin_transaction(request).await?;
    Ok(begun.into_inner())
}

pub(crate) async fn frames(
    mut stream: Streaming<PartialResultSet>,
) -> Result<Vec<PartialResultSet>, Status> {
    let mut frames = Vec::new();
    while let Some(frame) = stream.message().await? {
        frames.push(frame);
    }
    Ok(frames)
}

/// The rows that frames carry, merged as `result_set.proto` describes it.
pub(crate) fn rows_of(frames: &[PartialResultSet]) -> Vec<Json> {
    let metadata = frames.iter().find_map(|frame| frame.metadata.as_ref());
    let columns = metadata.and_then(|metadata| metadata.row_type.as_ref());
    let columns = columns.map_or(0, |row| row.fields.len());
    let cells: Vec<Json> = values(frames).iter().map(json_of).collect();
    let rows = cells.chunks(columns.max(1));
    assert!(rows.clone().all(|row| row.len() == columns), "whole rows");
    rows.map(|row| json!(row)).collect()
}

/// The values that frames carry, chunks merged.
pub(crate) fn values(frames: &[PartialResultSet]) -> Vec<Value> {
    let mut values: Vec<Value> = Vec::new();
    let mut goes_on = false;
    for frame in frames {
        let mut of_frame = frame.values.clone().into_iter();
        if goes_on && let Some(first) = of_frame.next() {
            let last = values.pop().unwrap();
            values.push(merge(last, first));
        }
        values.extend(of_frame);
        if !frame.values.is_empty() {
            goes_on = frame.chunked_value;
        }
    }
    assert!(!goes_on, "the last value is whole");
    values
}

fn merge(left: Value, right: Value) -> Value {
    let kind = match (left.kind.unwrap(), right.kind.unwrap()) {
        (Kind::StringValue(left), Kind::StringValue(right)) => Kind::StringValue(left + &right),
        (Kind::ListValue(mut left), Kind::ListValue(right)) => {
            let mut right = right.values.into_iter();
            if let (Some(last), Some(first)) = (left.values.last(), right.as_slice().first()) {
                let is_cut = matches!(
                    (&last.kind, &first.kind),
                    (Some(Kind::StringValue(_)), Some(Kind::StringValue(_)))
                        | (Some(Kind::ListValue(_)), Some(Kind::ListValue(_)))
                );
                if is_cut {
                    let (last, first) = (left.values.pop().unwrap(), right.next().unwrap());
                    left.values.push(merge(last, first));
                }
            }
            left.values.extend(right);
            Kind::ListValue(left)
        }
        (left, right) => panic!("{left:?} and {right:?} are never cut"),
    };
    Value { kind: Some(kind) }
}

fn json_of(value: &Value) -> Json {
    match value.kind.as_ref().unwrap() {
        Kind::NullValue(_) => Json::Null,
        Kind::NumberValue(number) => json!(number),
        Kind::StringValue(text) => json!(text),
        Kind::BoolValue(flag) => json!(flag),
        Kind::ListValue(list) => Json::Array(list.values.iter().map(json_of).collect()),
        Kind::StructValue(_) => panic!("no value is a struct on the wire"),
    }
}
