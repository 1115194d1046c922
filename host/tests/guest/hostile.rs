//! A component that misbehaves ends in the error that says how.

use acequia_decode::BadColumn;
use acequia_host::guest::limits::ERROR_MESSAGE_BYTES_MAX;
use acequia_host::guest::{
    AnswerError, CallError, ConfigError, FailureKind, Limits, LoadError, StartError, Stopped,
};

use crate::batches::batch;
use crate::guests::{IMPATIENT, LIMITS, hostile};

/// How the mode's answer to a batch of two records fails.
async fn call_error(mode: &str) -> CallError {
    let mut guest = hostile(LIMITS, mode).await.unwrap();
    guest.deserialize(&batch(["a", "b"])).await.unwrap_err()
}

async fn answer_error(mode: &str) -> AnswerError {
    let error = call_error(mode).await;
    let CallError::Answer(error) = error else {
        panic!("{mode}: {error}")
    };
    error
}

#[tokio::test]
async fn a_trap_is_told_with_its_code() {
    let trap = "wasm trap: wasm `unreachable` instruction executed".to_owned();
    assert_eq!(
        call_error("trap").await,
        CallError::Stopped(Stopped::Trap(trap))
    );
}

#[tokio::test]
async fn an_endless_loop_is_stopped_at_the_time_limit() {
    let mut guest = hostile(IMPATIENT, "spin").await.unwrap();
    let limit = IMPATIENT.call_timeout;
    assert_eq!(
        guest.deserialize(&batch(["a"])).await.unwrap_err(),
        CallError::Stopped(Stopped::Timeout { limit })
    );
}

#[tokio::test]
async fn an_endless_loop_leaves_the_only_thread_to_others() {
    let mut guest = hostile(IMPATIENT, "spin").await.unwrap();
    let (batch, mut turns) = (batch(["a"]), 0);
    let call = guest.deserialize(&batch);
    tokio::pin!(call);
    let result = loop {
        tokio::select! {
            biased;
            result = &mut call => break result,
            () = tokio::task::yield_now() => turns += 1,
        }
    };
    assert!(matches!(
        result,
        Err(CallError::Stopped(Stopped::Timeout { .. }))
    ));
    assert!(turns > 0);
}

#[tokio::test]
async fn memory_ends_at_its_limit() {
    let limit = LIMITS.memory_bytes_max;
    assert_eq!(
        call_error("memory").await,
        CallError::Stopped(Stopped::Memory { limit })
    );
}

#[tokio::test]
async fn a_flood_of_log_messages_harms_nobody() {
    let mut guest = hostile(LIMITS, "log-flood").await.unwrap();
    let answer = guest.deserialize(&batch(["a", "b"])).await.unwrap();
    assert_eq!(answer.source, [0, 1]);
}

#[tokio::test]
async fn columns_of_other_lengths_than_the_sources_are_refused() {
    let length = |list, found| AnswerError::Length {
        list,
        found,
        expected: 2,
    };
    assert_eq!(answer_error("keys-short").await, length("keys", 1));
    assert_eq!(answer_error("values-long").await, length("values", 3));
    assert_eq!(answer_error("topics-long").await, length("topics", 3));
}

#[tokio::test]
async fn ends_that_do_not_describe_texts_are_refused() {
    // An id of `batch` has 33 bytes.
    let past = BadColumn::Length {
        last: 67,
        bytes: 66,
    };
    let list = "values";
    assert_eq!(
        answer_error("ends-past").await,
        AnswerError::Column { list, reason: past }
    );
    let reason = answer_error("ends-decrease").await;
    assert!(
        matches!(reason, AnswerError::Column { list: "values", .. }),
        "{reason}"
    );
}

#[tokio::test]
async fn sources_outside_the_batch_or_out_of_order_are_refused() {
    let range = AnswerError::Range {
        list: "source",
        index: 0,
        found: 2,
        records: 2,
    };
    assert_eq!(answer_error("source-range").await, range);
    let order = AnswerError::Order {
        list: "source",
        index: 1,
    };
    assert_eq!(answer_error("source-decreases").await, order);
}

#[tokio::test]
async fn failures_outside_the_batch_or_beside_outputs_are_refused() {
    let range = AnswerError::Range {
        list: "failures",
        index: 0,
        found: 2,
        records: 2,
    };
    assert_eq!(answer_error("failure-range").await, range);
    assert_eq!(answer_error("both").await, AnswerError::Both { record: 0 });
}

#[tokio::test]
async fn texts_that_are_not_utf8_are_refused() {
    let reason = BadColumn::NotUtf8(0);
    let list = "values";
    assert_eq!(
        answer_error("bad-utf8-values").await,
        AnswerError::Column { list, reason }
    );
}

#[tokio::test]
async fn keys_are_bytes_and_arrive_as_they_are() {
    let mut guest = hostile(LIMITS, "byte-keys").await.unwrap();
    let answer = guest.deserialize(&batch(["a", "b"])).await.unwrap();
    let keys: Vec<&[u8]> = answer.outputs.keys.iter().collect();
    assert_eq!(keys, [b"\xff", b"\xff"]);
}

#[tokio::test]
async fn a_long_failure_message_is_cut() {
    let mut guest = hostile(LIMITS, "long-failure").await.unwrap();
    let answer = guest.deserialize(&batch(["a", "b"])).await.unwrap();
    assert_eq!(answer.failures.len(), 2);
    for failure in &answer.failures {
        assert_eq!(failure.kind, FailureKind::Other);
        assert_eq!(failure.message.len(), ERROR_MESSAGE_BYTES_MAX + "…".len());
    }
}

#[tokio::test]
async fn a_refused_configuration_shows_all_that_is_wrong_with_it() {
    let Err(LoadError::Start(StartError::Configuration(errors))) =
        hostile(LIMITS, "bad-configure").await
    else {
        panic!("it was not refused")
    };
    let error = |path: &str, message: &str| ConfigError {
        path: path.to_owned(),
        message: message.to_owned(),
    };
    assert_eq!(
        errors,
        [
            error("mode", "is bad on purpose"),
            error("other[1]", "is bad too")
        ]
    );
}

#[tokio::test]
async fn a_component_that_is_stopped_while_it_is_configured_does_not_load() {
    assert!(matches!(
        stopped(LIMITS, "trap-in-configure").await,
        Stopped::Trap(_)
    ));
    let timeout = stopped(IMPATIENT, "spin-in-configure").await;
    assert_eq!(
        timeout,
        Stopped::Timeout {
            limit: IMPATIENT.call_timeout
        }
    );
}

async fn stopped(limits: Limits, mode: &str) -> Stopped {
    let Err(LoadError::Start(StartError::Stopped(stopped))) = hostile(limits, mode).await else {
        panic!("{mode} is not stopped")
    };
    stopped
}
