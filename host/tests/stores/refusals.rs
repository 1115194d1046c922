//! The file store: what it refuses, by name and with a remedy, and that a refusal deletes nothing.

use std::fs;
use std::sync::Arc;

use acequia_host::checkpoint_store::{CheckpointStore, FileCheckpointStore, StoreError};
use acequia_host::files::RealFiles;

use crate::targets::{RealTarget, Target};

/// A directory with a checkpoint in it.
async fn saved() -> RealTarget {
    let target = RealTarget::new();
    target
        .open("orders")
        .unwrap()
        .save(1, b"one")
        .await
        .unwrap();
    target
}

/// Puts something in the place of the checkpoint and gives the refusal, after which it is still there.
async fn refused(content: impl Fn(Vec<u8>) -> Vec<u8>) -> StoreError {
    let target = saved().await;
    let path = target.directory().join("checkpoint");
    let content = content(fs::read(&path).unwrap());
    fs::write(&path, &content).unwrap();
    let error = target.open("orders").err().unwrap();
    assert_eq!(fs::read(&path).unwrap(), content);
    assert!(error.to_string().contains("state/checkpoint: "), "{error}");
    error
}

#[tokio::test]
async fn a_damaged_checkpoint_is_refused_with_a_remedy() {
    let changed = refused(|mut content| {
        content.pop();
        content
    })
    .await;
    assert!(matches!(changed, StoreError::Damaged { .. }), "{changed}");
    assert!(
        changed.to_string().contains("restore it from a copy"),
        "{changed}"
    );
    assert!(matches!(
        refused(|_| Vec::new()).await,
        StoreError::Damaged { .. }
    ));
}

#[tokio::test]
async fn a_checkpoint_of_a_later_program_is_refused_with_both_versions() {
    let newer = refused(|_| b"acequia-checkpoint 2\nwhatever a later version needs".to_vec()).await;
    assert!(
        matches!(
            newer,
            StoreError::Newer {
                version: 2,
                newest: 1,
                ..
            }
        ),
        "{newer}"
    );
}

#[tokio::test]
async fn a_file_of_another_program_is_refused() {
    let foreign = refused(|_| b"{\"offset\": 17}".to_vec()).await;
    assert!(matches!(foreign, StoreError::Foreign { .. }), "{foreign}");
}

#[tokio::test]
async fn an_epoch_in_the_place_of_a_checkpoint_is_refused() {
    let target = saved().await;
    let directory = target.directory();
    fs::copy(directory.join("epoch"), directory.join("checkpoint")).unwrap();
    assert!(matches!(
        target.open("orders"),
        Err(StoreError::Damaged { .. })
    ));
}

#[tokio::test]
async fn a_checkpoint_that_is_damaged_while_the_store_is_open_is_found_by_load() {
    let target = saved().await;
    let mut store = target.open("orders").unwrap();
    fs::write(
        target.directory().join("checkpoint"),
        b"acequia-checkpoint 1\n",
    )
    .unwrap();
    assert!(matches!(
        store.load().await,
        Err(StoreError::Damaged { .. })
    ));
}

#[test]
fn a_second_process_is_refused_with_the_owner_and_the_process_of_the_first() {
    let target = RealTarget::new();
    let first = target.open("orders").unwrap();
    let error = target.open("invoices").err().unwrap();
    assert!(matches!(error, StoreError::Locked { .. }), "{error}");
    let holder = format!("in use by orders (process {})", std::process::id());
    assert!(error.to_string().contains(&holder), "{error}");
    drop(first);
    assert!(target.open("invoices").is_ok());
}

#[tokio::test]
async fn the_epoch_grows_at_each_opening_even_when_its_file_is_gone() {
    let target = RealTarget::new();
    let open =
        || FileCheckpointStore::open(Arc::new(RealFiles), &target.directory(), "orders").unwrap();
    assert_eq!(open().epoch(), 1);
    let mut second = open();
    assert_eq!(second.epoch(), 2);
    second.save(1, b"one").await.unwrap();
    drop(second);
    fs::remove_file(target.directory().join("epoch")).unwrap();
    assert_eq!(open().epoch(), 3);
}

#[tokio::test]
async fn leftovers_of_a_dead_process_are_removed_and_other_files_are_not() {
    let target = saved().await;
    let directory = target.directory();
    for name in [
        "checkpoint.7-99.tmp",
        "epoch.7-99.tmp",
        "notes.tmp",
        "checkpoint.copy",
    ] {
        fs::write(directory.join(name), b"half").unwrap();
    }
    drop(target.open("orders").unwrap());
    let mut names: Vec<_> = fs::read_dir(&directory)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(
        names,
        [
            "LOCK",
            "checkpoint",
            "checkpoint.copy",
            "epoch",
            "notes.tmp"
        ]
    );
}

#[tokio::test]
async fn a_directory_that_is_gone_needs_a_person() {
    let target = saved().await;
    let mut store = target.open("orders").unwrap();
    fs::remove_dir_all(target.directory()).unwrap();
    let error = store.save(2, b"two").await.unwrap_err();
    assert_eq!(
        error.disposition(),
        acequia_host::checkpoint_store::Disposition::Fatal
    );
}
