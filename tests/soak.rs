//! Whether tests take their long form. Shared by the test binaries that have one.

use std::fmt::Display;
use std::io::{Write as _, stderr};
use std::ops::Mul;
use std::panic::Location;

/// Whether `ACEQUIA_SOAK=1` asks for the long twins, as `cargo xtask soak` does.
pub(crate) fn is_on() -> bool {
    std::env::var("ACEQUIA_SOAK").is_ok_and(|value| value == "1")
}

/// So many, or in the long twin `longer` times as many, which is said.
#[track_caller]
pub(crate) fn times<N: Mul<Output = N> + Copy + Display>(few: N, longer: N) -> N {
    if !is_on() {
        return few;
    }
    let many = few * longer;
    let line = format!("{}: {many} instead of {few}\n", Location::caller().file());
    stderr().write_all(line.as_bytes()).unwrap();
    many
}
