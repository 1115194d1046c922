//! What happens to the scheduler: streams, sink, store, process.

use acequia_core::{Event, Item, ReaderId, SaveFailure, Scheduler, Seq, Start};
use rand::RngExt;

use super::machine::{Machine, fresh};
use super::row_cut;
use super::service::Answer;
use super::sink::{Line, length};
use super::world::instant;

impl Machine {
    pub(super) fn deliver(&mut self, reader: &ReaderId, count: usize) -> Result<(), String> {
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
    pub(super) fn take(&mut self, reader: &ReaderId, items: Vec<(Item, Option<usize>)>) {
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

    pub(super) fn deliver_stale(&mut self) {
        if let Some((reader, items)) = self.stale.pop() {
            self.totals.stale += 1;
            self.handle(Event::Delivered { reader, items });
        }
    }

    pub(super) fn resolve_save(&mut self, stored: bool, confirmed: bool) {
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

    pub(super) fn crash(&mut self, stored: bool) -> Result<(), String> {
        self.totals.crashes += 1;
        let lost_save = self.store.resolve(stored).is_some() && stored;
        self.totals.lost_answers += u64::from(lost_save) + self.sink.answers.len() as u64;
        self.start_again()
    }

    /// The process dies, and a person takes what it stored back to an earlier tick.
    pub(super) fn rewind(&mut self, stored: bool, tick: u64) -> Result<(), String> {
        self.store.resolve(stored);
        let saved = self.store.restore().ok_or("nothing is stored")?;
        let rewound = saved
            .rewound(instant(tick))
            .map_err(|error| error.to_string())?;
        if rewound.generation <= saved.generation || rewound.sink_state != saved.sink_state {
            return Err("INV-4: a rewind took the generation or the sink back".to_owned());
        }
        let length = match self.settings.cuts {
            true => length(&saved.sink_state),
            false => self.sink.log.len(),
        };
        self.sink.rewinds.push((length, tick));
        self.store.stored = Some((rewound.generation, rewound));
        self.totals.rewinds += 1;
        self.done = false;
        self.start_again()
    }

    /// A new process: what is stored, and what of the log it speaks of.
    pub(super) fn start_again(&mut self) -> Result<(), String> {
        self.readers.clear();
        self.stale.clear();
        self.sink.pending.clear();
        self.sink.answers.clear();
        self.drained = false;
        self.expired = None;
        self.positions.clear();
        if self.random_moves_bound() {
            self.move_bound();
        }
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
        let replayed = self
            .reference
            .replayed(&self.world, &self.sink.log, &self.sink.rewinds);
        self.reference = replayed?;
        self.break_if_asked();
        Ok(())
    }

    fn random_moves_bound(&mut self) -> bool {
        self.settings.bound_moves && self.random.random_bool(0.3)
    }

    /// The host writes a gap record and names an instant that can still be read.
    pub(super) fn restart(&mut self) -> Result<(), String> {
        let expired = self.expired.take().ok_or("nothing has expired")?;
        self.totals.expiries += 1;
        let middle = u64::midpoint(self.clock().earliest, self.clock().wall);
        let bound = self.bound.unwrap_or(u64::MAX);
        let wanted = middle.min(bound).max(self.reference.since);
        let at = self.world.quiet_tick(wanted.max(self.clock().earliest));
        let gaps = match self.world.rows && !expired.is_root() {
            true => row_cut::expired(self, &expired).map(Some).collect(),
            false => vec![None],
        };
        for key in gaps {
            // When all begins again behind the bound, a later bound is read from the old one on.
            let at = match key {
                Some(_) => at,
                None => at.min(bound.saturating_add(1)),
            };
            self.sink.log.push(Line::Gap { at, key });
            self.reference.append(&self.world, Line::Gap { at, key })?;
        }
        self.positions.clear();
        self.handle(Event::Restarted {
            at: instant(at),
            sink_state: self.sink.state(),
        });
        Ok(())
    }
}
