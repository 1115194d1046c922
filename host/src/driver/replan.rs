//! A snapshot whose plan is gone: the sink goes back to before it, and it is planned anew.
//!
//! The order keeps a checkpoint from telling of more than the sink has: the shorter sink is saved, then
//! cut, then what tells of it is written, and only then is anything read.

use std::sync::Arc;

use acequia_core::{Event, ReaderId, SinkState, Timestamp};
use tracing::warn;

use super::Driver;
use super::message::Message;
use super::outcome::RunError;
use crate::guest::{Control, SnapshotRestart};
use crate::pipeline::Work;
use crate::source::{FallbackError, Opening};

/// How far it is.
#[derive(Default)]
pub(super) enum Replan {
    #[default]
    None,
    /// The shorter sink is being saved.
    Saving(Anew),
    /// The sink is being cut.
    Cutting(ReaderId, Opening),
}

impl Replan {
    /// A plan that is closed before it was opened is not opened.
    pub(super) fn forget(&mut self, closed: &ReaderId) {
        if matches!(self, Self::Cutting(reader, _) if reader == closed) {
            *self = Self::None;
        }
    }
}

/// What the sink goes back to, and what it is told.
pub(super) struct Anew {
    before: SinkState,
    event: SnapshotRestart,
}

/// A plan that is gone, with its instant.
pub(super) struct LostPlan {
    pub(super) before: SinkState,
    pub(super) abandoned_at: Timestamp,
    pub(super) cause: String,
}

impl Driver {
    pub(super) fn replan(&mut self, lost: LostPlan, outdated: bool) {
        if outdated {
            return self.ask_for_another_instant(lost);
        }
        let at = lost.abandoned_at;
        self.begin_anew(lost, at);
    }

    /// The service may be long in saying it, and a wish to stop is heard meanwhile.
    fn ask_for_another_instant(&mut self, lost: LostPlan) {
        let (source, sender) = (Arc::clone(&self.source), self.sender.clone());
        let now = self.clock.now().wall;
        self.tasks.spawn(async move {
            let anew = source.plan_anew(now).await;
            // The driver outlives its tasks; without it there is nobody to tell.
            let _gone = sender.send(Message::PlanAnew(lost, anew));
        });
    }

    pub(super) fn plan_anew(
        &mut self,
        lost: LostPlan,
        anew: Option<Result<Timestamp, FallbackError>>,
    ) -> Result<(), RunError> {
        let Some(anew) = anew else {
            return Err(RunError::Outdated {
                at: lost.abandoned_at,
                cause: lost.cause,
            });
        };
        let at = anew?;
        self.begin_anew(lost, at);
        Ok(())
    }

    fn begin_anew(&mut self, lost: LostPlan, at: Timestamp) {
        let LostPlan {
            before,
            abandoned_at,
            cause,
        } = lost;
        warn!(%abandoned_at, restarted_at = %at, %cause, "the snapshot begins anew");
        let event = SnapshotRestart {
            id: format!("snapshot-restart/{abandoned_at}/{at}"),
            abandoned_at: abandoned_at.to_string(),
            restarted_at: at.to_string(),
            reason: cause,
        };
        let sink_state = before.clone();
        self.replan = Replan::Saving(Anew { before, event });
        self.handle(Event::Restarted { at, sink_state });
    }

    /// The first thing that is opened after all was closed is the plan, and by then the shorter sink is
    /// saved. Gives the opening back where nothing is to be done before it.
    pub(super) fn cut_back_before(
        &mut self,
        reader: &ReaderId,
        opening: Opening,
    ) -> Result<Option<Opening>, RunError> {
        match std::mem::take(&mut self.replan) {
            Replan::Saving(Anew { before, event }) => {
                self.replan = Replan::Cutting(reader.clone(), opening);
                let event = Control::SnapshotRestart(event);
                let cut = Some(before);
                self.send(0, Work::Control { event, cut })?;
                Ok(None)
            }
            Replan::None | Replan::Cutting(..) => Ok(Some(opening)),
        }
    }

    /// The sink is cut, and what tells of it is durable.
    pub(super) fn open_plan(&mut self, sink_state: SinkState) -> Result<(), RunError> {
        self.handle(Event::Durable {
            acknowledged: Vec::new(),
            sink_state,
        });
        match std::mem::take(&mut self.replan) {
            Replan::Cutting(reader, opening) => self.open(reader, opening),
            Replan::None | Replan::Saving(_) => Ok(()),
        }
    }
}
