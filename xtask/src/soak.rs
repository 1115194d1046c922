//! `cargo xtask soak`: the long twins of the tests that CI runs.
//!
//! They are the same tests. `ACEQUIA_SOAK=1` makes each do more, as often as `tests/soak.rs` is asked
//! for, so every one of them is bounded, and those of CI stay short.

use crate::guests;
use crate::steps::{Done, Steps, cargo, run, target};
use crate::toolchain;

/// Tests that are worth repeating for hours.
struct Soak {
    name: &'static str,
    what: &'static str,
    /// The test binary. Its package is not named: that would choose other features of what is compiled
    /// already.
    of: &'static str,
    /// The beginnings of the tests' paths.
    tests: &'static [&'static str],
}

const SOAKS: &[Soak] = &[
    Soak {
        name: "simulation",
        what: "random histories of the scheduler, with crashes and rewinds, and nonsense events",
        of: "scheduler",
        tests: &["sim::"],
    },
    Soak {
        name: "decode",
        what: "random streams against the generated types and serde_json",
        of: "it",
        tests: &[
            "spanner::property::",
            "spanner::objects::",
            "bigtable::property::",
        ],
    },
    Soak {
        name: "power",
        what: "power cuts at random calls of the file sink and the checkpoint store",
        of: "sinks",
        tests: &["power::"],
    },
    Soak {
        name: "guests",
        what: "traps, poison at random places, hostile components",
        of: "guest",
        tests: &["poison::", "hostile::"],
    },
    Soak {
        name: "sandbox",
        what: "the connector killed against the sandbox, and random histories drained",
        of: "product",
        tests: &[
            "end_to_end::restart::",
            "end_to_end::histories::",
            "end_to_end::bigtable::killed::",
            "end_to_end::spanner_batch::killed::",
        ],
    },
    Soak {
        name: "emulator",
        what: "the connector killed against the real emulator, where it is installed",
        of: "product",
        tests: &["emulator::killed::", "emulator::snapshot::"],
    },
];

/// Runs the soaks of these names, or all, and prints how long each took. One that fails does not keep
/// the next from running.
///
/// # Errors
///
/// A name that no soak has, or all that failed.
pub(crate) fn run_named(names: &[&str]) -> Done {
    if names == ["help"] {
        crate::print(&list());
        return Ok(());
    }
    let soaks = chosen(names)?;
    let mut steps = Steps::default();
    steps.run("guest toolchain", toolchain::ensure)?;
    steps.run("test guests", guests::test_guests)?;
    let failed: Vec<String> = soaks
        .into_iter()
        .filter_map(|soak| steps.run(soak.name, || run(&mut soak.command())).err())
        .collect();
    steps.print();
    if failed.is_empty() {
        Ok(())
    } else {
        Err(failed.join("\n"))
    }
}

fn chosen(names: &[&str]) -> Result<Vec<&'static Soak>, String> {
    if names.is_empty() {
        return Ok(SOAKS.iter().collect());
    }
    names
        .iter()
        .map(|name| {
            let found = SOAKS.iter().find(|soak| soak.name == *name);
            found.ok_or_else(|| format!("there is no soak {name:?}; there are\n{}", list()))
        })
        .collect()
}

fn list() -> String {
    SOAKS
        .iter()
        .map(|soak| format!("{:<12}{}\n", soak.name, soak.what))
        .collect()
}

impl Soak {
    fn command(&self) -> std::process::Command {
        let mut test = cargo();
        test.env("ACEQUIA_SOAK", "1")
            .env("ACEQUIA_TEST_GUESTS", target().join("test-guests"))
            .args(["test", "--locked", "--test", self.of])
            .args(["--", "--nocapture"])
            .args(self.tests);
        test
    }
}
