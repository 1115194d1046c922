//! The steps that every record goes through, one by one.
#![allow(
    missing_docs,
    clippy::expect_used,
    reason = "a benchmark that cannot be set up may panic; the macros document nothing"
)]

use acequia_bench::client::frames::{self, Plan};
use acequia_bench::scheduler::Table;
use acequia_bench::service::{SERVICES, word};
use acequia_bench::shape::{self, BATCH_RECORDS};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

/// From frames to columns: with nothing kept, a record is walked as far as its names; with everything
/// kept, its members or entries are cut; with one column removed, the objects of a change record are
/// written anew and an entry of a mutation is passed over.
fn frame_to_columns(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("frame_to_columns");
    group.throughput(Throughput::Elements(BATCH_RECORDS.into()));
    for service in SERVICES {
        let frames = frames::of_records(service, BATCH_RECORDS).expect("the sandbox serves frames");
        for (name, plan) in [
            ("walked", Plan::Nothing),
            ("cut", Plan::Everything),
            ("one_removed", Plan::AllButOne),
        ] {
            let mut batch = frames::empty(service);
            group.bench_function(BenchmarkId::new(word(service), name), |bencher| {
                bencher.iter(|| {
                    frames::read(&frames, plan, &mut batch).expect("the frames are good");
                });
            });
        }
    }
    group.finish();
}

/// A batch into the JSON deserializer and its outputs back.
fn batch_to_guest(criterion: &mut Criterion) {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime starts");
    let folder = tempfile::tempdir().expect("there is a folder");
    let mut group = criterion.benchmark_group("batch_to_guest");
    group.throughput(Throughput::Elements(BATCH_RECORDS.into()));
    for service in SERVICES {
        let batch = shape::batch(service).expect("the sandbox serves frames");
        let guest = shape::guest(service, folder.path().to_owned());
        let mut guest = runtime.block_on(guest).expect("the guest starts");
        group.bench_function(BenchmarkId::new(word(service), "json"), |bencher| {
            bencher.iter(|| {
                runtime
                    .block_on(guest.deserialize(&batch))
                    .expect("the guest answers")
            });
        });
    }
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
