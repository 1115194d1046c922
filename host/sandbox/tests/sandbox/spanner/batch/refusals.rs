//! What the service refuses of partitions, with its codes and texts.

use acequia_sandbox::spanner::{
    Batch,
    tables::{Query, types::scalar},
};
use googleapis_tonic_google_spanner_v1::google::spanner::v1::{
    ExecuteSqlRequest, KeySet, PartitionOptions, ReadRequest, Type, execute_sql_request::QueryMode,
    transaction_selector::Selector,
};
use prost_types::Struct;
use tonic::Code;

use super::{
    super::client::text,
    reader::{Reader, STRONG, begin, options, selector, shop, with},
};

const SQL: &str = "SELECT CustomerId FROM Customers";

async fn refused(reader: &Reader, request: ExecuteSqlRequest, expected: &str) {
    let status = reader.client.refusal_of(request).await;
    assert_eq!(
        (status.code(), status.message()),
        (Code::InvalidArgument, expected)
    );
}

#[tokio::test]
async fn a_token_goes_only_with_the_statement_that_it_was_made_for() {
    let (_sandbox, reader) = Reader::start(shop()).await;
    let part = reader.plan_query(reader.query(SQL)).await.unwrap()[0].clone();
    let other = "Partitioned request was created for different read or sql parameters.";
    let sql = ExecuteSqlRequest {
        sql: format!("{SQL} "),
        ..part.clone()
    };
    refused(&reader, sql, other).await;
    let params = ExecuteSqlRequest {
        params: Some(Struct {
            fields: [("x".to_owned(), text("1"))].into(),
        }),
        ..part.clone()
    };
    refused(&reader, params, other).await;
    let types = ExecuteSqlRequest {
        param_types: [("x".to_owned(), Type::default())].into(),
        ..part.clone()
    };
    refused(&reader, types, other).await;
    let read = ReadRequest {
        session: part.session.clone(),
        transaction: part.transaction.clone(),
        table: "Customers".to_owned(),
        columns: vec!["CustomerId".to_owned()],
        partition_token: part.partition_token.clone(),
        ..ReadRequest::default()
    };
    let status = reader.refusal_of_read(read).await;
    assert_eq!(
        (status.code(), status.message()),
        (Code::InvalidArgument, other)
    );
    assert!(reader.client.send(part).await.is_ok());
}

#[tokio::test]
async fn a_token_goes_only_with_the_read_that_it_was_made_for() {
    let (_sandbox, reader) = Reader::start(shop()).await;
    let request = reader.read("Customers", &["CustomerId", "Name"]);
    let part = reader.plan_read(request).await.unwrap()[0].clone();
    let changed = [
        ReadRequest {
            table: "Orders".to_owned(),
            ..part.clone()
        },
        ReadRequest {
            index: "ByName".to_owned(),
            ..part.clone()
        },
        ReadRequest {
            columns: vec!["Name".to_owned(), "CustomerId".to_owned()],
            ..part.clone()
        },
        ReadRequest {
            key_set: Some(KeySet::default()),
            ..part.clone()
        },
    ];
    for request in changed {
        let status = reader.refusal_of_read(request).await;
        assert_eq!(
            (status.code(), status.message()),
            (
                Code::InvalidArgument,
                "Partitioned request was created for different read or sql parameters."
            )
        );
    }
    assert!(reader.open_read(part).await.is_ok());
}

#[tokio::test]
async fn a_token_goes_only_with_its_transaction() {
    let (sandbox, reader) = Reader::start(shop()).await;
    let part = reader.plan_query(reader.query(SQL)).await.unwrap()[0].clone();
    let other = begin(&reader.client, STRONG).await.unwrap();
    let different = "Partitioned request was created for a different transaction.";
    for transaction in [
        selector(Selector::Id(other.id)),
        selector(Selector::SingleUse(options(STRONG))),
        None,
    ] {
        let request = ExecuteSqlRequest {
            transaction,
            ..part.clone()
        };
        refused(&reader, request, different).await;
    }
    let dialect = acequia_sandbox::spanner::Dialect::GoogleSql;
    let stranger = Reader::of(&sandbox, dialect, STRONG).await;
    let request = ExecuteSqlRequest {
        session: stranger.client.session.clone(),
        ..part.clone()
    };
    let status = reader.client.refusal_of(request).await;
    assert_eq!(
        (status.code(), status.message()),
        (Code::NotFound, "Transaction not found: 1")
    );
    let request = ExecuteSqlRequest {
        session: stranger.client.session.clone(),
        transaction: stranger.by_id(),
        ..part.clone()
    };
    let different = "Partitioned request was created for a different session.";
    refused(&reader, request, different).await;
    let request = ExecuteSqlRequest {
        partition_token: b"never made".to_vec().into(),
        ..part
    };
    refused(&reader, request, "Invalid partition token.").await;
}

#[tokio::test]
async fn what_goes_with_no_token_or_only_with_one_is_refused() {
    let (_sandbox, reader) = Reader::start(shop()).await;
    let part = reader.plan_query(reader.query(SQL)).await.unwrap()[0].clone();
    let boosted = ExecuteSqlRequest {
        data_boost_enabled: true,
        ..part.clone()
    };
    assert!(reader.client.send(boosted.clone()).await.is_ok());
    let without = ExecuteSqlRequest {
        partition_token: bytes(),
        ..boosted
    };
    let status = reader.client.refusal_of(without).await;
    assert_eq!(status.code(), Code::InvalidArgument);
    assert!(status.message().contains("data_boost_enabled"));
    for mode in [QueryMode::Plan, QueryMode::Profile] {
        let mut request = part.clone();
        request.set_query_mode(mode);
        let status = reader.client.refusal_of(request).await;
        assert_eq!(status.code(), Code::InvalidArgument);
    }
    let request = reader.read("Customers", &["CustomerId"]);
    let mut part = reader.plan_read(request).await.unwrap()[0].clone();
    part.limit = 1;
    let status = reader.refusal_of_read(part.clone()).await;
    assert_eq!(status.code(), Code::InvalidArgument);
    part.partition_token = bytes();
    let stream = reader.open_read(part.clone()).await.unwrap();
    let rows = super::reader::rows_of(&super::reader::frames(stream).await.unwrap());
    assert_eq!(rows, [serde_json::json!(["-1"])]);
    part.data_boost_enabled = true;
    assert_eq!(
        reader.refusal_of_read(part).await.code(),
        Code::InvalidArgument
    );
}

fn bytes() -> bytes::Bytes {
    bytes::Bytes::new()
}

#[tokio::test]
async fn a_query_without_a_distributed_union_at_its_root_cannot_be_partitioned() {
    let join = "SELECT a.x FROM a JOIN b USING (x)";
    let query = |partitionable| Query {
        partitionable,
        ..Query::new(join, [("x", scalar("INT64"))])
    };
    for partitionable in [false, true] {
        let batch = Batch {
            queries: vec![query(partitionable)],
            ..shop().batch
        };
        let (_sandbox, reader) = Reader::start(with(batch)).await;
        let plan = reader.plan_query(reader.query(join)).await;
        assert_eq!(plan.is_ok(), partitionable, "interleaved tables can be");
        for sql in [
            "SELECT * FROM Customers ORDER BY CustomerId",
            "SELECT Name FROM Customers GROUP BY Name",
            "SELECT COUNT(*) FROM Customers",
            "SELECT * FROM Customers LIMIT 5",
            "SELECT 1",
        ] {
            let status = reader.plan_query(reader.query(sql)).await.unwrap_err();
            assert_eq!(status.code(), Code::InvalidArgument, "{sql}");
            assert!(
                status.message().starts_with(
                    "Query is not root partitionable since it does not have a DistributedUnion at \
                     the root."
                ),
                "{sql}"
            );
        }
    }
}

#[tokio::test]
async fn hints_below_zero_and_unknown_names_are_refused() {
    let (_sandbox, reader) = Reader::start(shop()).await;
    for (size, count) in [(-1, 0), (0, -1)] {
        let mut request = reader.query(SQL);
        request.partition_options = Some(PartitionOptions {
            partition_size_bytes: size,
            max_partitions: count,
        });
        let status = reader.plan_query(request).await.unwrap_err();
        assert_eq!(status.code(), Code::InvalidArgument);
        assert!(status.message().ends_with("must be greater than zero."));
    }
    let refused = [
        ("Nowhere", "CustomerId", "", "Table not found: Nowhere"),
        (
            "Customers",
            "Nothing",
            "",
            "Column not found in table Customers: Nothing",
        ),
        (
            "Customers",
            "Name",
            "ByAge",
            "Index not found on table Customers: ByAge",
        ),
    ];
    for (table, column, index, text) in refused {
        let mut request = reader.read(table, &[column]);
        request.index = index.to_owned();
        let status = reader.plan_read(request).await.unwrap_err();
        assert_eq!((status.code(), status.message()), (Code::NotFound, text));
    }
    let status = reader
        .plan_query(reader.query("SELECT * FROM Nowhere"))
        .await
        .unwrap_err();
    assert_eq!(
        (status.code(), status.message()),
        (Code::InvalidArgument, "Table not found: Nowhere")
    );
}
