//! The promises of [`CheckpointStore`], once for every implementation.

use acequia_host::checkpoint_store::{
    CheckpointStore, Disposition, MemoryDirectory, StoreError, Stored,
};

use crate::faults::Fault;
use crate::targets::{Delayed, LossyTarget, RealTarget, Target};

fn stored(generation: u64, bytes: &[u8]) -> Option<Stored> {
    Some(Stored {
        generation,
        bytes: bytes.to_vec(),
    })
}

async fn a_new_store_holds_nothing(target: impl Target) {
    assert_eq!(target.open("a").unwrap().load().await.unwrap(), None);
}

async fn the_last_save_survives_a_crash(target: impl Target) {
    let mut store = target.open("a").unwrap();
    store.save(1, b"first").await.unwrap();
    store.save(5, b"second\n\0\xff").await.unwrap();
    assert_eq!(store.load().await.unwrap(), stored(5, b"second\n\0\xff"));
    drop(store);
    target.crash();
    assert_eq!(
        target.open("a").unwrap().load().await.unwrap(),
        stored(5, b"second\n\0\xff")
    );
}

async fn an_empty_checkpoint_is_not_the_same_as_none(target: impl Target) {
    target.open("a").unwrap().save(1, b"").await.unwrap();
    assert_eq!(
        target.open("a").unwrap().load().await.unwrap(),
        stored(1, b"")
    );
}

async fn an_older_generation_is_refused_also_after_a_restart(target: impl Target) {
    let mut store = target.open("a").unwrap();
    store.save(5, b"five").await.unwrap();
    assert!(matches!(
        store.save(4, b"four").await,
        Err(StoreError::Stale {
            given: 4,
            stored: 5
        })
    ));
    drop(store);
    target.crash();
    let mut store = target.open("a").unwrap();
    let refused = store.save(4, b"four").await.unwrap_err();
    assert!(matches!(
        refused,
        StoreError::Stale {
            given: 4,
            stored: 5
        }
    ));
    assert_eq!(refused.disposition(), Disposition::Fatal);
    assert_eq!(store.load().await.unwrap(), stored(5, b"five"));
}

async fn a_save_may_be_repeated_but_not_changed(target: impl Target) {
    let mut store = target.open("a").unwrap();
    store.save(5, b"five").await.unwrap();
    store.save(5, b"five").await.unwrap();
    assert!(matches!(
        store.save(5, b"other").await,
        Err(StoreError::Stale {
            given: 5,
            stored: 5
        })
    ));
    assert_eq!(store.load().await.unwrap(), stored(5, b"five"));
}

async fn a_cleared_store_starts_anew(target: impl Target) {
    let mut store = target.open("a").unwrap();
    store.clear().await.unwrap();
    store.save(5, b"five").await.unwrap();
    store.clear().await.unwrap();
    assert_eq!(store.load().await.unwrap(), None);
    drop(store);
    target.crash();
    let mut store = target.open("a").unwrap();
    assert_eq!(store.load().await.unwrap(), None);
    store.save(1, b"one").await.unwrap();
    assert_eq!(store.load().await.unwrap(), stored(1, b"one"));
}

async fn a_store_that_was_taken_over_changes_nothing(target: impl Target) {
    let mut first = target.open("first").unwrap();
    first.save(1, b"one").await.unwrap();
    target.lose_locks();
    let mut second = target.open("second").unwrap();
    let fenced = first.save(2, b"two").await.unwrap_err();
    assert_eq!(fenced.disposition(), Disposition::Fatal);
    assert!(
        matches!(&fenced, StoreError::Fenced { owner, theirs, ours } if owner == "second" && theirs > ours)
    );
    assert!(matches!(
        first.clear().await,
        Err(StoreError::Fenced { .. })
    ));
    assert_eq!(second.load().await.unwrap(), stored(1, b"one"));
    second.save(2, b"by the second").await.unwrap();
    assert!(matches!(
        first.save(3, b"three").await,
        Err(StoreError::Fenced { .. })
    ));
    assert_eq!(second.load().await.unwrap(), stored(2, b"by the second"));
}

macro_rules! conformance {
    ($name:ident, $target:expr) => {
        conformance!($name, $target,
            a_new_store_holds_nothing,
            the_last_save_survives_a_crash,
            an_empty_checkpoint_is_not_the_same_as_none,
            an_older_generation_is_refused_also_after_a_restart,
            a_save_may_be_repeated_but_not_changed,
            a_cleared_store_starts_anew,
            a_store_that_was_taken_over_changes_nothing,
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
conformance!(memory, MemoryDirectory::new());
conformance!(slow_memory, Delayed(MemoryDirectory::new(), Fault::slow));
conformance!(
    held_and_released_memory,
    Delayed(MemoryDirectory::new(), Fault::held_for_a_while)
);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_store_works_on_a_runtime_of_several_threads() {
    the_last_save_survives_a_crash(RealTarget::new()).await;
}

#[test]
fn a_store_can_move_between_threads() {
    fn movable<T: Send + ?Sized>() {}
    movable::<dyn CheckpointStore>();
}
