//! A run on a machine that loses power at any call: sink and checkpoint store together.
//!
//! Numbered lines are written. After each restart the files hold exactly the lines before the checkpoint
//! that was found, and that checkpoint is the last one confirmed or one whose answer was lost.

mod careless;
mod machine;

use std::io::{Write as _, stderr};
use std::sync::Arc;

use acequia_host::files::{Files, Lossy};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use self::careless::{Careless, Step};
use self::machine::{DATA, Machine, STATE, Totals};
use crate::soak;

#[derive(Clone, Debug)]
enum Op {
    Write {
        lines: usize,
        dead_letter: bool,
    },
    Sync,
    SyncAndSave,
    /// The power fails after so many more calls; the machine comes back when the process notices.
    CutPowerAfter {
        calls: u64,
        seed: u64,
    },
    Crash {
        seed: u64,
    },
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

#[test]
fn nothing_is_lost_and_nothing_doubled_whenever_the_power_fails() {
    let totals = Totals::default();
    let config = Config {
        cases: soak::times(2_000, 20),
        ..Config::default()
    };
    check(config, &totals, |disk| Arc::new(disk.clone())).unwrap_or_else(|error| panic!("{error}"));
    writeln!(stderr(), "{totals:?}").unwrap();
    assert!(totals.restarts.get() > 10_000 && totals.failed_restarts.get() > 300);
    assert!(totals.tails_cut.get() > 1_000 && totals.answers_lost.get() > 300);
}

#[test]
fn a_step_left_out_is_found() {
    let config = Config {
        cases: 300,
        max_shrink_iters: 0,
        ..Config::default()
    };
    for (directory, step) in [
        (DATA, Step::Sync),
        (DATA, Step::SyncDir),
        (DATA, Step::Truncate),
        (STATE, Step::Sync),
        (STATE, Step::SyncDir),
    ] {
        let careless = |disk: &Lossy| -> Arc<dyn Files> {
            Arc::new(Careless {
                files: disk.clone(),
                directory,
                left_out: step,
            })
        };
        let outcome = check(config.clone(), &Totals::default(), careless);
        assert!(
            outcome.is_err(),
            "{step:?} left out in {directory}, and nobody noticed"
        );
    }
}

fn check(
    config: Config,
    totals: &Totals,
    files: impl Fn(&Lossy) -> Arc<dyn Files>,
) -> Result<(), String> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    let config = Config {
        failure_persistence: None,
        ..config
    };
    let mut runner =
        TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let outcome = runner.run(&prop::collection::vec(op(), 1..40), |ops| {
        let disk = Lossy::new();
        runtime.block_on(Machine::new(&disk, files(&disk), totals).run(&ops))
    });
    outcome.map_err(|error| error.to_string())
}
