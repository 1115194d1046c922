//! Bigtable change streams as a connector.
#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    acequia_host::command::connector("bigtable-change-stream-source")
}
