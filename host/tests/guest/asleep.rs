//! A component that was built for WASI finds it there, with nothing behind it, and is stopped when
//! it waits.

use acequia_host::guest::{BisectError, CallError, Stopped};
use serde_json::json;

use crate::batches::batch;
use crate::guests::{IMPATIENT, guest, plugins};

#[tokio::test]
async fn a_component_that_sleeps_inside_wasi_is_stopped_at_the_time_limit() {
    let place = guest("sleep", json!({}));
    let mut sleep = plugins(IMPATIENT).deserializer(&place).await.unwrap();
    let limit = IMPATIENT.call_timeout;
    assert_eq!(
        sleep.deserialize(&batch(["a"])).await.unwrap_err(),
        CallError::Stopped(Stopped::Timeout { limit })
    );
    assert_eq!(
        sleep.deserialize_all(&batch(["a"; 128])).await.unwrap_err(),
        BisectError::Stuck
    );
}

#[tokio::test]
async fn a_component_that_imports_a_clock_is_not_pure() {
    let place = guest("sleep", json!({}));
    let sleep = plugins(IMPATIENT).deserializer(&place).await.unwrap();
    assert!(!sleep.about().pure);
}
