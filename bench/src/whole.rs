//! The whole bench: every process in its turn, then the report.

use std::path::{Path, PathBuf};
use std::thread::available_parallelism;

use crate::client::answer;
use crate::error::Of as _;
use crate::latency::Latencies;
use crate::report::{Figures, Report};
use crate::rounds::{PIPELINE_ON_TWO, Rounds};
use crate::scheduler::Cost;
use crate::server::Server;
use crate::service::{Service, word};
use crate::settings::Settings;
use crate::shape::Shaping;
use crate::spread::Spread;
use crate::{Failed, table};

const WHAT: &str = "the bench";

/// The part of the top rate at which latencies are measured.
const LATENCY_SHARE: f64 = 0.1;

/// Measures everything and prints a table, or one JSON object and nothing else.
///
/// # Errors
/// A part fails.
pub fn run(settings: Settings, json: bool) -> Result<(), Failed> {
    let folder = tempfile::tempdir_in(memory_folder()).of(WHAT)?;
    let report = measure(settings, folder.path())?;
    let text = if json {
        serde_json::to_string_pretty(&report).of(WHAT)?
    } else {
        table::of(&report)
    };
    show(&text);
    Ok(())
}

fn measure(settings: Settings, folder: &Path) -> Result<Report, Failed> {
    let spanner = figures(Service::Spanner, &settings, folder)?;
    let bigtable = figures(Service::Bigtable, &settings, folder)?;
    note("the scheduler as partitions grow");
    let scheduler: Vec<Cost> = answer(
        &[
            "scheduler".to_owned(),
            format!("--partitions-max={}", settings.scheduler_partitions_max),
            format!("--events={}", settings.scheduler_events),
        ],
        folder,
    )?;
    let place = folder.display().to_string();
    Report::of(settings, &place, &spanner, &bigtable, scheduler)
}

fn figures(service: Service, settings: &Settings, folder: &Path) -> Result<Figures, Failed> {
    let name = word(service);
    note(&format!("{name}: the drains and the whole way, in rounds"));
    let rounds = rounds(service, settings, folder)?;
    note(&format!(
        "{name}: the deserializer, in WebAssembly and native"
    ));
    let shaping: Shaping = answer(
        &[
            "shape".to_owned(),
            format!("--service={}", word(service)),
            format!("--rounds={}", settings.rounds),
            format!("--batches={}", settings.shaped_batches),
            format!("--folder={}", folder.display()),
        ],
        folder,
    )?;
    note(&format!("{name}: the added latency"));
    let latency_per_second = top_rate(&rounds)? * LATENCY_SHARE;
    Ok(Figures {
        latency: latency(service, settings, latency_per_second, folder)?,
        rounds,
        shaping,
        latency_per_second,
    })
}

fn rounds(service: Service, settings: &Settings, folder: &Path) -> Result<Rounds, Failed> {
    let records = format!("--records={}", settings.records_per_partition);
    let server = serve(service, settings, records)?;
    Rounds::take(&server.target, settings.rounds, folder)
}

fn latency(
    service: Service,
    settings: &Settings,
    per_second: f64,
    folder: &Path,
) -> Result<Latencies, Failed> {
    let per_partition = per_second / f64::from(settings.partitions.max(1));
    let server = serve(service, settings, format!("--per-second={per_partition}"))?;
    let arguments = [
        "latency".to_owned(),
        format!("--seconds={}", settings.latency_seconds),
        format!(
            "--target={}",
            serde_json::to_string(&server.target).of(WHAT)?
        ),
        format!("--folder={}", folder.display()),
    ];
    answer(&arguments, folder)
}

fn serve(service: Service, settings: &Settings, pace: String) -> Result<Server, Failed> {
    let rows_per_frame = match service {
        Service::Spanner => settings.rows_per_frame,
        Service::Bigtable => 1,
    };
    Server::spawn(&[
        format!("--service={}", word(service)),
        format!("--partitions={}", settings.partitions),
        format!("--rows-per-frame={rows_per_frame}"),
        pace,
    ])
}

/// Records a second of the whole way by the wall clock, on two cores or what the machine has.
#[allow(
    clippy::cast_precision_loss,
    reason = "counts of a short time fit a float"
)]
fn top_rate(rounds: &Rounds) -> Result<f64, Failed> {
    let rates = rounds.each(PIPELINE_ON_TWO, |sample| {
        sample.records as f64 * 1e9 / sample.wall_ns.max(1) as f64
    });
    Spread::of(rates)
        .map(|rates| rates.median)
        .ok_or_else(|| Failed::new(WHAT, "there was no round"))
}

/// Files go to memory where the system has such a place: the bench is not about disks.
fn memory_folder() -> PathBuf {
    let shared = PathBuf::from("/dev/shm");
    if shared.is_dir() {
        shared
    } else {
        std::env::temp_dir()
    }
}

#[allow(clippy::print_stderr, reason = "standard output is the report's alone")]
fn note(text: &str) {
    let cores = available_parallelism().map_or(1, std::num::NonZero::get);
    eprintln!("bench ({cores} cores): {text}");
}

#[allow(clippy::print_stdout, reason = "this is the command's output")]
fn show(text: &str) {
    println!("{text}");
}
