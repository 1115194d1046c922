//! The client processes: each takes one sample of itself and prints it.

pub mod frames;
mod open;
pub mod pipeline;
pub mod prost;
pub mod raw;

use std::path::Path;
use std::process::{Command, Stdio};

use clap::ValueEnum;
use serde::Serialize;
use tokio::runtime::{Builder, Runtime};

use crate::config::Lists;
use crate::error::Of as _;
pub use crate::meter::Sample;
use crate::server::Target;
use crate::{Failed, cores};

const WHAT: &str = "a client";

/// What a client does with the records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ValueEnum)]
pub enum Kind {
    /// Keeps frames as bytes and drops them.
    Raw,
    /// Decodes frames into the generated types and drops them.
    Prost,
    /// The whole way, without lists of names.
    Pipeline,
    /// The whole way with lists that everything passes.
    Filtered,
    /// The whole way with a list that removes one column.
    Cutting,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::Raw => "raw",
            Self::Prost => "prost",
            Self::Pipeline => "pipeline",
            Self::Filtered => "filtered",
            Self::Cutting => "cutting",
        }
    }
}

/// The whole of a client process: takes a sample on as many cores, with as many worker threads.
///
/// # Errors
/// The client fails, or the sample cannot be taken.
pub fn sample(kind: Kind, cores: usize, target: &Target, folder: &Path) -> Result<Sample, Failed> {
    let runtime = runtime(cores)?;
    let sample = runtime.block_on(async {
        match kind {
            Kind::Raw => raw::drain(target).await,
            Kind::Prost => prost::drain(target).await,
            Kind::Pipeline => pipeline::run(target, folder, Lists::Without).await,
            Kind::Filtered => pipeline::run(target, folder, Lists::EverythingPasses).await,
            Kind::Cutting => pipeline::run(target, folder, Lists::OneColumnDoesNot).await,
        }
    });
    runtime.shutdown_background();
    sample
}

/// A sample of a part says nothing about the whole. What a partition says at its bound, a
/// heartbeat of Spanner or a close of Bigtable, counts too where it is a message like others.
fn complete(what: &'static str, found: u64, expected: u64) -> Result<(), Failed> {
    if found == expected {
        Ok(())
    } else {
        let why = format!("it took {found} of {expected}");
        Err(Failed::new(what, why))
    }
}

/// A runtime on `cores` of the machine's cores.
pub(crate) fn runtime(cores: usize) -> Result<Runtime, Failed> {
    cores::keep_to(cores)?;
    let mut builder = Builder::new_multi_thread();
    builder.worker_threads(cores).enable_all().build().of(WHAT)
}

/// Prints what a process measured, for the one that started it.
///
/// # Errors
/// It has no JSON.
#[allow(clippy::print_stdout, reason = "this is how a process answers")]
pub fn say(measured: &impl Serialize) -> Result<(), Failed> {
    println!("{}", serde_json::to_string(measured).of(WHAT)?);
    Ok(())
}

/// Starts a client process and waits for its sample.
pub(crate) fn spawn(
    kind: Kind,
    cores: usize,
    target: &Target,
    folder: &Path,
) -> Result<Sample, Failed> {
    let arguments = [
        "client".to_owned(),
        kind.name().to_owned(),
        format!("--cores={cores}"),
        format!("--target={}", serde_json::to_string(target).of(WHAT)?),
        format!("--folder={}", folder.display()),
    ];
    answer(&arguments, folder)
}

/// Runs this program with other arguments, and reads the JSON that it prints.
pub(crate) fn answer<T: serde::de::DeserializeOwned>(
    arguments: &[String],
    folder: &Path,
) -> Result<T, Failed> {
    let output = Command::new(std::env::current_exe().of(WHAT)?)
        .args(arguments)
        // The cache of compiled components is ours alone, and warm after the first client.
        .env("XDG_CACHE_HOME", folder.join("cache"))
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .of(WHAT)?;
    if !output.status.success() {
        let name = arguments.first().map_or("", String::as_str);
        return Err(Failed::new(
            WHAT,
            format!("{name} ended with {}", output.status),
        ));
    }
    serde_json::from_slice(&output.stdout).of(WHAT)
}
