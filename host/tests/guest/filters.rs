//! Filters answer for every record and name, or stop the run.

use acequia_host::guest::CallError;
use serde_json::json;

use crate::batches::batch;
use crate::guests::{LIMITS, guest, plugins};

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
    let mut keyless = batch(["a"]);
    keyless.keys = batch(["a"]).old_values;
    let error = filter.keep(&keyless).await.unwrap_err();
    assert_eq!(
        error,
        CallError::Refused("the first key column of `things` is no integer".to_owned())
    );
    assert_eq!(filter.keep(&batch(["a"])).await.unwrap(), [true]);
}
