//! Whether the read can be planned.

use jiff::Timestamp;
use tonic::Code;

use super::remedy;
use super::source::{Described, asked, silent};
use crate::chain::chain;
use crate::check::answer::in_time;
use crate::check::checkpoint::Progress;
use crate::check::findings::Findings;
use crate::check::{SnapshotSeen, SourceSeen, Topic, WouldRead};
use crate::config::{ReadOperation, SpannerBatch, TimestampBound};
use crate::google::{CallError, retrying};
use crate::source::spanner_batch::requests;
use crate::spanner::Client;
use crate::spanner::request::Dialect;
use crate::spanner::snapshot::{Hints, Snapshot};

/// What the questions are asked with.
pub(super) struct Asked<'a> {
    pub(super) client: &'a Client,
    pub(super) batch: &'a SpannerBatch,
    pub(super) described: &'a Described,
    pub(super) now: Timestamp,
}

/// A plan that was thrown away.
pub(super) struct Planned {
    pub(super) at: Timestamp,
    pub(super) partitions: usize,
}

/// Why there is no plan.
enum NoPlan {
    /// No transaction could be begun.
    Begin(CallError),
    /// The read cannot be divided at this instant.
    Divide(CallError, Timestamp),
}

impl Asked<'_> {
    /// Plans at the instant at which a run would.
    pub(super) async fn look(
        &self,
        progress: &Progress,
        findings: &mut Findings,
        would_read: &mut WouldRead,
    ) {
        findings.begin("planning the read");
        let bound = match progress {
            Progress::Resume(checkpoint) => {
                let Some(at) = self.saved(checkpoint, findings, would_read) else {
                    would_read.source = Some(self.seen(None));
                    return;
                };
                TimestampBound::ReadTimestamp(at)
            }
            Progress::Fresh | Progress::Unknown => self.fresh(findings),
        };
        let planned = self.plan(bound, findings).await;
        would_read.source = Some(self.seen(planned.as_ref()));
        let (Some(planned), Progress::Fresh) = (planned, progress) else {
            return;
        };
        self.headroom(planned.at, findings, would_read);
    }

    /// The bound of a run without a checkpoint. One that lies in the future is not waited for here.
    fn fresh(&self, findings: &mut Findings) -> TimestampBound {
        match self.batch.timestamp_bound {
            TimestampBound::ReadTimestamp(at) if at > self.now => {
                findings.warning(
                    Topic::Retention,
                    format!("read-timestamp {at} lies in the future: a run would wait for it"),
                    "set timestamp-bound: strong to read what is there now",
                );
                TimestampBound::Strong
            }
            bound @ (TimestampBound::Strong
            | TimestampBound::ReadTimestamp(_)
            | TimestampBound::ExactStaleness(_)) => bound,
        }
    }

    async fn plan(&self, bound: TimestampBound, findings: &mut Findings) -> Option<Planned> {
        let what = named(&self.batch.read_operation);
        match in_time(self.try_plan(bound, findings)).await {
            Ok(Ok(planned)) => {
                findings.ok(Topic::Source, self.told(&planned));
                Some(planned)
            }
            Ok(Err(NoPlan::Begin(error))) => {
                let seen = format!(
                    "{}: no snapshot can be begun: {}",
                    asked(self.batch),
                    chain(&error)
                );
                self.refused(&error, seen, findings);
                None
            }
            Ok(Err(NoPlan::Divide(error, at))) => {
                let seen = format!("{what} cannot be planned at {at}: {}", chain(&error));
                self.refused(&error, seen, findings);
                None
            }
            Err(_elapsed) => {
                silent(self.batch, findings);
                None
            }
        }
    }

    async fn try_plan(
        &self,
        bound: TimestampBound,
        findings: &mut Findings,
    ) -> Result<Planned, NoPlan> {
        let client = self.client;
        let begun = retrying(client.patience(), || client.begin_snapshot(bound)).await;
        let snapshot = begun.map_err(NoPlan::Begin)?;
        let divided = self.divide(&snapshot).await;
        if let Err(error) = client.end_session(&snapshot.session).await {
            findings.warning(
                Topic::Source,
                format!("the session of this plan could not be deleted: {error}"),
                "nothing: the service ends a session that is not used for an hour",
            );
        }
        match divided {
            Ok(partitions) => Ok(Planned {
                at: snapshot.at,
                partitions,
            }),
            Err(error) => Err(NoPlan::Divide(error, snapshot.at)),
        }
    }

    /// How many partitions there are. The hints bear on how many, and not on whether there are any.
    async fn divide(&self, snapshot: &Snapshot) -> Result<usize, CallError> {
        let read = requests::read(&self.batch.read_operation);
        let divide = || self.client.partition(snapshot, &read, Hints::default());
        let tokens = retrying(self.client.patience(), divide).await?;
        Ok(tokens.len())
    }

    fn refused(&self, error: &CallError, seen: String, findings: &mut Findings) {
        let is_query = matches!(self.batch.read_operation, ReadOperation::Query(_));
        let code = error.code();
        let remedy = if code == Code::FailedPrecondition || code == Code::OutOfRange {
            remedy::TOO_OLD.to_owned()
        } else if code == Code::InvalidArgument && is_query {
            remedy::UNDIVIDED.to_owned()
        } else {
            remedy::of_call(error, self.batch)
        };
        findings.failure(Topic::Source, seen, remedy);
    }

    fn told(&self, planned: &Planned) -> String {
        let Planned { at, partitions } = planned;
        let named = named(&self.batch.read_operation);
        let ids = match &self.batch.read_operation {
            ReadOperation::Table(_) if self.has_keys() => "ids are made of the primary key",
            ReadOperation::Table(_) | ReadOperation::Query(_) => {
                "ids are made of partition and row number, which another plan numbers anew"
            }
        };
        let boost = if self.batch.data_boost_enabled {
            "; whether Data Boost may serve it is seen when it is read"
        } else {
            ""
        };
        let asked = asked(self.batch);
        let dialect = dialect(self.described.dialect);
        format!(
            "{asked} is {dialect}; {named} has {partitions} partitions at {at}, and {ids}{boost}"
        )
    }

    fn seen(&self, planned: Option<&Planned>) -> SourceSeen {
        SourceSeen::Snapshot(SnapshotSeen {
            database: self.batch.database.to_string(),
            dialect: dialect(self.described.dialect),
            reads: named(&self.batch.read_operation),
            partitions: planned.map(|planned| planned.partitions),
            ids_by_key: self.has_keys(),
        })
    }

    /// Whether the whole primary key is among the columns.
    fn has_keys(&self) -> bool {
        let key = &self.described.key;
        match &self.batch.read_operation {
            ReadOperation::Table(table) => {
                !key.is_empty() && key.iter().all(|column| table.columns.contains(column))
            }
            ReadOperation::Query(_) => false,
        }
    }
}

fn dialect(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::GoogleSql => "GOOGLE_STANDARD_SQL",
        Dialect::PostgreSql => "POSTGRESQL",
    }
}

fn named(operation: &ReadOperation) -> String {
    match operation {
        ReadOperation::Query(_) => "the query".to_owned(),
        ReadOperation::Table(table) => match &table.index {
            None => format!("table {}", table.table),
            Some(index) => format!("index {index} of table {}", table.table),
        },
    }
}
