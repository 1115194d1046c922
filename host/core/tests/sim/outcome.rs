//! What a run showed.

use std::fmt;
use std::ops::AddAssign;

/// A rule that a run broke.
#[derive(Clone, Debug)]
pub(super) struct Failure {
    pub(super) seed: u64,
    pub(super) step: u64,
    pub(super) what: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { seed, step, what } = self;
        write!(formatter, "seed {seed}, step {step}: {what}")
    }
}

/// Counts over runs.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Totals {
    pub(super) seeds: u64,
    pub(super) steps: u64,
    pub(super) crashes: u64,
    /// Merges of the histories that were read to their end, and openings with several tokens.
    pub(super) merges: u64,
    /// Confirmations of the sink or the store that did not arrive.
    pub(super) lost_answers: u64,
    pub(super) saves: u64,
    pub(super) records: u64,
    pub(super) moves: u64,
    /// Tokens that were read for themselves.
    pub(super) reconciled: u64,
    /// Keys that were read again without a token.
    pub(super) tokenless: u64,
    pub(super) expiries: u64,
    pub(super) rewinds: u64,
    pub(super) drains: u64,
    pub(super) early_ends: u64,
    pub(super) stale: u64,
}

impl AddAssign for Totals {
    fn add_assign(&mut self, other: Self) {
        self.seeds += other.seeds;
        self.steps += other.steps;
        self.crashes += other.crashes;
        self.merges += other.merges;
        self.lost_answers += other.lost_answers;
        self.saves += other.saves;
        self.records += other.records;
        self.moves += other.moves;
        self.reconciled += other.reconciled;
        self.tokenless += other.tokenless;
        self.expiries += other.expiries;
        self.rewinds += other.rewinds;
        self.drains += other.drains;
        self.early_ends += other.early_ends;
        self.stale += other.stale;
    }
}

impl fmt::Display for Totals {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "{} seeds, {} steps, {} crashes, {} merges, {} lost answers, {} saves, {} records, \
             {} range moves, {} reconciled, {} without a token, {} expiries, {} rewinds, {} drains, {} early ends, {} stale deliveries",
            self.seeds,
            self.steps,
            self.crashes,
            self.merges,
            self.lost_answers,
            self.saves,
            self.records,
            self.moves,
            self.reconciled,
            self.tokenless,
            self.expiries,
            self.rewinds,
            self.drains,
            self.early_ends,
            self.stale,
        )
    }
}
