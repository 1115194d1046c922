//! Everything that can happen to the scheduler and what is around it.

use acequia_core::ReaderId;
use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus as Random;
use rand::seq::IteratorRandom;

use super::machine::Machine;
use super::service::tick_of;
use super::world::instant;

/// A run that is rewound for ever would never be complete.
const REWINDS_MAX: u64 = 3;

#[derive(Clone, Debug)]
pub(super) enum Transition {
    /// A stream says something.
    Deliver { reader: ReaderId, count: usize },
    /// Something that was on its way when its reader was closed arrives.
    DeliverStale,
    /// The sink writes.
    Write { reader: ReaderId, count: usize },
    /// The sink says what it wrote.
    Answer { joined: usize },
    /// The store resolves the outstanding save.
    Save { stored: bool, confirmed: bool },
    /// A stream fails; opening again may help.
    Fail { reader: ReaderId, after_ms: u64 },
    /// A stream ends cleanly before its end.
    EndEarly { reader: ReaderId },
    /// The process dies, perhaps while the store writes.
    Crash { stored: bool },
    /// The process dies, and what it stored is rewound.
    Rewind { stored: bool, tick: u64 },
    /// The process is asked to stop.
    Drain,
    /// The host answers that a position is expired.
    Restart,
    /// Time passes.
    Wait { ms: u64 },
}

impl Transition {
    /// Draws one that is possible.
    pub(super) fn draw(machine: &Machine, random: &mut Random) -> Self {
        let wait = Self::Wait {
            ms: random.random_range(0..=150),
        };
        let readable = machine
            .readers
            .iter()
            .filter(|(_, query)| !query.held)
            .map(|(reader, _)| reader.clone())
            .choose(random);
        let written = machine.sink.pending.keys().cloned().choose(random);
        let count = random.random_range(1..=machine.limits.delivery_records_max as usize);
        match random.random_range(0..1000) {
            0..400 => readable.map(|reader| Self::Deliver { reader, count }),
            400..600 => written.map(|reader| Self::Write { reader, count }),
            600..750 => (!machine.sink.answers.is_empty()).then(|| Self::Answer {
                joined: random.random_range(1..=3),
            }),
            750..860 => machine.store.asked.is_some().then(|| save(random)),
            860..870 => (!machine.stale.is_empty()).then_some(Self::DeliverStale),
            870..890 => readable.map(|reader| Self::Fail {
                reader,
                after_ms: random.random_range(0..=20) * 10,
            }),
            890..900 => readable
                .filter(|reader| machine.may_end_early(reader))
                .map(|reader| Self::EndEarly { reader }),
            900..912 => Some(Self::Crash {
                stored: random.random_bool(0.5),
            }),
            912..916 => (!machine.drained).then_some(Self::Drain),
            916..930 => machine.expired.is_some().then_some(Self::Restart),
            930..935 => Some(Self::Wait {
                ms: if machine.settings.expires {
                    35_000
                } else {
                    3_000
                },
            }),
            935..945 => Self::rewind(machine, random),
            _ => None,
        }
        .unwrap_or(wait)
    }

    /// To any tick that the watermark has passed, if the run is one that is rewound.
    pub(super) fn rewind(machine: &Machine, random: &mut Random) -> Option<Self> {
        if !machine.settings.rewinds || machine.totals.rewinds >= REWINDS_MAX {
            return None;
        }
        let (_, checkpoint) = machine.store.stored.as_ref()?;
        let passed = tick_of(checkpoint.watermark);
        let tick = machine.world.quiet_tick(random.random_range(0..=passed));
        (instant(tick) <= checkpoint.watermark).then(|| Self::Rewind {
            stored: random.random_bool(0.5),
            tick,
        })
    }
}

fn save(random: &mut Random) -> Transition {
    let (stored, confirmed) = match random.random_range(0..10) {
        0 | 1 => (true, false),
        2 => (false, false),
        _ => (true, true),
    };
    Transition::Save { stored, confirmed }
}
