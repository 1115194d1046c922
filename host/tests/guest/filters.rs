//! Filters answer for every record and name, or stop the run.

use acequia_host::config::{GuestRef, Origin};
use acequia_host::guest::{CallError, LoadError, StartError};
use serde_json::{Value, json};

use crate::batches::{batch, changes};
use crate::guests::{LIMITS, guest, place, plugins};

#[tokio::test]
async fn a_record_filter_answers_for_every_record() {
    let mut filter = plugins(LIMITS)
        .record_filter(&guest("keep-even", json!({})))
        .await
        .unwrap();
    let keep = filter.keep(&batch(["a", "b", "c"])).await.unwrap();
    assert_eq!(keep, [true, false, true]);
}

#[tokio::test]
async fn a_record_filter_that_gives_up_is_no_answer_and_can_be_asked_again() {
    let mut filter = plugins(LIMITS)
        .record_filter(&guest("keep-even", json!({})))
        .await
        .unwrap();
    let mut keyless = changes(["a"]);
    keyless.keys = changes(["a"]).old_values;
    let error = filter.keep(&keyless.into()).await.unwrap_err();
    assert_eq!(
        error,
        CallError::Refused("the first key column of `things` is no integer".to_owned())
    );
    assert_eq!(filter.keep(&batch(["a"])).await.unwrap(), [true]);
}

fn names(config: Value) -> GuestRef {
    place(Origin::Builtin("names".to_owned()), config)
}

#[tokio::test]
async fn a_names_filter_plans_tables_and_columns() {
    let lists = json!({
        "table-exclude-list": ["hidden"],
        "column-include-list": ["things\\.(a|b)"],
    });
    let mut filter = plugins(LIMITS).names_filter(&names(lists)).await.unwrap();
    let columns = ["a", "b", "c"].map(str::to_owned);
    // The second time the answers are the kept ones.
    for _ in 0..2 {
        let things = filter.plan("things", &columns).await.unwrap();
        assert_eq!(
            (things.table, things.columns),
            (true, vec![true, true, false])
        );
        assert!(!filter.plan("hidden", &columns).await.unwrap().table);
    }
    assert_eq!(
        filter.columns("things", &["c", "a"]).await.unwrap(),
        [false, true]
    );
}

#[tokio::test]
async fn a_bad_pattern_of_a_names_filter_is_told_with_its_place() {
    let place = names(json!({ "table-include-list": ["fine", "(open"] }));
    let Err(LoadError::Start(StartError::Configuration(errors))) =
        plugins(LIMITS).names_filter(&place).await
    else {
        panic!("it is not refused")
    };
    let paths: Vec<&str> = errors.iter().map(|error| error.path.as_str()).collect();
    assert_eq!(paths, ["table-include-list[1]"]);
}
