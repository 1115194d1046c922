//! What a process has used so far.

use std::collections::BTreeMap;
use std::fs;
use std::time::Instant;

use rustix::time::{ClockId, clock_gettime};
use serde::{Deserialize, Serialize};

use crate::Failed;
use crate::error::Of as _;

/// What one client process did and used.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
pub struct Sample {
    /// Records that it took.
    pub records: u64,
    /// From the first call to the end, nanoseconds.
    pub wall_ns: u64,
    /// CPU time of the whole process in that time, user and system, nanoseconds.
    pub cpu_ns: u64,
    /// CPU time of its busiest thread, nanoseconds.
    pub busiest_thread_ns: u64,
    /// The most memory that it had resident since its start, bytes.
    pub peak_memory_bytes: u64,
}

/// Measures this process from one moment to another.
pub(crate) struct Meter {
    began: Instant,
    cpu_ns: u64,
    threads: BTreeMap<String, u64>,
}

impl Meter {
    pub(crate) fn start() -> Self {
        Self {
            threads: threads(),
            cpu_ns: cpu_ns(),
            began: Instant::now(),
        }
    }

    pub(crate) fn stop(self, records: u64) -> Result<Sample, Failed> {
        let wall_ns = u64::try_from(self.began.elapsed().as_nanos()).unwrap_or(u64::MAX);
        let cpu_ns = cpu_ns().saturating_sub(self.cpu_ns);
        let used = threads().into_iter().map(|(thread, ns)| {
            let before = self.threads.get(&thread).copied().unwrap_or_default();
            ns.saturating_sub(before)
        });
        Ok(Sample {
            records,
            wall_ns,
            cpu_ns,
            busiest_thread_ns: used.max().unwrap_or(cpu_ns),
            peak_memory_bytes: peak_memory_bytes()?,
        })
    }
}

/// The same counter as that of `getrusage`, in nanoseconds.
fn cpu_ns() -> u64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    let ns = i128::from(time.tv_sec) * 1_000_000_000 + i128::from(time.tv_nsec);
    u64::try_from(ns).unwrap_or_default()
}

/// CPU time of each living thread, nanoseconds. Empty where the kernel does not keep it.
///
/// Source: Documentation/scheduler/sched-stats.rst, `/proc/<pid>/schedstat`, first field.
fn threads() -> BTreeMap<String, u64> {
    let Ok(tasks) = fs::read_dir("/proc/self/task") else {
        return BTreeMap::new();
    };
    let threads = tasks.flatten().filter_map(|task| {
        let text = fs::read_to_string(task.path().join("schedstat")).ok()?;
        let ns = text.split_whitespace().next()?.parse().ok()?;
        Some((task.file_name().to_string_lossy().into_owned(), ns))
    });
    threads.collect()
}

/// Source: proc_pid_status(5), `VmHWM`.
fn peak_memory_bytes() -> Result<u64, Failed> {
    const WHAT: &str = "the memory of the process";
    let status = fs::read_to_string("/proc/self/status").of(WHAT)?;
    let kib = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .and_then(|rest| rest.trim().strip_suffix(" kB"))
        .and_then(|kib| kib.trim().parse::<u64>().ok());
    kib.map(|kib| kib * 1024)
        .ok_or_else(|| Failed::new(WHAT, "/proc/self/status has no VmHWM"))
}
