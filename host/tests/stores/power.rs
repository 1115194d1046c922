//! A save on a machine that loses power at each of its calls: the earlier checkpoint or the new one, whole.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use acequia_host::checkpoint_store::{CheckpointStore, FileCheckpointStore, StoreError, Stored};
use acequia_host::files::Lossy;

use crate::targets::DIRECTORY;

fn open(disk: &Lossy) -> Result<FileCheckpointStore, StoreError> {
    FileCheckpointStore::open(Arc::new(disk.clone()), Path::new(DIRECTORY), "power")
}

fn stored(generation: u64, byte: u8) -> Stored {
    Stored {
        generation,
        bytes: vec![byte; 300],
    }
}

async fn save(store: &mut FileCheckpointStore, stored: &Stored) -> Result<(), StoreError> {
    store.save(stored.generation, &stored.bytes).await
}

#[tokio::test]
async fn a_save_that_loses_power_leaves_the_earlier_checkpoint_or_the_new_one() {
    let (earlier, later) = (stored(1, b'1'), stored(2, b'2'));
    let mut found = BTreeSet::new();
    for calls in 0..12 {
        for seed in 0..40 {
            let disk = Lossy::new();
            let mut store = open(&disk).unwrap();
            save(&mut store, &earlier).await.unwrap();
            disk.cut_power_after(calls);
            let confirmed = save(&mut store, &later).await.is_ok();
            drop(store);
            disk.crash(seed);
            let held = open(&disk).unwrap().load().await.unwrap().unwrap();
            assert!(
                held == later || (held == earlier && !confirmed),
                "{calls} calls, seed {seed}"
            );
            found.insert((confirmed, held.generation));
        }
    }
    assert_eq!(found, BTreeSet::from([(false, 1), (false, 2), (true, 2)]));
}

#[tokio::test]
async fn an_opening_that_loses_power_leaves_the_checkpoint() {
    let saved = stored(1, b'1');
    for calls in 0..16 {
        for seed in 0..40 {
            let disk = Lossy::new();
            save(&mut open(&disk).unwrap(), &saved).await.unwrap();
            disk.cut_power_after(calls);
            drop(open(&disk));
            disk.crash(seed);
            let held = open(&disk).unwrap().load().await.unwrap();
            assert_eq!(held.as_ref(), Some(&saved), "{calls} calls, seed {seed}");
        }
    }
}

#[tokio::test]
async fn a_clear_that_was_confirmed_stays_cleared() {
    for seed in 0..40 {
        let disk = Lossy::new();
        let mut store = open(&disk).unwrap();
        save(&mut store, &stored(1, b'1')).await.unwrap();
        store.clear().await.unwrap();
        drop(store);
        disk.crash(seed);
        assert_eq!(open(&disk).unwrap().load().await.unwrap(), None);
    }
}
