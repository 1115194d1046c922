//! What a replay made, and what it cost.

use std::fmt;
use std::time::Duration;

use crate::guest::About;

/// What is told at the end of a replay.
#[derive(Clone, Debug)]
pub struct Summary {
    /// The component.
    pub about: About,
    /// What went in and came out.
    pub counts: Counts,
    /// What the component took.
    pub cost: Cost,
    /// What its author should know of the values that came out, a line each.
    pub warnings: Vec<String>,
}

/// What went into a component and came out of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// How many were fed.
    pub fed: usize,
    /// What was fed.
    pub unit: Unit,
    /// Batches.
    pub batches: usize,
    /// Control records, which only a deserializer gets.
    pub controls: usize,
    /// Outputs of a deserializer, or what a filter lets through.
    pub passed: usize,
    /// Records that a deserializer failed on, or what a filter keeps back.
    pub failed: usize,
}

/// What a component is fed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unit {
    /// Records.
    #[default]
    Record,
    /// Names of tables, with their columns.
    Table,
    /// Names of column families, with their qualifiers.
    Family,
}

impl Unit {
    fn many(self) -> &'static str {
        match self {
            Self::Record => "records",
            Self::Table => "tables",
            Self::Family => "families",
        }
    }
}

/// What the calls into a component took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// Calls, those included that were made to find a record at fault and to configure the instance
    /// after it.
    pub calls: usize,
    /// Their time together.
    pub total: Duration,
    /// The time that half of the calls do not exceed.
    pub p50: Duration,
    /// The time that 99 of 100 calls do not exceed.
    pub p99: Duration,
    /// The most memory that one instance had, bytes.
    pub memory_bytes: u64,
    /// Calls that ended in a trap.
    pub traps: usize,
    /// Calls that ran into their time limit.
    pub timeouts: usize,
    /// Calls that ran into the memory limit.
    pub out_of_memory: usize,
}

/// Four lines for a person, and one for each warning.
impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            about,
            counts,
            cost,
            warnings,
        } = self;
        let pure = if about.pure { "pure" } else { "built for WASI" };
        let (name, version, world) = (&about.name, &about.version, about.world.name());
        writeln!(f, "{name} {version} ({world}, {pure})")?;
        writeln!(f, "{counts}")?;
        let seconds = cost.total.as_secs_f64();
        writeln!(
            f,
            "{} in {} calls: {} {} a second, {} each; a call takes {} (p50) and {} (p99)",
            time(seconds),
            cost.calls,
            rate(counts.fed, seconds),
            counts.unit.many(),
            time(each(seconds, counts.fed)),
            time(cost.p50.as_secs_f64()),
            time(cost.p99.as_secs_f64()),
        )?;
        write!(
            f,
            "{:.1} MiB of guest memory at the most; {} traps, {} calls out of time, {} out of memory",
            mebibytes(cost.memory_bytes),
            cost.traps,
            cost.timeouts,
            cost.out_of_memory,
        )?;
        warnings
            .iter()
            .try_for_each(|warning| write!(f, "\nwarning: {warning}"))
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.fed, self.unit.many())?;
        match self.batches {
            0 => {}
            1 => f.write_str(" in a batch")?,
            batches => write!(f, " in {batches} batches")?,
        }
        match self.controls {
            0 => {}
            1 => f.write_str(" and a control record")?,
            controls => write!(f, " and {controls} control records")?,
        }
        write!(f, ": {} came out, {} did not", self.passed, self.failed)
    }
}

/// Seconds in the unit that fits.
fn time(seconds: f64) -> String {
    match seconds {
        _ if seconds >= 1.0 => format!("{seconds:.2} s"),
        _ if seconds >= 1e-3 => format!("{:.2} ms", seconds * 1e3),
        _ => format!("{:.2} µs", seconds * 1e6),
    }
}

#[allow(
    clippy::cast_precision_loss,
    reason = "figures for people need no more than a float's precision"
)]
fn each(seconds: f64, count: usize) -> f64 {
    seconds / count.max(1) as f64
}

fn rate(count: usize, seconds: f64) -> String {
    format!("{:.0}", 1.0 / each(seconds.max(1e-9), count))
}

#[allow(
    clippy::cast_precision_loss,
    reason = "figures for people need no more than a float's precision"
)]
fn mebibytes(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}
