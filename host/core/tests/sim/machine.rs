//! The scheduler in its surroundings: carries transitions and commands out.

use std::collections::BTreeMap;
use std::time::Duration;

use acequia_core::{
    Command, Event, Item, Limits, Now, Output, PartitionId, ReadFailure, ReaderId, Resume,
    SaveFailure, Scheduler, Seq, Start, Timestamp,
};
use jiff::SignedDuration;
use rand::rngs::Xoshiro256PlusPlus as Random;
use rand::{RngExt, SeedableRng};

use super::check;
use super::outcome::Totals;
use super::reference::Reference;
use super::service::{Answer, Clock, Query, tick_of};
use super::settings::Settings;
use super::sink::{Line, Sink, length};
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
    /// Whether the host must answer that a position is expired.
    pub(super) expired: bool,
    /// Whether the run is over.
    pub(super) done: bool,
    /// What the scheduler asked to be woken for.
    pub(super) timeout: Option<Duration>,
    /// Positions that the last check saw.
    pub(super) positions: BTreeMap<PartitionId, Timestamp>,
    pub(super) watermark: Timestamp,
    random: Random,
    monotonic: Duration,
    wall_ms: u64,
}

impl Machine {
    pub(super) fn new(seed: u64, change: impl FnOnce(&mut Settings)) -> Self {
        let mut random = Random::seed_from_u64(seed);
        let mut settings = Settings::draw(&mut random);
        change(&mut settings);
        let world = World::draw(&settings, &mut random);
        let limits = settings.limits(&world, &mut random);
        let start = settings.start(&world);
        let wall = if settings.lags {
            world.horizon + 5
        } else {
            start + 1
        };
        let bound = settings.bound(&world);
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
            expired: false,
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
        let past_bound = self.settings.bound(&self.world);
        past_bound.is_none_or(|bound| self.clock().wall <= bound)
            && self.readers.get(reader).is_some_and(Query::may_end_early)
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

    fn deliver(&mut self, reader: &ReaderId, count: usize) -> Result<(), String> {
        let clock = self.clock();
        let Some(query) = self.readers.get_mut(reader) else {
            return Err(format!("{reader} is not open"));
        };
        match query.next(&self.world, clock, count, &mut self.random) {
            Answer::Items(items) => self.take(reader, items),
            Answer::Ended => {
                self.readers.remove(reader);
                self.handle(Event::Ended {
                    reader: reader.clone(),
                });
            }
            Answer::Failed(failure) => {
                self.readers.remove(reader);
                let reader = reader.clone();
                self.handle(Event::ReadFailed { reader, failure });
            }
            Answer::Nothing => self.handle(Event::Tick),
        }
        Ok(())
    }

    /// What a driver does with items: outputs go to the sink, all goes to the scheduler.
    fn take(&mut self, reader: &ReaderId, items: Vec<(Item, Option<usize>)>) {
        let current = self.scheduler.is_current(reader);
        if let (true, Some(query)) = (current, self.readers.get_mut(reader)) {
            for (item, record) in &items {
                let seq = Seq::new(query.next_seq);
                query.next_seq += 1;
                if let (Item::Record { outputs: true, .. }, Some(record)) = (item, record) {
                    self.sink.accept(reader, seq, *record);
                }
            }
        }
        self.handle(Event::Delivered {
            reader: reader.clone(),
            items: items.into_iter().map(|(item, _)| item).collect(),
        });
    }

    fn deliver_stale(&mut self) {
        if let Some((reader, items)) = self.stale.pop() {
            self.totals.stale += 1;
            self.handle(Event::Delivered { reader, items });
        }
    }

    fn resolve_save(&mut self, stored: bool, confirmed: bool) {
        let Some(generation) = self.store.resolve(stored) else {
            return;
        };
        if confirmed {
            self.totals.saves += 1;
            self.handle(Event::Saved { generation });
        } else {
            self.totals.lost_answers += u64::from(stored);
            let failure = SaveFailure::Retry {
                cause: "deadline exceeded".to_owned(),
            };
            self.handle(Event::SaveFailed {
                generation,
                failure,
            });
        }
    }

    fn crash(&mut self, stored: bool) -> Result<(), String> {
        self.totals.crashes += 1;
        let lost_save = self.store.resolve(stored).is_some() && stored;
        self.totals.lost_answers += u64::from(lost_save) + self.sink.answers.len() as u64;
        self.start_again()
    }

    /// A new process: what is stored, and what of the log it speaks of.
    fn start_again(&mut self) -> Result<(), String> {
        self.readers.clear();
        self.stale.clear();
        self.sink.pending.clear();
        self.sink.answers.clear();
        self.drained = false;
        self.expired = false;
        self.positions.clear();
        let seed = self.random.random();
        self.scheduler = match self.store.restore() {
            Some(checkpoint) => {
                let kept = length(&checkpoint.sink_state);
                if self.settings.cuts {
                    self.sink.log.truncate(kept);
                }
                Scheduler::new(self.limits.clone(), seed, Start::Checkpoint(checkpoint))
            }
            None if !self.sink.log.is_empty() => {
                return Err("records were delivered before the start was saved".to_owned());
            }
            None => fresh(&self.limits, seed, self.settings.start(&self.world)),
        };
        self.watermark = self.scheduler.watermark();
        self.reference = self.reference.replayed(&self.world, &self.sink.log)?;
        self.break_if_asked();
        Ok(())
    }

    /// The host writes a gap record and names an instant that can still be read.
    fn restart(&mut self) -> Result<(), String> {
        self.expired = false;
        self.totals.expiries += 1;
        let middle = u64::midpoint(self.clock().earliest, self.clock().wall);
        let bound = self.settings.bound(&self.world).unwrap_or(u64::MAX);
        let wanted = middle.min(bound).max(self.reference.since);
        let at = self.world.quiet_tick(wanted.max(self.clock().earliest));
        self.sink.log.push(Line::Gap(at));
        self.reference.append(&self.world, Line::Gap(at))?;
        self.positions.clear();
        self.handle(Event::Restarted {
            at: instant(at),
            sink_state: self.sink.state(),
        });
        Ok(())
    }

    fn drain_outputs(&mut self) -> Result<(), String> {
        for _ in 0..10_000 {
            match self.scheduler.poll_output(self.now()) {
                Output::Timeout(timeout) => {
                    self.timeout = timeout.map(|(at, _)| at);
                    return Ok(());
                }
                Output::Command(command) => self.carry_out(command)?,
            }
        }
        Err("INV-10: commands do not end".to_owned())
    }

    fn carry_out(&mut self, command: Command) -> Result<(), String> {
        match command {
            Command::Open { reader, from } => self.open(reader, from),
            Command::Close { reader } => self.close(&reader),
            Command::Hold { reader } => self.set_held(&reader, true),
            Command::Release { reader } => self.set_held(&reader, false),
            Command::Save {
                generation,
                checkpoint,
            } => {
                check::checkpoint(self, &checkpoint)?;
                self.store.ask(generation, checkpoint)
            }
            Command::Expired { .. } => {
                self.expired = true;
                check::nothing_in_flight(self)
            }
            Command::Complete { drained } => self.complete(drained),
            Command::Abort { cause } => Err(format!("aborted: {cause}")),
        }
    }

    fn open(&mut self, reader: ReaderId, from: Resume) -> Result<(), String> {
        check::may_open(self, &reader)?;
        let clock = self.clock();
        let query = Query::open(
            &self.world,
            &reader.partition,
            from,
            clock,
            &mut self.random,
        )?;
        self.readers.insert(reader, query);
        Ok(())
    }

    /// At times something was on its way already.
    fn close(&mut self, reader: &ReaderId) -> Result<(), String> {
        let Some(mut query) = self.readers.remove(reader) else {
            return Err(format!("INV-2: {reader} was closed but is not open"));
        };
        if self.random.random_bool(0.3)
            && let Answer::Items(items) = query.next(&self.world, self.clock(), 2, &mut self.random)
        {
            let items = items.into_iter().map(|(item, _)| item).collect();
            self.stale.push((reader.clone(), items));
        }
        Ok(())
    }

    fn set_held(&mut self, reader: &ReaderId, held: bool) -> Result<(), String> {
        match self.readers.get_mut(reader) {
            Some(query) if query.held != held => {
                query.held = held;
                Ok(())
            }
            _ => Err(format!("INV-9: {reader} cannot be held or released")),
        }
    }

    fn complete(&mut self, drained: bool) -> Result<(), String> {
        check::nothing_in_flight(self)?;
        if !self.scheduler.is_complete() || self.store.asked.is_some() {
            return Err("INV-11: completed with a save outstanding".to_owned());
        }
        if drained {
            self.totals.drains += 1;
            if self.reference.first_missing(&self.world).is_none() {
                self.done = true;
                return Ok(());
            }
            return self.start_again();
        }
        self.done = true;
        match self.reference.first_missing(&self.world) {
            Some(tick) => Err(format!(
                "INV-7: completed without the record at tick {tick}"
            )),
            None => Ok(()),
        }
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
            bound: self.settings.bound(&self.world),
            // A tick that is cut by the retention cannot be read.
            earliest: self.wall_ms.saturating_sub(retention).div_ceil(TICK_MS),
        }
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

    fn break_if_asked(&mut self) {
        if let Some(sabotage) = self.settings.sabotage {
            self.scheduler.sabotage(sabotage);
        }
    }

    /// The tick up to which everything is acknowledged.
    pub(super) fn watermark_tick(&self) -> u64 {
        tick_of(self.scheduler.watermark())
    }
}

fn fresh(limits: &Limits, seed: u64, start: u64) -> Scheduler {
    let start = Start::Fresh {
        at: instant(start),
        identity: BTreeMap::from([("source".to_owned(), "simulated".to_owned())]),
        sink_state: Sink::default().state(),
    };
    Scheduler::new(limits.clone(), seed, start)
}
