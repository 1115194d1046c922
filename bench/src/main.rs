//! `cargo xtask bench`: see the library for what is measured and how.
#![forbid(unsafe_code)]

use std::path::PathBuf;
use std::process::ExitCode;

use acequia_bench::client::{self, Kind};
use acequia_bench::server::{self, Load, Target};
use acequia_bench::service::{self, Service};
use acequia_bench::settings::Settings;
use acequia_bench::{Failed, latency, scheduler, shape, whole};
use acequia_sandbox::spanner::history::Pace;
use clap::{Parser, Subcommand};

/// Measures what a record costs.
#[derive(Debug, Parser)]
struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Measures everything.
    Run {
        /// Prints one JSON object instead of the table.
        #[arg(long)]
        json: bool,
        /// Takes about a minute, and fewer and shorter samples.
        #[arg(long)]
        quick: bool,
        /// Takes seconds: shows that everything works, and says nothing about speed.
        #[arg(long, conflicts_with = "quick")]
        tiny: bool,
        /// Rows in one message of Spanner; one of Bigtable always holds one mutation.
        #[arg(long, default_value_t = 1)]
        rows_per_frame: u32,
        /// Samples of each kind.
        #[arg(long)]
        rounds: Option<u32>,
    },
    /// The server process: serves a flood until its input is closed.
    Serve {
        #[arg(long, value_parser = service::parse)]
        service: Service,
        #[arg(long)]
        partitions: u32,
        #[arg(long, default_value_t = 1)]
        rows_per_frame: u32,
        /// Records of one partition, sent as fast as they are taken.
        #[arg(long, required_unless_present = "per_second")]
        records: Option<u32>,
        /// Records of one partition in a second, without an end.
        #[arg(long, conflicts_with = "records")]
        per_second: Option<f64>,
    },
    /// A client process: takes one sample of itself.
    Client {
        kind: Kind,
        #[arg(long)]
        cores: usize,
        #[arg(long, value_parser = target)]
        target: Target,
        #[arg(long)]
        folder: PathBuf,
    },
    /// A client process that looks at the stamps of a steady flood.
    Latency {
        #[arg(long)]
        seconds: u32,
        #[arg(long, value_parser = target)]
        target: Target,
        #[arg(long)]
        folder: PathBuf,
    },
    /// A process that runs the deserializer in WebAssembly and native.
    Shape {
        #[arg(long, value_parser = service::parse)]
        service: Service,
        #[arg(long)]
        rounds: u32,
        #[arg(long)]
        batches: u32,
        #[arg(long)]
        folder: PathBuf,
    },
    /// A process that runs schedulers of growing size.
    Scheduler {
        #[arg(long)]
        partitions_max: u32,
        #[arg(long)]
        events: u32,
    },
}

fn main() -> ExitCode {
    match act(Arguments::parse().action) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failed) => {
            complain(&failed);
            ExitCode::FAILURE
        }
    }
}

fn act(action: Action) -> Result<(), Failed> {
    match action {
        Action::Run {
            json,
            quick,
            tiny,
            rows_per_frame,
            rounds,
        } => {
            let size = match (quick, tiny) {
                (true, _) => Settings::QUICK,
                (false, true) => Settings::TINY,
                (false, false) => Settings::FULL,
            };
            let settings = Settings {
                rows_per_frame: rows_per_frame.max(1),
                rounds: rounds.unwrap_or(size.rounds).max(1),
                ..size
            };
            whole::run(settings, json)
        }
        Action::Serve {
            service,
            partitions,
            rows_per_frame,
            records,
            per_second,
        } => {
            let pace = match per_second {
                Some(per_second) => Pace::Steady { per_second },
                None => Pace::AtOnce {
                    records: records.unwrap_or_default(),
                },
            };
            server::serve(&Load {
                service,
                partitions,
                rows_per_frame,
                pace,
            })
        }
        Action::Client {
            kind,
            cores,
            target,
            folder,
        } => client::say(&client::sample(kind, cores, &target, &folder)?),
        Action::Latency {
            seconds,
            target,
            folder,
        } => client::say(&latency::measure(&target, seconds, &folder)?),
        Action::Shape {
            service,
            rounds,
            batches,
            folder,
        } => {
            let cache = folder.join("components");
            client::say(&shape::measure(service, rounds, batches, cache)?)
        }
        Action::Scheduler {
            partitions_max,
            events,
        } => client::say(&scheduler::measure(partitions_max, events)?),
    }
}

fn target(text: &str) -> Result<Target, serde_json::Error> {
    serde_json::from_str(text)
}

#[allow(clippy::print_stderr, reason = "standard output is the report's alone")]
fn complain(failed: &Failed) {
    eprintln!("bench: {failed}");
}
