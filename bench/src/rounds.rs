//! The samples of all clients, taken in turn.

use std::path::Path;

use crate::Failed;
use crate::client::{self, Kind, Sample};
use crate::server::Target;

/// A client on so many cores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scenario {
    /// What its figures are called.
    pub name: &'static str,
    pub(crate) kind: Kind,
    pub(crate) cores: usize,
}

const fn scenario(name: &'static str, kind: Kind, cores: usize) -> Scenario {
    Scenario { name, kind, cores }
}

pub(crate) const RAW: Scenario = scenario("raw_drain_1core", Kind::Raw, 1);
pub(crate) const RAW_ON_TWO: Scenario = scenario("raw_drain_2core", Kind::Raw, 2);
pub(crate) const PROST: Scenario = scenario("prost_drain_1core", Kind::Prost, 1);
pub(crate) const PIPELINE: Scenario = scenario("pipeline_1core", Kind::Pipeline, 1);
pub(crate) const PIPELINE_ON_TWO: Scenario = scenario("pipeline_2core", Kind::Pipeline, 2);
pub(crate) const FILTERED: Scenario = scenario("pipeline_1core_filtered", Kind::Filtered, 1);
pub(crate) const CUTTING: Scenario = scenario("pipeline_1core_cutting", Kind::Cutting, 1);

/// Every client, in the order of a round. What is subtracted from another stands beside it.
pub const SCENARIOS: [Scenario; 7] = [
    RAW,
    PROST,
    PIPELINE,
    FILTERED,
    CUTTING,
    PIPELINE_ON_TWO,
    RAW_ON_TWO,
];

/// The samples of each scenario, round by round.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rounds(Vec<Vec<Sample>>);

impl Rounds {
    /// Takes them. One client of each kind goes before and is not counted: it fills the cache of
    /// compiled components.
    pub(crate) fn take(target: &Target, rounds: u32, folder: &Path) -> Result<Self, Failed> {
        client::spawn(Kind::Pipeline, 1, target, folder)?;
        client::spawn(Kind::Filtered, 1, target, folder)?;
        let mut taken = Vec::new();
        for round in 0..rounds {
            let sample =
                |scenario: &Scenario| client::spawn(scenario.kind, scenario.cores, target, folder);
            // Forth and back, so that nothing is always measured after the same other.
            let mut samples: Vec<(usize, Sample)> = Vec::new();
            for place in order(round) {
                if let Some(scenario) = SCENARIOS.get(place) {
                    samples.push((place, sample(scenario)?));
                }
            }
            samples.sort_by_key(|(place, _)| *place);
            taken.push(samples.into_iter().map(|(_, sample)| sample).collect());
        }
        Ok(Self(taken))
    }

    /// A figure of one scenario in every round.
    pub(crate) fn each<'a>(
        &'a self,
        of: Scenario,
        figure: impl Fn(&Sample) -> f64 + 'a,
    ) -> impl Iterator<Item = f64> + 'a {
        let place = SCENARIOS.iter().position(|scenario| *scenario == of);
        self.0
            .iter()
            .filter_map(move |samples| samples.get(place?))
            .map(figure)
    }
}

fn order(round: u32) -> Vec<usize> {
    let places = 0..SCENARIOS.len();
    if round.is_multiple_of(2) {
        places.collect()
    } else {
        places.rev().collect()
    }
}
