//! The steps that every record goes through, one by one.
#![allow(
    missing_docs,
    clippy::expect_used,
    reason = "a benchmark that cannot be set up may panic; the macros document nothing"
)]

use acequia_bench::client::frames::{self, Plan};
use acequia_bench::scheduler::Table;
use acequia_bench::shape::{self, BATCH_RECORDS};
use acequia_decode::spanner::ChangeBatch;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// From frames to columns: with nothing kept, a record is walked as far as its table; with everything
/// kept, the members of its objects are cut; with one column removed, its objects are written anew.
fn frame_to_columns(criterion: &mut Criterion) {
    let frames = frames::of_records(BATCH_RECORDS).expect("the sandbox serves frames");
    let mut group = criterion.benchmark_group("frame_to_columns");
    group.throughput(Throughput::Elements(BATCH_RECORDS.into()));
    for (name, plan) in [
        ("walked", Plan::Nothing),
        ("members_cut", Plan::Everything),
        ("written_anew", Plan::AllButOne),
    ] {
        let mut batch = ChangeBatch::default();
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                batch.clear();
                frames::batch(&frames, plan, &mut batch).expect("the frames are good");
            });
        });
    }
    group.finish();
}

/// A batch into the JSON deserializer and its outputs back.
fn batch_to_guest(criterion: &mut Criterion) {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime starts");
    let batch = shape::batch().expect("the sandbox serves frames");
    let folder = tempfile::tempdir().expect("there is a folder");
    let guest = shape::guest(folder.path().to_owned());
    let mut guest = runtime.block_on(guest).expect("the guest starts");
    let mut group = criterion.benchmark_group("batch_to_guest");
    group.throughput(Throughput::Elements(BATCH_RECORDS.into()));
    group.bench_function("json", |bencher| {
        bencher.iter(|| {
            runtime
                .block_on(guest.deserialize(&batch))
                .expect("the guest answers")
        });
    });
    group.finish();
}

/// Records into the scheduler's ledger, and out of it when they are durable.
fn ledger(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("ledger");
    for records in [1, BATCH_RECORDS] {
        group.throughput(Throughput::Elements(records.into()));
        let mut table = Table::set(8);
        let mut turn = 0;
        group.bench_function(format!("deliveries_of_{records}"), |bencher| {
            bencher.iter(|| {
                table.delivered(turn, records.into());
                turn += 1;
            });
        });
    }
    group.finish();
}

criterion_group!(hot, frame_to_columns, batch_to_guest, ledger);
criterion_main!(hot);
