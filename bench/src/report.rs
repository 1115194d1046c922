//! Samples made into figures and ratios.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::Failed;
use crate::client::Sample;
use crate::latency::Latencies;
use crate::machine::Machine;
use crate::rounds::{
    CUTTING, FILTERED, PIPELINE, PIPELINE_ON_TWO, PROST, RAW, Rounds, SCENARIOS, Scenario,
};
use crate::scheduler::Cost;
use crate::settings::Settings;
use crate::shape::Shaping;
use crate::spread::Spread;

/// Everything that was measured.
pub(crate) struct Figures {
    pub(crate) rounds: Rounds,
    pub(crate) shaping: Shaping,
    pub(crate) scheduler: Vec<Cost>,
    pub(crate) latency: Latencies,
    pub(crate) latency_per_second: f64,
}

/// The one object that `--json` prints.
#[derive(Serialize)]
pub(crate) struct Report {
    pub(crate) ratios: Ratios,
    /// The same ratios round by round: the middle, the smallest and the largest.
    pub(crate) spreads: BTreeMap<&'static str, Spread>,
    pub(crate) aims: Vec<Aim>,
    pub(crate) clients: BTreeMap<&'static str, Client>,
    pub(crate) deserializer: Shaped,
    pub(crate) peak_memory_bytes: u64,
    pub(crate) added_latency: Latency,
    pub(crate) scheduler: Vec<Cost>,
    pub(crate) machine: Machine,
    pub(crate) settings: Settings,
    /// Where the file sink and the checkpoints were.
    pub(crate) folder: String,
}

/// The middle of each ratio.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Ratios {
    /// CPU time per record of the prost drain over that of the whole way.
    pub(crate) pipeline_1core_vs_prost_drain: f64,
    /// CPU time per record of the raw drain over that of the whole way.
    pub(crate) pipeline_1core_vs_raw_drain: f64,
    /// The same against the whole way's time on two cores: half of its CPU time, or that of its
    /// busiest thread where that is more. The raw drain has one connection, so one core.
    pub(crate) pipeline_2core_vs_raw_drain: f64,
    /// Time per record of the deserializer in WebAssembly over the same code native.
    pub(crate) wasm_vs_native_time: f64,
    /// CPU time per record that lists of names add, as a part of the whole way's.
    pub(crate) filters_cost: f64,
}

/// What was aimed at, and whether it was met.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Aim {
    pub(crate) of: &'static str,
    pub(crate) aim: String,
    pub(crate) measured: f64,
    pub(crate) met: bool,
}

/// The figures of one kind of client.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Client {
    pub(crate) cpu_ns_per_record: Spread,
    pub(crate) busiest_thread_ns_per_record: Spread,
    pub(crate) records_per_second: Spread,
    pub(crate) peak_memory_bytes: Spread,
}

/// The figures of the deserializer.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Shaped {
    pub(crate) wasm_ns_per_record: Spread,
    pub(crate) native_ns_per_record: Spread,
    /// Bytes of one record on the wire, with its message.
    pub(crate) frame_bytes: u64,
    pub(crate) value_bytes: u64,
}

/// The added latency and the rate that it was measured at.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Latency {
    pub(crate) records_per_second: f64,
    #[serde(flatten)]
    pub(crate) latencies: Latencies,
}

impl Report {
    pub(crate) fn of(settings: Settings, folder: &str, figures: &Figures) -> Result<Self, Failed> {
        let spreads = spreads(figures)?;
        let ratios = ratios(&spreads)?;
        let clients = SCENARIOS
            .iter()
            .map(|scenario| Ok((scenario.name, client(&figures.rounds, *scenario)?)))
            .collect::<Result<BTreeMap<_, _>, Failed>>()?;
        let peaks = figures
            .rounds
            .each(PIPELINE_ON_TWO, |sample| float(sample.peak_memory_bytes));
        let peak = spread(peaks)?;
        Ok(Self {
            aims: aims(&ratios, peak.max, &figures.latency),
            ratios,
            spreads,
            clients,
            deserializer: Shaped {
                wasm_ns_per_record: spread(figures.shaping.wasm_ns.iter().copied())?,
                native_ns_per_record: spread(figures.shaping.native_ns.iter().copied())?,
                frame_bytes: figures.shaping.frame_bytes,
                value_bytes: figures.shaping.value_bytes,
            },
            peak_memory_bytes: whole(peak.max),
            added_latency: Latency {
                records_per_second: figures.latency_per_second,
                latencies: figures.latency,
            },
            scheduler: figures.scheduler.clone(),
            machine: Machine::this(),
            settings,
            folder: folder.to_owned(),
        })
    }
}

fn client(rounds: &Rounds, of: Scenario) -> Result<Client, Failed> {
    Ok(Client {
        cpu_ns_per_record: spread(rounds.each(of, cpu))?,
        busiest_thread_ns_per_record: spread(rounds.each(of, |sample| {
            float(sample.busiest_thread_ns) / float(sample.records)
        }))?,
        records_per_second: spread(rounds.each(of, |sample| {
            float(sample.records) * 1e9 / float(sample.wall_ns.max(1))
        }))?,
        peak_memory_bytes: spread(rounds.each(of, |sample| float(sample.peak_memory_bytes)))?,
    })
}

/// Every ratio, round by round: a round's samples were taken close together.
fn spreads(figures: &Figures) -> Result<BTreeMap<&'static str, Spread>, Failed> {
    let rounds = &figures.rounds;
    let over = |above: Scenario, below: Scenario, below_of: fn(&Sample) -> f64| {
        let pairs = rounds.each(above, cpu).zip(rounds.each(below, below_of));
        spread(pairs.map(|(above, below)| above / below))
    };
    let added = |by: Scenario| {
        let pairs = rounds.each(by, cpu).zip(rounds.each(PIPELINE, cpu));
        spread(pairs.map(|(with, without)| with / without - 1.0))
    };
    let shaping = &figures.shaping;
    let pairs = shaping.wasm_ns.iter().zip(&shaping.native_ns);
    Ok(BTreeMap::from([
        (VS_PROST, over(PROST, PIPELINE, cpu)?),
        (VS_RAW, over(RAW, PIPELINE, cpu)?),
        (VS_RAW_ON_TWO, over(RAW, PIPELINE_ON_TWO, on_two_cores)?),
        (WASM, spread(pairs.map(|(wasm, native)| wasm / native))?),
        (FILTERS, added(FILTERED)?),
        (CUTTING_COST, added(CUTTING)?),
    ]))
}

const VS_PROST: &str = "pipeline_1core_vs_prost_drain";
const VS_RAW: &str = "pipeline_1core_vs_raw_drain";
const VS_RAW_ON_TWO: &str = "pipeline_2core_vs_raw_drain";
const WASM: &str = "wasm_vs_native_time";
const FILTERS: &str = "filters_cost";
/// What it adds to remove one column of ten. Not a cost of filtering: each record is written anew.
const CUTTING_COST: &str = "cutting_cost";

fn ratios(spreads: &BTreeMap<&'static str, Spread>) -> Result<Ratios, Failed> {
    let median = |name| {
        let spread = spreads.get(name).map(|spread| spread.median);
        spread.ok_or_else(nothing)
    };
    Ok(Ratios {
        pipeline_1core_vs_prost_drain: median(VS_PROST)?,
        pipeline_1core_vs_raw_drain: median(VS_RAW)?,
        pipeline_2core_vs_raw_drain: median(VS_RAW_ON_TWO)?,
        wasm_vs_native_time: median(WASM)?,
        filters_cost: median(FILTERS)?,
    })
}

fn aims(ratios: &Ratios, peak_memory_bytes: f64, latency: &Latencies) -> Vec<Aim> {
    let at_least = |of, aim: f64, measured: f64| Aim {
        of,
        aim: format!("at least {aim}"),
        measured,
        met: measured >= aim,
    };
    let at_most = |of, aim: f64, measured: f64| Aim {
        of,
        aim: format!("at most {aim}"),
        measured,
        met: measured <= aim,
    };
    let mib = peak_memory_bytes / f64::from(1 << 20);
    vec![
        at_least(VS_PROST, 2.0, ratios.pipeline_1core_vs_prost_drain),
        at_least(VS_RAW, 0.5, ratios.pipeline_1core_vs_raw_drain),
        at_least(VS_RAW_ON_TWO, 0.8, ratios.pipeline_2core_vs_raw_drain),
        at_most(WASM, 2.5, ratios.wasm_vs_native_time),
        at_most(FILTERS, 0.01, ratios.filters_cost),
        at_most("peak memory, MiB", 64.0, mib),
        at_most("added latency, p99, ms", 10.0, float(latency.p99_us) / 1e3),
    ]
}

fn cpu(sample: &Sample) -> f64 {
    float(sample.cpu_ns) / float(sample.records)
}

/// Time per record if both cores were the client's own, nanoseconds.
fn on_two_cores(sample: &Sample) -> f64 {
    let shared = float(sample.cpu_ns) / 2.0;
    shared.max(float(sample.busiest_thread_ns)) / float(sample.records)
}

fn spread(samples: impl IntoIterator<Item = f64>) -> Result<Spread, Failed> {
    Spread::of(samples).ok_or_else(nothing)
}

fn nothing() -> Failed {
    Failed::new("the report", "a figure has no sample")
}

#[allow(
    clippy::cast_precision_loss,
    reason = "a figure for people needs no more than a float's precision"
)]
fn float(count: u64) -> f64 {
    count as f64
}

#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "it was a count before it was a float"
)]
fn whole(float: f64) -> u64 {
    float as u64
}
