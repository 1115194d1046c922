//! The scheduler in its surroundings, and the time.

use std::collections::BTreeMap;
use std::time::Duration;

use acequia_core::{
    Event, First, Item, Limits, Now, PartitionId, ReadFailure, ReaderId, Scheduler, Start,
    Timestamp,
};
use jiff::SignedDuration;
use rand::rngs::Xoshiro256PlusPlus as Random;
use rand::{RngExt, SeedableRng};

use super::check;
use super::outcome::Totals;
use super::reference::Reference;
use super::service::{Clock, Query, tick_of};
use super::settings::Settings;
use super::sink::{Line, Sink};
use super::store::Store;
use super::transition::Transition;
use super::world::{TICK_MS, World, instant};

pub(super) struct Machine {
    pub(super) settings: Settings,
    pub(super) world: World,
    pub(super) limits: Limits,
    pub(super) scheduler: Scheduler,
    pub(super) readers: BTreeMap<ReaderId, Query>,
    pub(super) stale: Vec<(ReaderId, Vec<Item>)>,
    pub(super) sink: Sink,
    pub(super) store: Store,
    pub(super) reference: Reference,
    pub(super) totals: Totals,
    /// Whether a drain was asked for.
    pub(super) drained: bool,
    /// Whose position is expired, so that the host must answer.
    pub(super) expired: Option<PartitionId>,
    /// The last tick that is read, for now.
    pub(super) bound: Option<u64>,
    /// Whether the run is over.
    pub(super) done: bool,
    /// What the scheduler asked to be woken for.
    pub(super) timeout: Option<Duration>,
    /// Positions that the last check saw.
    pub(super) positions: BTreeMap<PartitionId, Timestamp>,
    pub(super) watermark: Timestamp,
    pub(super) random: Random,
    monotonic: Duration,
    wall_ms: u64,
}

impl Machine {
    pub(super) fn new(seed: u64, change: impl FnOnce(&mut Settings)) -> Self {
        let mut random = Random::seed_from_u64(seed);
        let mut settings = Settings::draw(&mut random);
        change(&mut settings);
        if settings.rows {
            settings.draw_rows(&mut random);
        }
        let world = World::draw(&settings, &mut random);
        Self::of(seed, settings, world, random)
    }

    /// With a history that is given.
    pub(super) fn of(seed: u64, settings: Settings, world: World, mut random: Random) -> Self {
        let limits = settings.limits(&world, &mut random);
        let start = settings.start(&world);
        let wall = if settings.lags {
            world.horizon + 5
        } else {
            start + 1
        };
        let bound = settings.bound(&world);
        let first_bound = settings.first_bound(&world);
        let mut machine = Self {
            scheduler: fresh(&limits, seed, start),
            reference: Reference::new(&world, start, bound, settings.cuts),
            settings,
            world,
            limits,
            readers: BTreeMap::new(),
            stale: Vec::new(),
            sink: Sink::default(),
            store: Store::default(),
            totals: Totals::default(),
            drained: false,
            expired: None,
            bound: first_bound,
            done: false,
            timeout: None,
            positions: BTreeMap::new(),
            watermark: Timestamp::MIN,
            random,
            monotonic: Duration::ZERO,
            wall_ms: wall * TICK_MS,
        };
        machine.break_if_asked();
        machine
    }

    pub(super) fn draw(&mut self) -> Transition {
        let mut random = self.random.clone();
        let transition = Transition::draw(self, &mut random);
        self.random = random;
        transition
    }

    pub(super) fn step(&mut self, transition: Transition) -> Result<(), String> {
        self.totals.steps += 1;
        let ms = self.random.random_range(0..=80);
        self.wait(ms);
        self.apply(transition)?;
        self.drain_outputs()?;
        check::after_step(self)
    }

    pub(super) fn may_end_early(&self, reader: &ReaderId) -> bool {
        let clock = self.clock();
        let query = self.readers.get(reader);
        query.is_some_and(|query| query.may_end_early(clock))
    }

    fn apply(&mut self, transition: Transition) -> Result<(), String> {
        match transition {
            Transition::Deliver { reader, count } => self.deliver(&reader, count)?,
            Transition::DeliverStale => self.deliver_stale(),
            Transition::Write { reader, count } => {
                for record in self.sink.write(&reader, count) {
                    self.reference.append(&self.world, Line::Record(record))?;
                }
            }
            Transition::Answer { joined } => {
                if let Some(answer) = self.sink.answer(joined) {
                    self.handle(Event::Durable {
                        acknowledged: answer.acknowledged,
                        sink_state: answer.state,
                    });
                }
            }
            Transition::Save { stored, confirmed } => self.resolve_save(stored, confirmed),
            Transition::Fail { reader, after_ms } => {
                let failure = ReadFailure::Retry {
                    after: (after_ms > 0).then(|| Duration::from_millis(after_ms)),
                    cause: "unavailable".to_owned(),
                };
                self.readers.remove(&reader);
                self.handle(Event::ReadFailed { reader, failure });
            }
            Transition::EndEarly { reader } => {
                self.totals.early_ends += 1;
                self.readers.remove(&reader);
                self.handle(Event::Ended { reader });
            }
            Transition::Crash { stored } => self.crash(stored)?,
            Transition::Rewind { stored, tick } => self.rewind(stored, tick)?,
            Transition::Drain => {
                self.drained = true;
                self.handle(Event::Drain);
            }
            Transition::Restart => self.restart()?,
            Transition::Wait { ms } => {
                self.wait(ms);
                self.handle(Event::Tick);
            }
        }
        Ok(())
    }

    pub(super) fn handle(&mut self, event: Event) {
        let now = self.now();
        self.scheduler.handle(event, now);
    }

    pub(super) fn wait(&mut self, ms: u64) {
        self.monotonic += Duration::from_millis(ms);
        self.wall_ms += ms;
    }

    /// Time until the scheduler wants to be woken, in milliseconds.
    pub(super) fn until_timeout(&self) -> Option<u64> {
        let left = self.timeout?.saturating_sub(self.monotonic);
        Some(u64::try_from(left.as_millis()).unwrap())
    }

    pub(super) fn now(&self) -> Now {
        let wall = instant(0) + SignedDuration::from_millis(i64::try_from(self.wall_ms).unwrap());
        Now {
            monotonic: self.monotonic,
            wall,
        }
    }

    pub(super) fn clock(&self) -> Clock {
        let wall = self.wall_ms / TICK_MS;
        let retention = u64::try_from(self.settings.retention().as_millis()).unwrap();
        Clock {
            wall,
            bound: self.bound,
            // A tick that is cut by the retention cannot be read.
            earliest: self.wall_ms.saturating_sub(retention).div_ceil(TICK_MS),
        }
    }

    /// The bound goes where it will stay.
    pub(super) fn move_bound(&mut self) {
        self.bound = self.settings.bound(&self.world);
        self.limits.bound = self.bound.map(instant);
    }

    /// For a person who looks at one seed.
    pub(super) fn describe(&self) -> String {
        let missing = self.reference.first_missing(&self.world);
        let mut text = format!(
            "wall tick {}, first missing tick {missing:?}\n",
            self.clock().wall
        );
        for view in self.scheduler.partitions() {
            text.push_str(&format!("{view:?}, at tick {}\n", tick_of(view.position)));
        }
        text.push_str(&format!(
            "bound {:?}, tilings {:?}\n",
            self.bound, self.world.tilings
        ));
        for partition in &self.world.partitions {
            text.push_str(&format!(
                "{} {}..{:?} after {:?}, announced by {:?}\n",
                partition.token,
                partition.start,
                partition.end,
                partition.parents,
                partition.announcer
            ));
        }
        text
    }

    pub(super) fn break_if_asked(&mut self) {
        if let Some(sabotage) = self.settings.sabotage {
            self.scheduler.sabotage(sabotage);
        }
    }

    /// The tick up to which everything is acknowledged.
    pub(super) fn watermark_tick(&self) -> u64 {
        tick_of(self.scheduler.watermark())
    }
}

pub(super) fn fresh(limits: &Limits, seed: u64, start: u64) -> Scheduler {
    let start = Start::Fresh {
        first: First::Root,
        at: instant(start),
        identity: BTreeMap::from([("source".to_owned(), "simulated".to_owned())]),
        sink_state: Sink::default().state(),
    };
    Scheduler::new(limits.clone(), seed, start)
}
