//! Keys, ranges and indexes of reads.

use acequia_sandbox::spanner::{
    Batch,
    tables::{Contents, Index},
};
use googleapis_tonic_google_spanner_v1::google::spanner::v1::{
    KeyRange, KeySet,
    key_range::{EndKeyType, StartKeyType},
};
use prost_types::ListValue;
use serde_json::{Value as Json, json};
use tonic::Code;

use super::{
    super::client::{null, text},
    reader::{Reader, customers, shop, with},
};

fn key(parts: &[&str]) -> ListValue {
    ListValue {
        values: parts.iter().map(|part| text(part)).collect(),
    }
}

fn range(start: StartKeyType, end: EndKeyType) -> KeySet {
    KeySet {
        ranges: vec![KeyRange {
            start_key_type: Some(start),
            end_key_type: Some(end),
        }],
        ..KeySet::default()
    }
}

/// Orders 1/1, 1/2, 2/1, 2/2, 3/1.
fn orders() -> Batch {
    let row = |(customer, order): (&str, &str)| json!({"CustomerId": customer, "OrderId": order});
    let keys = [("3", "1"), ("1", "2"), ("2", "1"), ("1", "1"), ("2", "2")];
    Batch {
        contents: vec![Contents::of("Orders", keys.map(row))],
        ..Batch::default()
    }
}

async fn read(reader: &Reader, keys: KeySet) -> Vec<String> {
    let mut request = reader.read("Orders", &["CustomerId", "OrderId"]);
    request.key_set = Some(keys);
    let rows = reader.rows_of_read(request).await;
    let name = |row: &Json| format!("{}/{}", row[0].as_str().unwrap(), row[1].as_str().unwrap());
    rows.as_array().unwrap().iter().map(name).collect()
}

#[tokio::test]
async fn ranges_are_open_or_closed_and_may_end_in_beginnings_of_keys() {
    use EndKeyType::{EndClosed, EndOpen};
    use StartKeyType::{StartClosed, StartOpen};
    let (_sandbox, reader) = Reader::start(with(orders())).await;
    let cases: [(StartKeyType, EndKeyType, &[&str]); 7] = [
        (
            StartClosed(key(&["1", "2"])),
            EndClosed(key(&["2", "1"])),
            &["1/2", "2/1"],
        ),
        (
            StartOpen(key(&["1", "2"])),
            EndClosed(key(&["2", "1"])),
            &["2/1"],
        ),
        (
            StartClosed(key(&["1", "2"])),
            EndOpen(key(&["2", "1"])),
            &["1/2"],
        ),
        (
            StartClosed(key(&["2"])),
            EndClosed(key(&["2"])),
            &["2/1", "2/2"],
        ),
        (
            StartOpen(key(&["1"])),
            EndOpen(key(&["3"])),
            &["2/1", "2/2"],
        ),
        (
            StartClosed(key(&[])),
            EndClosed(key(&[])),
            &["1/1", "1/2", "2/1", "2/2", "3/1"],
        ),
        (StartClosed(key(&["3"])), EndClosed(key(&["1"])), &[]),
    ];
    for (start, end, expected) in cases {
        let text = format!("{start:?} {end:?}");
        assert_eq!(read(&reader, range(start, end)).await, expected, "{text}");
    }
}

#[tokio::test]
async fn a_row_is_read_once_however_often_it_is_named() {
    let (_sandbox, reader) = Reader::start(with(orders())).await;
    let mut keys = range(
        StartKeyType::StartClosed(key(&["2"])),
        EndKeyType::EndClosed(key(&["2"])),
    );
    keys.keys = vec![
        key(&["2", "1"]),
        key(&["1", "1"]),
        key(&["1", "1"]),
        key(&["9", "9"]),
    ];
    assert_eq!(read(&reader, keys).await, ["1/1", "2/1", "2/2"]);
    assert!(read(&reader, KeySet::default()).await.is_empty());
}

#[tokio::test]
async fn keys_of_the_wrong_length_or_type_are_refused() {
    let (_sandbox, reader) = Reader::start(with(orders())).await;
    let refused = |keys| {
        let mut request = reader.read("Orders", &["OrderId"]);
        request.key_set = Some(keys);
        reader.plan_read(request)
    };
    let one = KeySet {
        keys: vec![key(&["1"])],
        ..KeySet::default()
    };
    let status = refused(one).await.unwrap_err();
    assert_eq!(status.code(), Code::FailedPrecondition);
    assert!(
        status
            .message()
            .starts_with("Wrong number of key parts for Orders. Expected: 2.")
    );
    let word = KeySet {
        keys: vec![key(&["1", "one"])],
        ..KeySet::default()
    };
    assert_eq!(
        refused(word).await.unwrap_err().code(),
        Code::FailedPrecondition
    );
    let half = KeySet {
        ranges: vec![KeyRange {
            start_key_type: Some(StartKeyType::StartClosed(key(&[]))),
            end_key_type: None,
        }],
        ..KeySet::default()
    };
    let status = refused(half).await.unwrap_err();
    assert_eq!(
        (status.code(), status.message()),
        (
            Code::InvalidArgument,
            "Key range must contain either end_closed or end_open."
        )
    );
}

#[tokio::test]
async fn an_index_orders_rows_by_its_own_key_and_has_only_what_it_stores() {
    let index = |null_filtered| Index {
        name: "ByCity".to_owned(),
        table: "Customers".to_owned(),
        key: vec!["City".to_owned()],
        storing: vec![],
        null_filtered,
    };
    for (null_filtered, expected) in [
        (false, json!([[null, "-1"], ["Bern", "10"], ["Lyon", "2"]])),
        (true, json!([["Bern", "10"], ["Lyon", "2"]])),
    ] {
        let (_sandbox, reader) = Reader::start(with(Batch {
            contents: vec![customers()],
            indexes: vec![index(null_filtered)],
            ..Batch::default()
        }))
        .await;
        let mut request = reader.read("Customers", &["City", "CustomerId"]);
        request.index = "ByCity".to_owned();
        assert_eq!(reader.rows_of_read(request.clone()).await, expected);
        request.key_set = Some(KeySet {
            keys: vec![key(&["Lyon"])],
            ..KeySet::default()
        });
        assert_eq!(
            reader.rows_of_read(request.clone()).await,
            json!([["Lyon", "2"]])
        );
        request.key_set = Some(KeySet {
            keys: vec![ListValue {
                values: vec![null()],
            }],
            ..KeySet::default()
        });
        let nulls = if null_filtered {
            json!([])
        } else {
            json!([[null, "-1"]])
        };
        assert_eq!(reader.rows_of_read(request.clone()).await, nulls);
        request.columns = vec!["Name".to_owned()];
        let status = reader.plan_read(request).await.unwrap_err();
        assert_eq!(status.code(), Code::Unimplemented);
        assert!(
            status
                .message()
                .contains("Consider adding Name to the index")
        );
    }
}

#[tokio::test]
async fn an_index_of_another_table_is_refused() {
    let (_sandbox, reader) = Reader::start(with(Batch {
        indexes: vec![Index {
            name: "ByStatus".to_owned(),
            table: "Orders".to_owned(),
            key: vec!["Status".to_owned()],
            storing: vec![],
            null_filtered: false,
        }],
        ..shop().batch
    }))
    .await;
    let mut request = reader.read("Customers", &["CustomerId"]);
    request.index = "ByStatus".to_owned();
    let status = reader.plan_read(request).await.unwrap_err();
    assert_eq!(
        (status.code(), status.message()),
        (
            Code::FailedPrecondition,
            "Index ByStatus is not an index on Customers."
        )
    );
}
