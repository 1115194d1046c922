//! Keeping a client to some of the machine's cores.

use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

use crate::Failed;
use crate::error::Of as _;

/// Leaves this process, and what it starts, `cores` of the cores that it may use: the last ones,
/// since the first serve the machine's interrupts. With fewer it keeps what it has.
///
/// # Errors
/// What the system answers.
pub fn keep_to(cores: usize) -> Result<(), Failed> {
    const WHAT: &str = "the cores of the process";
    let allowed = sched_getaffinity(None).of(WHAT)?;
    let mut kept = CpuSet::new();
    let own = (0..CpuSet::MAX_CPU)
        .rev()
        .filter(|cpu| allowed.is_set(*cpu));
    own.take(cores).for_each(|cpu| kept.set(cpu));
    sched_setaffinity(None, &kept).of(WHAT)
}
