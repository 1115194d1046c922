//! `cargo xtask bench`: builds the bench in its own profile and runs it.

use std::process::Command;

use crate::steps::{Done, cargo, run, target};
use crate::toolchain;

/// What is measured is built as for a release where a record passes, and quickly elsewhere.
const PROFILE: &str = "bench-run";

const PACKAGE: &str = "acequia-bench";

/// Measures, and prints a table or, with `--json`, one object on standard output and nothing else.
pub(crate) fn measure(arguments: &[&str]) -> Done {
    toolchain::ensure()?;
    let mut build = cargo();
    build.args([
        "build",
        "--locked",
        "--profile",
        PROFILE,
        "--package",
        PACKAGE,
    ]);
    run(&mut build)?;
    run(Command::new(target().join(PROFILE).join(PACKAGE))
        .arg("run")
        .args(arguments))
}
