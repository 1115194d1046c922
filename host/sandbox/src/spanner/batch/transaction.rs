//! Read-only transactions: an instant at which everything is read.

use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use bytes::Bytes;
use googleapis_tonic_google_spanner_v1::google::spanner::v1::{
    Session, Transaction, TransactionOptions, TransactionSelector,
    transaction_options::{Mode, ReadOnly, read_only::TimestampBound},
    transaction_selector::Selector,
};
use jiff::Timestamp;
use tonic::Status;

use crate::{
    clock::{after, before, rfc3339},
    spanner::world::World,
};

/// How far ahead of now a read may be, since it waits.
///
/// Source: Cloud Spanner emulator, `common/errors.cc`, `ReadTimestampTooFarInFuture`.
const AHEAD_MAX: Duration = Duration::from_secs(3600);

/// The transactions that exist, by id.
#[derive(Debug)]
pub(crate) struct Transactions {
    state: Mutex<State>,
    retention: Duration,
}

#[derive(Debug, Default)]
struct State {
    begun: u64,
    living: BTreeMap<Bytes, Living>,
}

#[derive(Clone, Debug)]
struct Living {
    session: String,
    at: Timestamp,
}

/// The transaction that a call reads in.
#[derive(Clone, Debug)]
pub(crate) struct Used {
    /// Empty for one that is used once.
    pub(crate) id: Bytes,
    pub(crate) at: Timestamp,
    /// What the answer tells of it, where it began with the call.
    pub(crate) told: Option<Transaction>,
}

impl Transactions {
    pub(crate) fn new(retention: Duration) -> Self {
        Self {
            state: Mutex::default(),
            retention,
        }
    }

    /// `BeginTransaction`.
    pub(crate) fn begin(
        &self,
        session: &Session,
        options: Option<&TransactionOptions>,
        world: &World,
    ) -> Result<Transaction, Status> {
        let read = read_only(options)?;
        let at = instant(read, world, Uses::Many)?;
        let mut state = self.lock();
        // Source: `google/spanner/v1/spanner.proto`, `Session`: one transaction at a time, but for
        // multiplexed ones.
        if !session.multiplexed {
            state
                .living
                .retain(|_, living| living.session != session.name);
        }
        state.begun += 1;
        let id = Bytes::from(state.begun.to_string());
        let session = session.name.clone();
        state.living.insert(id.clone(), Living { session, at });
        Ok(Transaction {
            id,
            ..told(read, at)
        })
    }

    /// The transaction that a partition is planned in.
    pub(crate) fn to_plan(
        &self,
        session: &Session,
        selector: Option<&TransactionSelector>,
        world: &World,
    ) -> Result<Used, Status> {
        let used = match selector.and_then(|selector| selector.selector.as_ref()) {
            Some(Selector::Id(id)) => self.living(session, id),
            Some(Selector::Begin(options)) => self.begun_with(session, options, world),
            // Source of both: Cloud Spanner emulator, `frontend/handlers/partition_read.cc`.
            Some(Selector::SingleUse(_)) => Err(Status::invalid_argument(
                "Partition reads may not be performed in single-use transactions, since the \
                 response needs to be reused.",
            )),
            None => Err(Status::invalid_argument(
                "Missing required field: TransactionSelector.selector",
            )),
        }?;
        self.check_age(used.at, world)?;
        Ok(used)
    }

    /// The transaction that rows are read in, once its instant has passed.
    pub(crate) async fn to_read(
        &self,
        session: &Session,
        selector: Option<&TransactionSelector>,
        world: &World,
    ) -> Result<Used, Status> {
        let used = match selector.and_then(|selector| selector.selector.as_ref()) {
            Some(Selector::Id(id)) => self.living(session, id),
            Some(Selector::Begin(options)) => self.begun_with(session, options, world),
            Some(Selector::SingleUse(options)) => used_once(Some(options), world),
            // Source: `google/spanner/v1/spanner.proto`, `ExecuteSqlRequest.transaction`: a strong
            // one that is used once.
            None => used_once(None, world),
        }?;
        self.check_age(used.at, world)?;
        world.clock.wait_until(used.at).await;
        Ok(used)
    }

    /// Source: Cloud Spanner emulator, `common/errors.cc`, `ReadTimestampPastVersionGCLimit`.
    pub(crate) fn check_age(&self, at: Timestamp, world: &World) -> Result<(), Status> {
        if at >= before(world.clock.now(), self.retention) {
            return Ok(());
        }
        Err(too_old(at))
    }

    pub(crate) fn forget(&self) {
        self.lock().living.clear();
    }

    fn living(&self, session: &Session, id: &Bytes) -> Result<Used, Status> {
        let found = self.lock().living.get(id).cloned();
        let found = found.filter(|living| living.session == session.name);
        // Source: Cloud Spanner emulator, `common/errors.cc`, `TransactionNotFound`.
        let living = found.ok_or_else(|| {
            Status::not_found(format!("Transaction not found: {}", id.escape_ascii()))
        })?;
        Ok(Used {
            id: id.clone(),
            at: living.at,
            told: None,
        })
    }

    fn begun_with(
        &self,
        session: &Session,
        options: &TransactionOptions,
        world: &World,
    ) -> Result<Used, Status> {
        let begun = self.begin(session, Some(options), world)?;
        let used = self.living(session, &begun.id)?;
        Ok(Used {
            told: Some(begun),
            ..used
        })
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What the service answers to a read at an instant whose versions are gone.
pub(crate) fn too_old(at: Timestamp) -> Status {
    Status::failed_precondition(format!(
        "Read-only transaction timestamp {} has exceeded the maximum timestamp staleness",
        rfc3339(at)
    ))
}

/// How often a transaction is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Uses {
    Once,
    Many,
}

fn used_once(options: Option<&TransactionOptions>, world: &World) -> Result<Used, Status> {
    let strong = ReadOnly::default();
    let read = options.map_or(Ok(&strong), |options| read_only(Some(options)))?;
    let at = instant(read, world, Uses::Once)?;
    let told = read.return_read_timestamp.then(|| told(read, at));
    Ok(Used {
        id: Bytes::new(),
        at,
        told,
    })
}

fn read_only(options: Option<&TransactionOptions>) -> Result<&ReadOnly, Status> {
    match options.and_then(|options| options.mode.as_ref()) {
        Some(Mode::ReadOnly(read)) => Ok(read),
        Some(Mode::ReadWrite(_) | Mode::PartitionedDml(_)) => Err(Status::unimplemented(
            "the sandbox only knows read-only transactions",
        )),
        None => Err(Status::invalid_argument(
            "Missing required field: TransactionOptions.mode",
        )),
    }
}

fn told(read: &ReadOnly, at: Timestamp) -> Transaction {
    let read_timestamp = read.return_read_timestamp.then(|| prost_types::Timestamp {
        seconds: at.as_second(),
        nanos: at.subsec_nanosecond(),
    });
    Transaction {
        read_timestamp,
        ..Transaction::default()
    }
}

/// The instant that a bound stands for. Nothing is committed at or before it any more, if it has
/// passed.
///
/// Source: `google/spanner/v1/transaction.proto`, `TransactionOptions.ReadOnly`.
fn instant(read: &ReadOnly, world: &World, uses: Uses) -> Result<Timestamp, Status> {
    let at = match (&read.timestamp_bound, uses) {
        (None | Some(TimestampBound::Strong(_)), _) => return Ok(world.strong()),
        (Some(TimestampBound::ReadTimestamp(at)), _) => {
            Timestamp::new(at.seconds, at.nanos).map_err(|_| wrong("read_timestamp"))?
        }
        (Some(TimestampBound::ExactStaleness(span)), _) => {
            before(world.clock.now(), positive(*span, "exact_staleness")?)
        }
        (Some(TimestampBound::MinReadTimestamp(_)), Uses::Many) => {
            return Err(only_once("min_read_timestamp"));
        }
        (Some(TimestampBound::MaxStaleness(_)), Uses::Many) => {
            return Err(only_once("max_staleness"));
        }
        // Any instant that is recent enough will do.
        (Some(TimestampBound::MinReadTimestamp(at)), Uses::Once) => {
            let at = Timestamp::new(at.seconds, at.nanos);
            at.map_err(|_| wrong("min_read_timestamp"))?
                .max(world.strong())
        }
        (Some(TimestampBound::MaxStaleness(span)), Uses::Once) => {
            positive(*span, "max_staleness")?;
            return Ok(world.strong());
        }
    };
    let now = world.look(|_, now, promised| {
        promised.raise(at.min(now));
        now
    });
    if at > after(now, AHEAD_MAX) {
        return Err(Status::deadline_exceeded(format!(
            "Read-only transaction timestamp {} is more than 1 hour in future. This request will \
             execute for longer than the configured Cloud Spanner server deadline of 1 hour and \
             will return with the DEADLINE_EXCEEDED error.",
            rfc3339(at)
        )));
    }
    Ok(at)
}

fn positive(span: prost_types::Duration, name: &str) -> Result<Duration, Status> {
    Duration::try_from(span).map_err(|_| wrong(name))
}

fn wrong(name: &str) -> Status {
    Status::invalid_argument(format!("The timestamp bound {name} is out of range"))
}

/// Source: Cloud Spanner emulator, `common/errors.cc`, `InvalidReadOptionForMultiUseTransaction`.
fn only_once(bound: &str) -> Status {
    Status::invalid_argument(format!(
        "Timestamp bound: {bound} for read can be only be used for a single use transaction."
    ))
}
