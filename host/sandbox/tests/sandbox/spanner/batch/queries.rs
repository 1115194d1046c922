//! Statements: tables in both dialects, and queries whose answers are written down.

use std::collections::BTreeMap;

use acequia_sandbox::{
    rfc3339,
    spanner::{
        Batch, Dialect, Script,
        history::shop,
        tables::{
            Contents, Query,
            types::{array, scalar, structure},
            value,
        },
    },
};
use googleapis_tonic_google_spanner_v1::google::spanner::v1::{
    ExecuteSqlRequest, TypeAnnotationCode, TypeCode,
};
use prost_types::Struct;
use serde_json::{Value as Json, json};
use tonic::Code;

use super::{
    super::client::{at, text},
    reader::{Reader, frames, rows_of, shop as quiet_shop, three, with},
};

#[tokio::test]
async fn a_table_is_selected_in_the_quoting_of_its_dialect() {
    let statements: [(Dialect, &[&str]); 2] = [
        (
            Dialect::GoogleSql,
            &[
                "SELECT * FROM Customers",
                "select `CustomerId`, `Name`, `City` from `Customers`",
                "SELECT customerid, name, city FROM customers;",
            ],
        ),
        (
            Dialect::Postgres,
            &[
                r#"SELECT * FROM "Customers""#,
                r#"SELECT "CustomerId", "Name", "City" FROM "public"."Customers""#,
                r#"select "CustomerId", "Name", "City" from public."Customers""#,
            ],
        ),
    ];
    for (dialect, statements) in statements {
        let script = Script {
            dialect,
            ..quiet_shop()
        };
        let (_sandbox, reader) = Reader::start(script).await;
        for sql in statements {
            assert_eq!(reader.rows_of_query(sql).await, three(), "{sql}");
        }
    }
}

#[tokio::test]
async fn postgresql_folds_names_without_quotes() {
    let script = Script {
        dialect: Dialect::Postgres,
        ..quiet_shop()
    };
    let (_sandbox, reader) = Reader::start(script).await;
    let sql = "SELECT * FROM Customers";
    let status = reader.plan_query(reader.query(sql)).await.unwrap_err();
    assert_eq!(
        (status.code(), status.message()),
        (
            Code::InvalidArgument,
            "relation \"customers\" does not exist"
        )
    );
}

#[tokio::test]
async fn a_column_that_is_selected_twice_comes_twice() {
    let (_sandbox, reader) = Reader::start(quiet_shop()).await;
    let rows = reader
        .rows_of_query("SELECT Name, CustomerId, Name FROM Customers")
        .await;
    assert_eq!(rows[1], json!(["Ada", "2", "Ada"]));
}

#[tokio::test]
async fn every_type_is_on_the_wire_as_the_service_encodes_it() {
    let types = [
        ("Key", scalar("INT64")),
        ("Bool", scalar("BOOL")),
        ("Float", scalar("FLOAT64")),
        ("Single", scalar("FLOAT32")),
        ("Numeric", scalar("NUMERIC")),
        ("Text", scalar("STRING")),
        ("Bytes", scalar("BYTES")),
        ("At", scalar("TIMESTAMP")),
        ("Day", scalar("DATE")),
        ("Json", scalar("JSON")),
        ("Floats", array(scalar("FLOAT64"))),
        ("Texts", array(scalar("STRING"))),
    ];
    let row = json!({
        "Key": value::int64(i64::MIN),
        "Bool": true,
        "Float": value::float(f64::NAN),
        "Single": value::float(-0.5),
        "Numeric": "-99999999999999999999999999999.999999999",
        "Text": "w\u{f6}rld",
        "Bytes": value::bytes(&[0, 255]),
        "At": value::timestamp(at(0.25)),
        "Day": "0001-01-01",
        "Json": value::json_column(&json!({"a": null})),
        "Floats": [value::float(f64::NEG_INFINITY), null, 1.5],
        "Texts": [null, "", "NULL"],
    });
    let empty = json!({"Key": value::int64(0)});
    let table = shop::table("Types", &["Key"], types.clone());
    let script = Script {
        tables: vec![table],
        ..with(Batch {
            contents: vec![Contents::of("Types", [row, empty])],
            ..Batch::default()
        })
    };
    let (_sandbox, reader) = Reader::start(script).await;
    let rows = reader.rows_of_query("SELECT * FROM Types").await;
    // As `google/spanner/v1/type.proto` has it.
    let expected = json!([
        "-9223372036854775808",
        true,
        "NaN",
        -0.5,
        "-99999999999999999999999999999.999999999",
        "w\u{f6}rld",
        "AP8=",
        rfc3339(at(0.25)),
        "0001-01-01",
        r#"{"a":null}"#,
        ["-Infinity", null, 1.5],
        [null, "", "NULL"],
    ]);
    assert_eq!(rows[0], expected);
    let nulls = vec![Json::Null; types.len() - 1];
    assert_eq!(rows[1].as_array().unwrap()[1..], nulls);
}

/// Columns without a name, columns of one name, and structs within arrays.
fn written() -> Query {
    let line = structure([
        ("sku", scalar("STRING")),
        ("", scalar("INT64")),
        ("sku", scalar("BOOL")),
    ]);
    let columns = [
        ("", scalar("INT64")),
        ("x", scalar("STRING")),
        ("x", array(line)),
    ];
    Query::new("SELECT COMPLICATED THINGS", columns)
        .with([
            vec![json!("1"), json!("a"), json!([["s", "7", true], null])],
            vec![json!("2"), Json::Null, json!([])],
        ])
        .param("limit", json!("5"))
}

#[tokio::test]
async fn a_query_that_is_written_down_answers_its_text_and_its_parameters() {
    let batch = Batch {
        queries: vec![written()],
        ..Batch::default()
    };
    let (_sandbox, reader) = Reader::start(with(batch)).await;
    let fields = [("limit".to_owned(), text("5"))];
    let mut request = reader.query("SELECT COMPLICATED THINGS");
    request.params = Some(Struct {
        fields: fields.into(),
    });
    let mut rows = Vec::new();
    for part in reader.plan_query(request.clone()).await.unwrap() {
        let frames = frames(reader.client.send(part).await.unwrap())
            .await
            .unwrap();
        let metadata = frames[0].metadata.clone().unwrap();
        let columns = metadata.row_type.unwrap().fields;
        let names: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
        assert_eq!(names, ["", "x", "x"]);
        let element = columns[2]
            .r#type
            .clone()
            .unwrap()
            .array_element_type
            .unwrap();
        assert_eq!(element.code(), TypeCode::Struct);
        assert_eq!(element.struct_type.unwrap().fields.len(), 3);
        rows.extend(rows_of(&frames));
    }
    let expected = json!([["1", "a", [["s", "7", true], null]], ["2", null, []]]);
    assert_eq!(Json::Array(rows), expected);
    request.params = None;
    let status = reader.plan_query(request).await.unwrap_err();
    assert_eq!(
        status.code(),
        Code::InvalidArgument,
        "other parameters, other query"
    );
}

#[tokio::test]
async fn postgresql_types_are_annotated() {
    let script = Script {
        dialect: Dialect::Postgres,
        ..quiet_shop()
    };
    let (_sandbox, reader) = Reader::start(script).await;
    let request = reader.query(r#"SELECT "Total", "Note", "Status" FROM "Orders""#);
    let part = reader.plan_query(request).await.unwrap()[0].clone();
    let frames = frames(reader.client.send(part).await.unwrap())
        .await
        .unwrap();
    let columns = frames[0].metadata.clone().unwrap().row_type.unwrap().fields;
    let annotations: BTreeMap<String, TypeAnnotationCode> = columns
        .into_iter()
        .map(|column| (column.name, column.r#type.unwrap().type_annotation()))
        .collect();
    assert_eq!(annotations["Total"], TypeAnnotationCode::PgNumeric);
    assert_eq!(annotations["Note"], TypeAnnotationCode::PgJsonb);
    assert_eq!(annotations["Status"], TypeAnnotationCode::Unspecified);
}

#[tokio::test]
async fn a_statement_without_a_token_reads_the_whole_table_by_both_calls() {
    let (_sandbox, reader) = Reader::start(quiet_shop()).await;
    let request = ExecuteSqlRequest {
        session: reader.client.session.clone(),
        transaction: reader.by_id(),
        sql: "SELECT * FROM Customers".to_owned(),
        ..ExecuteSqlRequest::default()
    };
    let stream = reader.client.send(request.clone()).await.unwrap();
    assert_eq!(
        Json::Array(rows_of(&frames(stream).await.unwrap())),
        three()
    );
    let answer = reader
        .client
        .spanner
        .clone()
        .execute_sql(request)
        .await
        .unwrap();
    assert_eq!(answer.into_inner().rows.len(), 3);
}
