//! The `acequia` command.
#![forbid(unsafe_code)]

mod sandbox;
mod state;

use std::path::PathBuf;
use std::process::ExitCode;

use acequia_host::command;
use clap::{Parser, Subcommand};

/// Reads change streams and delivers them through WebAssembly components.
#[derive(Debug, Parser)]
#[command(version)]
struct Arguments {
    /// How log lines look.
    #[arg(long, global = true, value_enum, default_value_t)]
    log_format: command::LogFormat,
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Runs the connector of a YAML file, of whatever type it is.
    Run {
        /// The connector's YAML file.
        #[arg(long, short)]
        config: PathBuf,
    },
    /// Shows, exports or rewinds what a stopped connector has saved.
    #[command(subcommand)]
    State(state::Action),
    /// Starts a Spanner change-stream service in memory, for work without a network.
    Sandbox(sandbox::Arguments),
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    command::start_logging(arguments.log_format);
    match arguments.action {
        Action::Run { config } => command::block_on(command::run(&config, None)),
        Action::State(action) => command::block_on(state::carry_out(action)),
        Action::Sandbox(arguments) => command::block_on(sandbox::serve(arguments)),
    }
}
