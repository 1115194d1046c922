//! The ratios, and what was aimed at.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{Figures, cpu, float, nothing, spread};
use crate::Failed;
use crate::client::Sample;
use crate::latency::Latencies;
use crate::rounds::{CUTTING, FILTERED, PIPELINE, PIPELINE_ON_TWO, PROST, RAW, Scenario};
use crate::spread::Spread;

const VS_PROST: &str = "pipeline_1core_vs_prost_drain";
const VS_RAW: &str = "pipeline_1core_vs_raw_drain";
const VS_RAW_ON_TWO: &str = "pipeline_2core_vs_raw_drain";
const WASM: &str = "wasm_vs_native_time";
const FILTERS: &str = "filters_cost";
/// What it adds to remove one column. Not a cost of filtering: of Spanner, each record is written
/// anew; of Bigtable, less is delivered.
const CUTTING_COST: &str = "cutting_cost";

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

impl Ratios {
    pub(super) fn of(spreads: &BTreeMap<&'static str, Spread>) -> Result<Self, Failed> {
        let median = |name| {
            let spread = spreads.get(name).map(|spread| spread.median);
            spread.ok_or_else(nothing)
        };
        Ok(Self {
            pipeline_1core_vs_prost_drain: median(VS_PROST)?,
            pipeline_1core_vs_raw_drain: median(VS_RAW)?,
            pipeline_2core_vs_raw_drain: median(VS_RAW_ON_TWO)?,
            wasm_vs_native_time: median(WASM)?,
            filters_cost: median(FILTERS)?,
        })
    }
}

/// Every ratio, round by round: a round's samples were taken close together.
pub(super) fn spreads(figures: &Figures) -> Result<BTreeMap<&'static str, Spread>, Failed> {
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

pub(super) fn aims(ratios: &Ratios, peak_memory_bytes: f64, latency: &Latencies) -> Vec<Aim> {
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

/// Time per record if both cores were the client's own, nanoseconds.
fn on_two_cores(sample: &Sample) -> f64 {
    let shared = float(sample.cpu_ns) / 2.0;
    shared.max(float(sample.busiest_thread_ns)) / float(sample.records)
}
