//! Carrying out commands, and turning messages into events.

use std::sync::Arc;

use acequia_core::{
    Command, Event, Generation, Item, ReadFailure, ReaderId, SaveFailure, Seq, Timestamp,
};
use tokio::time::Instant;
use tracing::{debug, info, warn};

use super::message::{Lost, Message, SaveFailed, SaveRequest};
use super::outcome::{Outcome, RunError};
use super::replan::LostPlan;
use super::{Driver, LastSave};
use crate::guest::{Control, Gap};
use crate::pipeline::Work;
use crate::pipeline::writer::Written;
use crate::source::{Delivery, FallbackError, Opening};

/// What the loop does next.
pub(super) enum Next {
    Wait(Option<Instant>),
    Done(Outcome),
}

impl Driver {
    pub(super) fn carry_out(&mut self, command: Command) -> Result<Option<Outcome>, RunError> {
        match command {
            Command::Open {
                reader,
                range,
                ticket,
                from,
            } => {
                let opening = Opening {
                    partition: reader.partition.clone(),
                    range,
                    ticket,
                    from,
                };
                self.open(reader, opening)?;
            }
            Command::Close { reader } => {
                debug!(%reader, "close");
                self.replan.forget(&reader);
                self.readers.close(&reader);
            }
            Command::Hold { reader } => self.readers.hold(&reader, true),
            Command::Release { reader } => self.readers.hold(&reader, false),
            Command::Save {
                generation,
                checkpoint,
            } => {
                let Some(saves) = &self.saves else {
                    self.handle(Event::Saved { generation });
                    return Ok(None);
                };
                let request = SaveRequest {
                    generation,
                    bytes: checkpoint.encode()?,
                };
                self.saving_bytes = u64::try_from(request.bytes.len()).unwrap_or(u64::MAX);
                if saves.send(request).is_err() {
                    return Err(RunError::Task("the checkpoint store is gone".to_owned()));
                }
            }
            Command::Expired {
                partition,
                lost_from,
                cause,
            } => self.expired(Lost {
                partition: partition.to_string(),
                from: lost_from,
                cause,
            }),
            Command::Replan {
                at: abandoned_at,
                outdated,
                before,
                cause,
            } => {
                let lost = LostPlan {
                    before,
                    abandoned_at,
                    cause,
                };
                self.replan(lost, outdated);
            }
            Command::Reconciled { range, from, after } => {
                let tokens = from.tokens().len();
                warn!(%range, at = %from.at, tokens, ?after, "keys that nobody reads are read again");
            }
            Command::Complete { drained: true } => return Ok(Some(Outcome::Drained)),
            Command::Complete { drained: false } => return Ok(Some(Outcome::Finished)),
            Command::Abort { cause } => return Err(cause.into()),
        }
        Ok(None)
    }

    pub(super) fn open(&mut self, reader: ReaderId, opening: Opening) -> Result<(), RunError> {
        let Some(opening) = self.cut_back_before(&reader, opening)? else {
            return Ok(());
        };
        debug!(%reader, at = %opening.from.at, "open");
        let opened = self.source.open(opening);
        let sender = self.sender.clone();
        self.readers
            .open(reader, opened, self.lanes.len(), &mut self.tasks, sender);
        Ok(())
    }

    /// Everything is closed and acknowledged. The service may be long in saying where to go on, and a
    /// wish to stop is heard meanwhile.
    fn expired(&mut self, lost: Lost) {
        let (source, sender) = (Arc::clone(&self.source), self.sender.clone());
        let now = self.clock.now().wall;
        self.tasks.spawn(async move {
            let fallback = source.fallback(now).await;
            // The driver outlives its tasks; without it there is nobody to tell.
            let _gone = sender.send(Message::Fallback(lost, fallback));
        });
    }

    /// The gap is written before the scheduler acts on it.
    fn fall_back(
        &mut self,
        lost: Lost,
        fallback: Option<Result<Timestamp, FallbackError>>,
    ) -> Result<(), RunError> {
        let Lost {
            partition,
            from: lost_from,
            cause,
        } = lost;
        let Some(fallback) = fallback else {
            return Err(RunError::Expired {
                partition,
                lost_from,
                cause,
            });
        };
        let at = fallback?;
        warn!(%partition, %lost_from, resumed_at = %at, %cause, "an interval is lost");
        self.restarting_at = Some(at);
        let gap = Gap {
            id: format!("gap/{lost_from}/{at}"),
            lost_from: lost_from.to_string(),
            resumed_at: at.to_string(),
            reason: cause,
        };
        let event = Control::Gap(gap);
        self.send(0, Work::Control { event, cut: None })
    }

    pub(super) fn take(&mut self, message: Message) -> Result<(), RunError> {
        match message {
            Message::Read(reader, read) => match self.readers.admit(&reader, read) {
                Some(read) => self.read(reader, read),
                None => Ok(()),
            },
            Message::Written(written) => self.written(written),
            Message::Fallback(lost, fallback) => self.fall_back(lost, fallback),
            Message::PlanAnew(lost, anew) => self.plan_anew(lost, anew),
            Message::Rejected(cause) => {
                self.handle(Event::Rejected { cause });
                Ok(())
            }
            Message::Saved(generation, saved) => {
                self.saved(generation, saved);
                Ok(())
            }
            Message::Retention(retention) => {
                self.retention_is(retention);
                Ok(())
            }
            Message::Look(answer) => {
                // Whoever asked may have left.
                let _gone = answer.send(self.look());
                Ok(())
            }
        }
    }

    fn saved(&mut self, generation: Generation, saved: Result<(), SaveFailed>) {
        let Err(SaveFailed { retry, cause }) = saved else {
            self.tally.saves += 1;
            self.save_failure = None;
            self.last_save = Some(LastSave {
                generation,
                at: self.clock.now().monotonic,
                bytes: self.saving_bytes,
            });
            return self.handle(Event::Saved { generation });
        };
        warn!(%generation, cause, retry, "a checkpoint was not saved");
        self.save_failure = Some(cause.clone());
        let failure = if retry {
            SaveFailure::Retry { cause }
        } else {
            SaveFailure::Fatal { cause }
        };
        self.handle(Event::SaveFailed {
            generation,
            failure,
        });
    }

    fn read(
        &mut self,
        reader: ReaderId,
        read: Result<Option<Delivery>, ReadFailure>,
    ) -> Result<(), RunError> {
        if !self.scheduler.is_current(&reader) {
            return Ok(());
        }
        match read {
            Ok(Some(delivery)) => self.delivered(reader, delivery),
            Ok(None) => {
                self.readers.close(&reader);
                self.handle(Event::Ended { reader });
                Ok(())
            }
            Err(failure) => {
                info!(%reader, ?failure, "a stream broke");
                self.readers.close(&reader);
                self.handle(Event::ReadFailed { reader, failure });
                Ok(())
            }
        }
    }

    fn delivered(&mut self, reader: ReaderId, delivery: Delivery) -> Result<(), RunError> {
        let Delivery {
            items,
            batch,
            dropped,
        } = delivery;
        self.count(&reader, &items);
        self.tally.dropped.add(dropped);
        // A record's number is its place; an item that is not a record follows the records.
        let Some((lane, last)) = self.readers.taken(&reader, items.len()) else {
            return Ok(());
        };
        self.handle(Event::Delivered {
            reader: reader.clone(),
            items,
        });
        if batch.is_empty() {
            return Ok(());
        }
        let last = Seq::new(last);
        self.send(
            lane,
            Work::Batch {
                reader,
                last,
                batch,
            },
        )
    }

    fn count(&mut self, reader: &ReaderId, items: &[Item]) {
        let (mut records, mut total) = (0_u64, 0_u64);
        for item in items {
            if let Item::Record { bytes, .. } = item {
                records += 1;
                total += bytes;
            }
        }
        if records == 0 {
            return;
        }
        self.tally.records += records;
        self.tally.bytes += total;
        let now = self.clock.now().monotonic;
        self.last_record = Some(now);
        if self.subject.backlog_adjustment.is_some() {
            self.backlog.take(&reader.partition, total, now);
        }
    }

    fn written(&mut self, written: Written) -> Result<(), RunError> {
        match written {
            Written::Durable {
                acknowledged,
                state,
                counts,
            } => {
                self.tally.shaped.add(counts);
                self.handle(Event::Durable {
                    acknowledged: acknowledged.into_iter().collect(),
                    sink_state: state,
                });
            }
            Written::Control { state } => match self.restarting_at.take() {
                Some(at) => self.handle(Event::Restarted {
                    at,
                    sink_state: state,
                }),
                None => return self.open_plan(state),
            },
            Written::Failed { cause } => self.handle(Event::Rejected { cause }),
        }
        Ok(())
    }

    pub(super) fn send(&self, lane: usize, work: Work) -> Result<(), RunError> {
        self.flow.sent();
        match self.lanes.get(lane) {
            Some(lane) if lane.send(work).is_ok() => Ok(()),
            Some(_) | None => Err(RunError::Task("a lane of the pipeline is gone".to_owned())),
        }
    }

    pub(super) fn handle(&mut self, event: Event) {
        let now = self.clock.now();
        self.scheduler.handle(event, now);
    }
}
