//! Snapshots of Spanner as a connector.
#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    acequia_host::command::connector("spanner-batch-source")
}
