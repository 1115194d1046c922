//! Developer commands. `cargo xtask help` lists them.
//!
//! No dependencies: this builds in seconds on a fresh machine, and then does all other set-up
//! itself.
#![forbid(unsafe_code)]

mod bench;
mod demo;
mod guests;
mod soak;
mod steps;
mod test;
mod toolchain;

use std::process::ExitCode;

const HELP: &str = "\
cargo xtask demo [--emulator]   row changes through WASM guests as JSON lines
cargo xtask test                everything that CI runs
cargo xtask bench [--json] [--quick]
                                what a record costs: a table, or one JSON object
cargo xtask guests              the guest toolchain, the built-in and the test guests
cargo xtask soak [NAME...]      long twins of the tests, all or some; `soak help` lists them
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match arguments.as_slice() {
        ["demo"] => demo::show(demo::Service::Sandbox),
        ["demo", "--emulator"] => demo::show(demo::Service::Emulator),
        ["test"] => test::run_all(),
        ["soak", names @ ..] => soak::run_named(names),
        ["bench", options @ ..] if are_bench_options(options) => bench::measure(options),
        ["guests"] => guests::all(),
        ["help" | "--help" | "-h"] | [] => {
            print(HELP);
            return ExitCode::SUCCESS;
        }
        other => Err(format!("unknown: {}\n{HELP}", other.join(" "))),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            print(&format!("xtask: {reason}\n"));
            ExitCode::FAILURE
        }
    }
}

fn are_bench_options(options: &[&str]) -> bool {
    let known = |option: &&str| matches!(*option, "--json" | "--quick");
    options.iter().all(known)
}

#[allow(
    clippy::print_stderr,
    reason = "this is a command, and standard output is the demo's"
)]
fn print(text: &str) {
    eprint!("{text}");
}
