//! `cargo xtask test`: what CI runs.

use crate::guests;
use crate::steps::{Done, Steps, cargo, run, target};
use crate::toolchain;

/// The guests and what they stand on: outside the default members, and tested natively by name.
const GUEST_CRATES: &[&str] = &[
    "acequia-guest",
    "acequia-bigtable-json-deserializer",
    "acequia-json",
    "acequia-rows-json-deserializer",
    "acequia-spanner-json-deserializer",
    "acequia-names-filter",
];

/// Crates without I/O: they must compile where there is none.
const SANS_IO: &[&str] = &["acequia-core", "acequia-decode"];

/// Runs everything, and prints how long each part took.
pub(crate) fn run_steps(steps: &mut Steps) -> Done {
    steps.run("guest toolchain", toolchain::ensure)?;
    steps.run("format", || run(cargo().args(["fmt", "--all", "--check"])))?;
    steps.run("build", || {
        run(cargo().args(["build", "--locked", "--all-targets"]))
    })?;
    steps.run("test guests", guests::test_guests)?;
    steps.run("tests", || {
        let mut test = cargo();
        test.env("ACEQUIA_TEST_GUESTS", target().join("test-guests"));
        run(test.args(["test", "--locked"]))
    })?;
    steps.run("guest tests", || {
        run(cargo()
            .args(["test", "--locked"])
            .args(packages(GUEST_CRATES)))
    })?;
    // Not by package: that would choose other features of what is compiled already.
    steps.run("feature otlp", || {
        run(cargo()
            .args(["test", "--locked", "--features", "acequia/otlp"])
            .args(["--test", "otlp"]))
    })?;
    steps.run("clippy", || {
        run(cargo()
            .args(["clippy", "--locked", "--all-targets"])
            .args(["--", "-D", "warnings"]))
    })?;
    steps.run("guest clippy", || {
        run(cargo()
            .args(["clippy", "--locked", "--all-targets"])
            .args(packages(GUEST_CRATES))
            .args(["--", "-D", "warnings"]))
    })?;
    steps.run("docs", || {
        let mut doc = cargo();
        doc.env("RUSTDOCFLAGS", "-D warnings");
        run(doc.args(["doc", "--locked", "--no-deps", "--document-private-items"]))
    })?;
    steps.run("sans-io crates for wasm32", || {
        let mut check = toolchain::wasm_cargo("check")?;
        check.args(packages(SANS_IO));
        check.arg("--target-dir").arg(target().join("wasm-check"));
        run(&mut check)
    })
}

pub(crate) fn run_all() -> Done {
    let mut steps = Steps::default();
    let done = run_steps(&mut steps);
    steps.print();
    done
}

fn packages(names: &[&str]) -> Vec<String> {
    names
        .iter()
        .flat_map(|name| ["-p".to_owned(), (*name).to_owned()])
        .collect()
}
