//! The state of one open stream.

use std::collections::{BTreeSet, VecDeque};

use bytes::Bytes;

use super::answers::{Answers, Sieve};
use super::append::append;
use super::merge::{Merge, Ready};
use super::whole::Whole;
use super::{DropReason, Kept, MutationBatch, MutationMark, Names, NamesPlan, Step, WrongPlan};
use crate::Malformed;

/// What an assembler does besides reading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Drops a mutation if the plan removed entries from it and none is left. Default: false, which
    /// delivers it without entries.
    pub skip_messages_without_change: bool,
    /// Delivers what garbage collection wrote. Default: true.
    pub include_garbage_collection: bool,
    /// The clusters whose mutations pass; none for all, which is the default. Garbage collection has
    /// no cluster and is not concerned.
    pub source_clusters: BTreeSet<String>,
    /// Asks about names with [`Step::Unplanned`]. Default: false, which lets all of them pass.
    pub filter_names: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            skip_messages_without_change: false,
            include_garbage_collection: true,
            source_clusters: BTreeSet::new(),
            filter_names: false,
        }
    }
}

/// Reads the frames of one open stream, which is one partition.
///
/// After an error it refuses everything with that error: open the stream again, with a new assembler.
#[derive(Debug)]
pub struct Assembler {
    options: Options,
    merge: Merge,
    ready: VecDeque<Ready>,
    answers: Answers,
    asked: Option<Names>,
    failed: Option<Malformed>,
}

impl Assembler {
    /// An assembler for a stream that has just been opened.
    #[must_use]
    pub fn new(options: Options) -> Self {
        Self {
            options,
            merge: Merge::default(),
            ready: VecDeque::new(),
            answers: Answers::default(),
            asked: None,
            failed: None,
        }
    }

    /// Takes one `ReadChangeStreamResponse` message. The frame's memory is held until its mutation is
    /// read, so call [`Assembler::next`] until it gives [`Step::Empty`] before the next push.
    ///
    /// # Errors
    /// The message is not one, or does not go on with the mutation before it.
    pub fn push(&mut self, frame: Bytes) -> Result<(), Malformed> {
        self.check()?;
        let pushed = self.merge.push(&frame);
        let ready = pushed.map_err(|error| self.fail(error))?;
        self.ready.extend(ready);
        Ok(())
    }

    /// Gives one thing, in the order of the stream; the columns of a mutation are appended to the
    /// batch.
    ///
    /// # Errors
    /// What stands next is not what Bigtable documents, or the batch has no room for it. The batch is
    /// as it was.
    pub fn next(&mut self, batch: &mut MutationBatch) -> Result<Step, Malformed> {
        self.check()?;
        match self.ready.pop_front() {
            None => Ok(Step::Empty),
            Some(Ready::Control(step)) => Ok(step),
            Some(Ready::Mutation(whole)) => {
                let step = self.mutation(whole, batch);
                step.map_err(|error| self.fail(error.within("data_change")))
            }
        }
    }

    /// Answers [`Step::Unplanned`].
    ///
    /// # Errors
    /// The plan does not fit the question, which stands.
    pub fn plan(&mut self, plan: &NamesPlan) -> Result<(), WrongPlan> {
        plan.check(self.asked.as_ref().ok_or(WrongPlan::NotAsked)?)?;
        if let Some(names) = self.asked.take() {
            self.answers.insert(names, plan);
        }
        Ok(())
    }

    /// Whether everything that was pushed has been read, and no mutation lacks messages.
    #[must_use]
    pub fn is_between_mutations(&self) -> bool {
        self.ready.is_empty() && self.merge.finish().is_ok()
    }

    /// The stream has ended by itself.
    ///
    /// # Errors
    /// It ended inside a mutation, or before all that was pushed was read.
    pub fn finish(&mut self) -> Result<(), Malformed> {
        self.check()?;
        let end = self.merge.finish().and_then(|()| {
            if self.ready.is_empty() {
                Ok(())
            } else {
                Err(Malformed::expected("all records read before the end"))
            }
        });
        end.map_err(|error| self.fail(error))
    }

    fn check(&self) -> Result<(), Malformed> {
        match &self.failed {
            Some(error) => Err(error.clone()),
            None => Ok(()),
        }
    }

    fn fail(&mut self, error: Malformed) -> Malformed {
        self.failed = Some(error.clone());
        error
    }

    fn mutation(&mut self, whole: Whole, batch: &mut MutationBatch) -> Result<Step, Malformed> {
        if let Some(reason) = self.drop_reason(&whole) {
            return Ok(mark(whole, Kept::Dropped(reason), 0));
        }
        let filled = batch.begin()?;
        let mut sieve = Sieve::new(self.options.filter_names.then_some(&self.answers));
        let read = append(batch, &whole, &mut sieve);
        let read = read.and_then(|()| whole.mutation());
        let dropped = sieve.dropped();
        let without_change = self.options.skip_messages_without_change && sieve.removed_all();
        let missing = sieve.into_missing();
        match read {
            Ok(mutation) if missing.is_none() && !without_change => batch.finish(&mutation),
            Ok(_) => batch.rewind(filled),
            Err(error) => {
                batch.rewind(filled);
                return Err(error);
            }
        }
        if let Some(names) = missing {
            self.ready.push_front(Ready::Mutation(whole));
            self.asked = Some(names.clone());
            return Ok(Step::Unplanned(names));
        }
        self.answers.trim();
        let kept = match without_change {
            true => Kept::Dropped(DropReason::WithoutChange),
            false => Kept::Appended,
        };
        Ok(mark(whole, kept, dropped))
    }

    /// Why a mutation is dropped before its entries are read.
    fn drop_reason(&self, whole: &Whole) -> Option<DropReason> {
        let options = &self.options;
        if whole.head.is_garbage_collection() {
            let drops = !options.include_garbage_collection;
            return drops.then_some(DropReason::GarbageCollection);
        }
        let passes = options.source_clusters.is_empty()
            || std::str::from_utf8(&whole.head.source_cluster_id)
                .is_ok_and(|id| options.source_clusters.contains(id));
        (!passes).then_some(DropReason::SourceCluster)
    }
}

fn mark(whole: Whole, kept: Kept, entries_dropped: u32) -> Step {
    Step::Mutation(MutationMark {
        at: whole.head.commit,
        token: whole.token,
        low_watermark: whole.low_watermark,
        bytes: whole.bytes,
        kept,
        entries_dropped,
    })
}
