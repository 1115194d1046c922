//! What the loop tells to whoever looks, between two events.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::time::Duration;

use acequia_core::{KeyRange, Now, PartitionId, PartitionView, Timestamp, Until, Wait};
use tokio::sync::{mpsc, oneshot};

use super::Driver;
use super::message::Message;
use crate::status::{
    self, History, InFlight, PARTITIONS_LISTED_MAX, Partition, Partitions, Past, Phase,
    SavedCheckpoint, SinkStatus, Stage, Status, Totals, Waits, seconds_between, seconds_since,
    short,
};

/// Asks a driver what it sees.
#[derive(Clone)]
pub(crate) struct Probe {
    inbox: mpsc::UnboundedSender<Message>,
}

impl Probe {
    /// The status at the next moment between two events; none once the run is over.
    pub(crate) async fn look(&self) -> Option<Status> {
        let (answer, answered) = oneshot::channel();
        self.inbox.send(Message::Look(answer)).ok()?;
        answered.await.ok()
    }
}

impl Driver {
    /// For whoever wants to look.
    pub(crate) fn probe(&self) -> Probe {
        Probe {
            inbox: self.sender.clone(),
        }
    }

    pub(super) fn look(&self) -> Status {
        let now = self.clock.now();
        let watermark = self.scheduler.watermark();
        let in_flight = self.in_flight();
        let mut status = Status {
            phase: if self.drain.deadline.is_some() {
                Phase::Draining
            } else {
                Phase::Reading
            },
            ready: self.drain.deadline.is_none(),
            watermark: Some(watermark),
            watermark_lag_seconds: Some(seconds_between(watermark, now.wall)),
            headroom_seconds: self.headroom(now).map(|left| left.as_secs_f64()),
            last_record_age_seconds: self
                .last_record
                .map(|last| seconds_since(last, now.monotonic)),
            totals: self.totals(),
            in_flight,
            checkpoint: self.last_save.map(|save| SavedCheckpoint {
                generation: save.generation.get(),
                age_seconds: seconds_since(save.at, now.monotonic),
                bytes: save.bytes,
            }),
            sink: self.sink_status(),
            partitions: self.partitions(now, in_flight.waits_for),
            history: self.history(),
            ..self.subject.starting(now)
        };
        let failure = self.save_failure.as_deref();
        status.degraded = status::degraded(&status, self.subject.retention, failure);
        status
    }

    /// How long until the position that is furthest behind is older than the retention.
    pub(super) fn headroom(&self, now: Now) -> Option<jiff::SignedDuration> {
        let retention = jiff::SignedDuration::try_from(self.subject.retention?).ok()?;
        let age = now.wall.duration_since(self.scheduler.watermark());
        Some(retention.saturating_sub(age))
    }

    fn totals(&self) -> Totals {
        let (tally, stats) = (&self.tally, self.scheduler.stats());
        Totals {
            records: tally.records,
            bytes: tally.bytes,
            outputs: tally.outputs(),
            dropped_by_table: tally.dropped.by_table,
            dropped_without_change: tally.dropped.without_change,
            dropped_by_origin: tally.dropped.by_origin,
            dropped_values: tally.dropped.cells,
            filtered: tally.filtered(),
            skipped: tally.skipped(),
            dead_letters: tally.dead_letters(),
            repeats: tally.dropped.covered,
            found: stats.found,
            finished: stats.finished,
            splits: stats.splits,
            merges: stats.merges,
            moves: stats.moves,
            openings: stats.openings,
            reopenings: stats.reopenings,
            early_ends: stats.early_ends,
            retries: stats.retries,
            stalls: stats.stalls,
            turns: stats.turns,
            reconciled: stats.reconciled,
            tokenless_restarts: stats.tokenless_restarts,
            restarts: stats.restarts,
            saves: tally.saves,
        }
    }

    fn in_flight(&self) -> InFlight {
        let (stats, limits) = (self.scheduler.stats(), self.scheduler.limits());
        let flow = self.flow.seen();
        // Where the sink has something, shaping is not what all waits for.
        let waits_for = if flow.writing > 0 {
            Some(Stage::Sink)
        } else {
            (flow.shaping > 0).then_some(Stage::Guest)
        };
        InFlight {
            records: stats.records_in_flight,
            records_max: limits.records_in_flight_max,
            bytes: stats.bytes_in_flight,
            bytes_max: limits.bytes_in_flight_max,
            held: self.scheduler.is_held(),
            waits_for,
        }
    }

    fn sink_status(&self) -> SinkStatus {
        let flow = self.flow.seen();
        SinkStatus {
            kind: self.subject.sink,
            batches: flow.groups,
            write_seconds: flow.write.as_secs_f64(),
            sync_seconds: flow.sync.as_secs_f64(),
            busy_seconds: flow.busy.map(|busy| busy.as_secs_f64()),
        }
    }

    fn partitions(&self, now: Now, stage: Option<Stage>) -> Partitions {
        let stats = self.scheduler.stats();
        let (mut waiting, mut backlog) = (0, None);
        let mut behind = BinaryHeap::new();
        for view in self.scheduler.partitions() {
            waiting += u64::from(matches!(view.wait, Wait::Partitions(_) | Wait::Tokens(_)));
            backlog = self.backlog_of(&view, now).map_or(backlog, |bytes| {
                Some(backlog.unwrap_or(0_u64).saturating_add(bytes))
            });
            behind.push(ByWatermark(view));
            if behind.len() > PARTITIONS_LISTED_MAX {
                behind.pop();
            }
        }
        let list: Vec<_> = behind
            .into_sorted_vec()
            .into_iter()
            .map(|ByWatermark(view)| self.partition(&view, now, stage))
            .collect();
        Partitions {
            open: stats.open,
            queued: stats.queued,
            waiting,
            unfinished: stats.unfinished,
            backlog_bytes: backlog,
            listed: list.len(),
            list,
        }
    }

    fn partition(&self, view: &PartitionView<'_>, now: Now, stage: Option<Stage>) -> Partition {
        let oldest = now
            .wall
            .checked_sub(self.scheduler.limits().retention)
            .unwrap_or(Timestamp::MIN);
        Partition {
            token: view.id.as_str().to_owned(),
            parents: view
                .parents
                .iter()
                .map(|id| id.as_str().to_owned())
                .collect(),
            state: view.state.as_str(),
            start: view.start,
            position: view.position,
            watermark: view.watermark,
            lag_seconds: seconds_between(view.watermark, now.wall),
            backlog_bytes: self.backlog_of(view, now),
            headroom_seconds: seconds_between(oldest, view.position),
            unacknowledged: view.unacknowledged,
            oldest_unacknowledged: view.oldest_unacknowledged,
            failures: view.failures,
            waits: waits(&view.wait, now.monotonic, stage),
        }
    }

    fn backlog_of(&self, view: &PartitionView<'_>, now: Now) -> Option<u64> {
        let adjustment = self.subject.backlog_adjustment?;
        let lag = now.wall.duration_since(view.watermark);
        // A watermark may be ahead of our clock.
        let lag = Duration::try_from(lag).unwrap_or_default();
        self.backlog.bytes(view.id, lag, adjustment, now.monotonic)
    }

    fn history(&self) -> History {
        let list = self.scheduler.history().map(|past| Past {
            token: past.id.as_str().to_owned(),
            parents: past
                .parents
                .iter()
                .map(|id| id.as_str().to_owned())
                .collect(),
            start: past.start,
            end: past.end,
        });
        History {
            forgotten: self.scheduler.history_forgotten(),
            list: list.collect(),
        }
    }
}

fn waits(wait: &Wait<'_>, now: Duration, stage: Option<Stage>) -> Waits {
    let (what, seconds, detail) = match wait {
        Wait::Partitions(after) => ("partition", None, after_whom(after)),
        Wait::Tokens(keys) => ("tokens", None, of_what(keys)),
        Wait::Place => (
            "place",
            None,
            "as many partitions are read as may be at once".to_owned(),
        ),
        Wait::Save => (
            "save",
            None,
            "the first checkpoint is being saved".to_owned(),
        ),
        Wait::Timer { until } => (
            "timer",
            Some(seconds_since(now, *until)),
            "it failed, and is opened again after a pause".to_owned(),
        ),
        Wait::Server { since } => (
            "server",
            Some(seconds_since(*since, now)),
            "the server has sent nothing since".to_owned(),
        ),
        Wait::Delivery { since } => {
            let what = match stage {
                Some(Stage::Guest) => "guest",
                Some(Stage::Sink) | None => "sink",
            };
            let detail = match since {
                Some(_) => format!("what was read waits for the {what}"),
                None => format!("too much is in flight, and waits for the {what}"),
            };
            (what, since.map(|since| seconds_since(since, now)), detail)
        }
    };
    Waits {
        what,
        seconds,
        detail,
    }
}

/// Names the first few; a merge has two, seldom more.
fn after_whom(after: &[(&PartitionId, Until)]) -> String {
    const NAMED_MAX: usize = 4;
    let mut named: Vec<_> = after
        .iter()
        .take(NAMED_MAX)
        .map(|(id, until)| match until {
            Until::End => format!("{} to end", short(id.as_str())),
            Until::At(at) => format!("{} to pass {at}", short(id.as_str())),
        })
        .collect();
    if after.len() > NAMED_MAX {
        named.push(format!("{} more", after.len() - NAMED_MAX));
    }
    format!("waits for {}", named.join(", "))
}

fn of_what(keys: &[KeyRange]) -> String {
    const NAMED_MAX: usize = 4;
    let named: Vec<_> = keys
        .iter()
        .take(NAMED_MAX)
        .map(ToString::to_string)
        .collect();
    let more = keys.len().saturating_sub(NAMED_MAX);
    let more = if more > 0 {
        format!(" and {more} more")
    } else {
        String::new()
    };
    format!(
        "others still read {}{more}, and hand those keys over when they close",
        named.join(", ")
    )
}

/// Orders views by watermark, so that the largest can be dropped.
struct ByWatermark<'a>(PartitionView<'a>);

impl ByWatermark<'_> {
    fn key(&self) -> (Timestamp, &PartitionId) {
        (self.0.watermark, self.0.id)
    }
}

impl PartialEq for ByWatermark<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for ByWatermark<'_> {}

impl PartialOrd for ByWatermark<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for ByWatermark<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.key().cmp(&other.key())
    }
}
