//! The promises of [`Sink`], once for every implementation.

use acequia_host::sink::{MemoryTarget, Sink, SinkError};

use crate::batches::{values, with_dead_letter};
use crate::faults::Fault;
use crate::targets::{Delayed, LossyTarget, RealTarget, Target};

async fn outputs_lie_in_the_order_of_acceptance(target: impl Target) {
    let mut sink = target.open(None).unwrap();
    sink.write(&values(&["1", "2"])).await.unwrap();
    sink.write(&with_dead_letter(values(&[]), "d1"))
        .await
        .unwrap();
    sink.write(&with_dead_letter(values(&["3"]), "d2"))
        .await
        .unwrap();
    sink.sync().await.unwrap();
    assert_eq!(target.values(), ["1", "2", "3"]);
    assert_eq!(target.dead_letters(), ["d1", "d2"]);
}

async fn what_a_sync_covered_survives_a_crash(target: impl Target) {
    let mut sink = target.open(None).unwrap();
    sink.write(&with_dead_letter(values(&["1", "2"]), "d1"))
        .await
        .unwrap();
    let state = sink.sync().await.unwrap();
    sink.write(&with_dead_letter(values(&["lost"]), "lost"))
        .await
        .unwrap();
    drop(sink);
    target.crash();
    drop(target.open(Some(&state)).unwrap());
    assert_eq!(target.values(), ["1", "2"]);
    assert_eq!(target.dead_letters(), ["d1"]);
}

async fn durable_output_that_no_checkpoint_describes_is_cut(target: impl Target) {
    let mut sink = target.open(None).unwrap();
    sink.write(&values(&["1"])).await.unwrap();
    let saved = sink.sync().await.unwrap();
    sink.write(&with_dead_letter(values(&["2", "3"]), "d1"))
        .await
        .unwrap();
    let unsaved = sink.sync().await.unwrap();
    assert_ne!(saved, unsaved);
    drop(sink);
    target.crash();
    drop(target.open(Some(&saved)).unwrap());
    assert_eq!(target.values(), ["1"]);
    assert!(target.dead_letters().is_empty());
}

async fn a_resumed_sink_goes_on_after_the_cut(target: impl Target) {
    let mut sink = target.open(None).unwrap();
    sink.write(&values(&["1"])).await.unwrap();
    let saved = sink.sync().await.unwrap();
    sink.write(&values(&["before the crash"])).await.unwrap();
    sink.sync().await.unwrap();
    drop(sink);
    let mut sink = target.open(Some(&saved)).unwrap();
    sink.write(&values(&["2"])).await.unwrap();
    let state = sink.sync().await.unwrap();
    drop(sink);
    target.crash();
    drop(target.open(Some(&state)).unwrap());
    assert_eq!(target.values(), ["1", "2"]);
}

async fn a_sink_that_goes_back_keeps_what_was_durable_then(target: impl Target) {
    let mut sink = target.open(None).unwrap();
    sink.write(&with_dead_letter(values(&["1"]), "d1"))
        .await
        .unwrap();
    let before = sink.sync().await.unwrap();
    sink.write(&with_dead_letter(values(&["2", "3"]), "d2"))
        .await
        .unwrap();
    sink.sync().await.unwrap();
    sink.cut_back(&before).await.unwrap();
    sink.write(&values(&["4"])).await.unwrap();
    let state = sink.sync().await.unwrap();
    drop(sink);
    target.crash();
    drop(target.open(Some(&state)).unwrap());
    assert_eq!(target.values(), ["1", "4"]);
    assert_eq!(target.dead_letters(), ["d1"]);
}

async fn a_sink_that_went_back_stays_there_after_a_crash(target: impl Target) {
    let mut sink = target.open(None).unwrap();
    sink.write(&values(&["1"])).await.unwrap();
    let before = sink.sync().await.unwrap();
    sink.write(&values(&["2"])).await.unwrap();
    sink.sync().await.unwrap();
    sink.cut_back(&before).await.unwrap();
    drop(sink);
    target.crash();
    assert_eq!(target.values(), ["1"]);
}

async fn a_sync_without_news_gives_the_same_state(target: impl Target) {
    let mut sink = target.open(None).unwrap();
    let empty = sink.sync().await.unwrap();
    assert_eq!(sink.sync().await.unwrap(), empty);
    sink.write(&values(&["1"])).await.unwrap();
    let state = sink.sync().await.unwrap();
    assert_eq!(sink.sync().await.unwrap(), state);
    drop(sink);
    let mut sink = target.open(Some(&state)).unwrap();
    assert_eq!(sink.sync().await.unwrap(), state);
}

async fn the_first_state_describes_an_empty_place(target: impl Target) {
    let mut sink = target.open(None).unwrap();
    let first = sink.sync().await.unwrap();
    sink.write(&with_dead_letter(values(&["1"]), "d1"))
        .await
        .unwrap();
    sink.sync().await.unwrap();
    drop(sink);
    target.crash();
    drop(target.open(Some(&first)).unwrap());
    assert!(target.values().is_empty());
    assert!(target.dead_letters().is_empty());
}

async fn a_place_that_lost_durable_output_is_refused(target: impl Target) {
    let mut sink = target.open(None).unwrap();
    sink.write(&values(&["1"])).await.unwrap();
    let short = sink.sync().await.unwrap();
    sink.write(&values(&["2"])).await.unwrap();
    let long = sink.sync().await.unwrap();
    drop(sink);
    drop(target.open(Some(&short)).unwrap());
    let refused = target.open(Some(&long)).err().unwrap();
    assert!(
        matches!(&refused, SinkError::Shorter { length, cut, .. } if length < cut),
        "{refused}"
    );
    assert_eq!(target.values(), ["1"]);
}

async fn content_without_a_state_is_refused(target: impl Target) {
    let mut sink = target.open(None).unwrap();
    sink.write(&values(&["1"])).await.unwrap();
    sink.sync().await.unwrap();
    drop(sink);
    let refused = target.open(None).err().unwrap();
    assert!(matches!(refused, SinkError::NotEmpty { .. }), "{refused}");
    assert_eq!(target.values(), ["1"]);
}

async fn a_state_of_another_sink_is_refused(target: impl Target) {
    let foreign = acequia_host::sink::SinkState::new(r#"{"offsets":{"0":17}}"#);
    assert!(matches!(
        target.open(Some(&foreign)),
        Err(SinkError::State { .. })
    ));
}

macro_rules! conformance {
    ($name:ident, $target:expr) => {
        conformance!($name, $target,
            outputs_lie_in_the_order_of_acceptance,
            what_a_sync_covered_survives_a_crash,
            durable_output_that_no_checkpoint_describes_is_cut,
            a_resumed_sink_goes_on_after_the_cut,
            a_sink_that_goes_back_keeps_what_was_durable_then,
            a_sink_that_went_back_stays_there_after_a_crash,
            a_sync_without_news_gives_the_same_state,
            the_first_state_describes_an_empty_place,
            a_place_that_lost_durable_output_is_refused,
            content_without_a_state_is_refused,
            a_state_of_another_sink_is_refused,
        );
    };
    ($name:ident, $target:expr, $($promise:ident,)+) => {
        mod $name {
            use super::*;

            $(
                #[tokio::test(start_paused = true)]
                async fn $promise() {
                    super::$promise($target).await;
                }
            )+
        }
    };
}

conformance!(real_files, RealTarget::new());
conformance!(lossy_files, LossyTarget::default());
conformance!(memory, MemoryTarget::new());
conformance!(slow_memory, Delayed(MemoryTarget::new(), Fault::slow));
conformance!(
    held_and_released_memory,
    Delayed(MemoryTarget::new(), Fault::held_for_a_while)
);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_sink_works_on_a_runtime_of_several_threads() {
    outputs_lie_in_the_order_of_acceptance(RealTarget::new()).await;
}

#[test]
fn a_sink_can_move_between_threads() {
    fn movable<T: Send + ?Sized>() {}
    movable::<dyn Sink>();
}
