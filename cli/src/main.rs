//! The `acequia` command.
#![forbid(unsafe_code)]

mod check;
mod new;
mod record;
mod replay;
mod sandbox;
mod schema;
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
    /// Tells whether a run would work, and what it would read. Nothing is changed.
    Check(check::Arguments),
    /// Prints the JSON Schema of a connector's YAML file, for editors.
    Schema(schema::Arguments),
    /// Keeps the batches that the components of a run would get, in a file.
    Record(record::Arguments),
    /// Feeds a recording to a component, and shows what comes out and what it costs.
    Replay(replay::Arguments),
    /// Writes the crate of a deserializer of your own: `acequia new deserializer NAME --source SOURCE`.
    New(new::Arguments),
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
        Action::Check(arguments) => command::block_on(check::check(arguments)),
        Action::Schema(arguments) => schema::print(&arguments),
        Action::Record(arguments) => command::block_on(record::record(arguments)),
        Action::Replay(arguments) => command::block_on(replay::run(arguments)),
        Action::New(arguments) => new::write(&arguments),
        Action::State(action) => command::block_on(state::carry_out(action)),
        Action::Sandbox(arguments) => command::block_on(sandbox::serve(arguments)),
    }
}
