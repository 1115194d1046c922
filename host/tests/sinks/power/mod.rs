//! A run on a machine that loses power at any call: sink and checkpoint store together.
//!
//! Numbered lines are written. After each restart the files hold exactly the lines before the checkpoint
//! that was found, and that checkpoint is the last one confirmed or one whose answer was lost.

mod careless;
mod machine;

use std::sync::Arc;

use acequia_host::files::{Files, Lossy};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use self::careless::{Careless, Skip};
use self::machine::{Machine, Totals};

#[derive(Clone, Debug)]
enum Op {
    Write { lines: usize, dead_letter: bool },
    Sync,
    SyncAndSave,
    /// The power fails after so many more calls; the machine comes back when the process notices.
    CutPowerAfter { calls: u64, seed: u64 },
    Crash { seed: u64 },
    Kill,
}

fn op() -> impl Strategy<Value = Op> {
    prop_oneof![
        4 => (0usize..4, any::<bool>()).prop_map(|(lines, dead_letter)| Op::Write { lines, dead_letter }),
        1 => Just(Op::Sync),
        3 => Just(Op::SyncAndSave),
        2 => (0u64..24, any::<u64>()).prop_map(|(calls, seed)| Op::CutPowerAfter { calls, seed }),
        1 => any::<u64>().prop_map(|seed| Op::Crash { seed }),
        1 => Just(Op::Kill),
    ]
}

fn check(cases: u32, totals: &Totals, files: impl Fn(&Lossy) -> Arc<dyn Files>) -> Result<(), String> {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let outcome = runner.run(&prop::collection::vec(op(), 1..40), |ops| {
        let disk = Lossy::new();
        runtime.block_on(Machine::new(&disk, files(&disk), totals).run(&ops))
    });
    outcome.map_err(|error| error.to_string())
}

#[test]
fn nothing_is_lost_and_nothing_doubled_whenever_the_power_fails() {
    let totals = Totals::default();
    check(3_000, &totals, |disk| Arc::new(disk.clone())).unwrap_or_else(|error| panic!("{error}"));
    let Totals { restarts, failed_restarts, tails_cut, answers_lost } = &totals;
    let (restarts, failed, cut, lost) = (restarts.get(), failed_restarts.get(), tails_cut.get(), answers_lost.get());
    println!("{restarts} restarts, {failed} of them failed; {cut} tails cut, {lost} answers of saves lost");
    assert!(restarts > 10_000 && failed > 300 && cut > 1_000 && lost > 300);
}

#[test]
fn a_step_left_out_is_found() {
    for skip in [Skip::Sync, Skip::SyncDir, Skip::Truncate] {
        let outcome = check(300, &Totals::default(), |disk| Arc::new(Careless(disk.clone(), skip)));
        assert!(outcome.is_err(), "{skip:?} left out, and nobody noticed");
    }
}
