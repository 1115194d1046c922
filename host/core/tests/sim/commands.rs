//! What the scheduler wants done.

use acequia_core::{Command, KeyRange, Output, ReaderId, Resume};
use rand::RngExt;

use super::machine::Machine;
use super::service::{Answer, Query};
use super::{check, cut};

impl Machine {
    pub(super) fn drain_outputs(&mut self) -> Result<(), String> {
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

    pub(super) fn carry_out(&mut self, command: Command) -> Result<(), String> {
        match command {
            Command::Open {
                reader,
                range,
                from,
                ticket: _,
            } => self.open(reader, range, from),
            Command::Close { reader } => self.close(&reader),
            Command::Hold { reader } => self.set_held(&reader, true),
            Command::Release { reader } => self.set_held(&reader, false),
            Command::Save {
                generation,
                checkpoint,
            } => {
                cut::checkpoint(self, &checkpoint)?;
                self.store.ask(generation, checkpoint)
            }
            Command::Expired { partition, .. } => {
                self.expired = Some(partition);
                check::nothing_in_flight(self)
            }
            Command::Replan { cause, .. } => Err(format!("a plan was lost: {cause}")),
            Command::Reconciled { from, .. } => {
                let tokens = from.tokens().len() as u64;
                self.totals.reconciled += tokens;
                self.totals.tokenless += u64::from(tokens == 0);
                Ok(())
            }
            Command::Complete { drained } => self.complete(drained),
            Command::Abort { cause } => Err(format!("aborted: {cause}")),
        }
    }

    pub(super) fn open(
        &mut self,
        reader: ReaderId,
        range: Option<KeyRange>,
        from: Resume,
    ) -> Result<(), String> {
        check::may_open(self, &reader, range.as_ref(), &from)?;
        self.totals.merges += u64::from(from.tokens().len() > 1);
        let clock = self.clock();
        let query = Query::open(
            &self.world,
            &reader.partition,
            range.as_ref(),
            from,
            clock,
            &mut self.random,
        )?;
        self.readers.insert(reader, query);
        Ok(())
    }

    /// At times something was on its way already.
    pub(super) fn close(&mut self, reader: &ReaderId) -> Result<(), String> {
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

    pub(super) fn set_held(&mut self, reader: &ReaderId, held: bool) -> Result<(), String> {
        match self.readers.get_mut(reader) {
            Some(query) if query.held != held => {
                query.held = held;
                Ok(())
            }
            _ => Err(format!("INV-9: {reader} cannot be held or released")),
        }
    }

    pub(super) fn complete(&mut self, drained: bool) -> Result<(), String> {
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
        let missing = self.reference.first_missing(&self.world);
        match missing.filter(|tick| self.bound.is_none_or(|bound| *tick <= bound)) {
            None if self.bound != self.settings.bound(&self.world) => {
                self.move_bound();
                self.start_again()
            }
            None => {
                self.done = true;
                Ok(())
            }
            Some(tick) => Err(format!(
                "INV-7: completed without the record at tick {tick}"
            )),
        }
    }
}
