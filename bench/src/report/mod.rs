//! Samples made into figures and ratios.

mod ratios;

use std::collections::BTreeMap;

use serde::Serialize;

use crate::Failed;
use crate::client::Sample;
use crate::latency::Latencies;
use crate::machine::Machine;
use crate::rounds::{PIPELINE_ON_TWO, Rounds, SCENARIOS, Scenario};
use crate::scheduler::Cost;
use crate::settings::Settings;
use crate::shape::Shaping;
use crate::spread::Spread;
use ratios::{Aim, Ratios};

/// What was measured with the stream of one service.
pub(crate) struct Figures {
    pub(crate) rounds: Rounds,
    pub(crate) shaping: Shaping,
    pub(crate) latency: Latencies,
    pub(crate) latency_per_second: f64,
}

/// The one object that `--json` prints. Spanner's figures are members of its own; Bigtable's have the
/// same names and are members of `bigtable`.
#[derive(Serialize)]
pub(crate) struct Report {
    #[serde(flatten)]
    pub(crate) spanner: Measured,
    pub(crate) bigtable: Measured,
    pub(crate) scheduler: Vec<Cost>,
    pub(crate) machine: Machine,
    pub(crate) settings: Settings,
    /// Where the file sink and the checkpoints were.
    pub(crate) folder: String,
}

/// The figures of one service.
#[derive(Serialize)]
pub(crate) struct Measured {
    pub(crate) ratios: Ratios,
    /// The same ratios round by round: the middle, the smallest and the largest.
    pub(crate) spreads: BTreeMap<&'static str, Spread>,
    pub(crate) aims: Vec<Aim>,
    pub(crate) clients: BTreeMap<&'static str, Client>,
    pub(crate) deserializer: Shaped,
    pub(crate) peak_memory_bytes: u64,
    pub(crate) added_latency: Latency,
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
    pub(crate) fn of(
        settings: Settings,
        folder: &str,
        spanner: &Figures,
        bigtable: &Figures,
        scheduler: Vec<Cost>,
    ) -> Result<Self, Failed> {
        Ok(Self {
            spanner: Measured::of(spanner)?,
            bigtable: Measured::of(bigtable)?,
            scheduler,
            machine: Machine::this(),
            settings,
            folder: folder.to_owned(),
        })
    }
}

impl Measured {
    fn of(figures: &Figures) -> Result<Self, Failed> {
        let spreads = ratios::spreads(figures)?;
        let ratios = Ratios::of(&spreads)?;
        let clients = SCENARIOS
            .iter()
            .map(|scenario| Ok((scenario.name, client(&figures.rounds, *scenario)?)))
            .collect::<Result<BTreeMap<_, _>, Failed>>()?;
        let peaks = figures
            .rounds
            .each(PIPELINE_ON_TWO, |sample| float(sample.peak_memory_bytes));
        let peak = spread(peaks)?;
        Ok(Self {
            aims: ratios::aims(&ratios, peak.max, &figures.latency),
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

fn cpu(sample: &Sample) -> f64 {
    float(sample.cpu_ns) / float(sample.records)
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
