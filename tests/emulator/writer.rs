//! Transactions on the shop, and the log of what was committed.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use googleapis_tonic_google_spanner_v1::google::spanner::v1::Mutation;
use jiff::Timestamp;
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use tokio::time::{MissedTickBehavior, interval};

use super::client::Session;
use super::shop::{self, Dialect, KEYS_PER_TABLE, Row, Table};

/// Rows that a transaction changes: one of these. Few, since the emulator slows down with each record.
const ROWS_PER_TRANSACTION: [u32; 6] = [1, 1, 1, 1, 2, 3];

/// What happened to a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Insert,
    Update,
    Delete,
}

/// One committed change of one row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Change {
    pub(crate) at: Timestamp,
    pub(crate) row: Row,
    pub(crate) kind: Kind,
    /// The number that the change left in the row; of a deletion, the last that was in it.
    pub(crate) serial: u64,
}

/// What was committed, in commit order. Shared with whoever waits for it.
#[derive(Clone, Default)]
pub(crate) struct Log(Arc<Mutex<Vec<Change>>>);

impl Log {
    pub(crate) fn changes(&self) -> Vec<Change> {
        self.0.lock().expect("no writer panicked").clone()
    }

    pub(crate) fn last(&self) -> Option<Timestamp> {
        Some(self.0.lock().expect("no writer panicked").last()?.at)
    }

    fn push(&self, changes: impl Iterator<Item = Change>) {
        self.0.lock().expect("no writer panicked").extend(changes);
    }
}

/// A change that is not committed yet.
struct Planned {
    row: Row,
    kind: Kind,
    serial: u64,
    mutation: Mutation,
}

/// Writes to the shop. It alone does, so it knows what every row holds.
pub(crate) struct Writer {
    session: Session,
    dialect: Dialect,
    random: SmallRng,
    rows: BTreeMap<Row, u64>,
    serial: u64,
    log: Log,
}

impl Writer {
    pub(crate) fn new(session: Session, dialect: Dialect, seed: u64) -> Self {
        Self {
            session,
            dialect,
            random: SmallRng::seed_from_u64(seed),
            rows: BTreeMap::new(),
            serial: 0,
            log: Log::default(),
        }
    }

    pub(crate) fn log(&self) -> Log {
        self.log.clone()
    }

    /// Commits that many transactions, at most so many a second.
    pub(crate) async fn write(&mut self, transactions: u32, per_second: u32) {
        let mut pace = interval(Duration::from_secs(1) / per_second);
        // A slow machine is made up for as far as it can be.
        pace.set_missed_tick_behavior(MissedTickBehavior::Burst);
        for _ in 0..transactions {
            pace.tick().await;
            self.transaction().await;
        }
    }

    /// Changes one to three rows, each once.
    pub(crate) async fn transaction(&mut self) {
        let mut planned: Vec<Planned> = Vec::new();
        let rows = ROWS_PER_TRANSACTION[self.random.random_range(0..ROWS_PER_TRANSACTION.len())];
        for _ in 0..rows {
            let row = self.some_row();
            if planned.iter().all(|other| other.row != row) {
                planned.push(self.plan(row));
            }
        }
        let mutations = planned.iter().map(|change| change.mutation.clone());
        let at = self.session.commit(mutations.collect()).await;
        for change in &planned {
            match change.kind {
                Kind::Insert | Kind::Update => self.rows.insert(change.row, change.serial),
                Kind::Delete => self.rows.remove(&change.row),
            };
        }
        self.log.push(planned.into_iter().map(|change| Change {
            at,
            row: change.row,
            kind: change.kind,
            serial: change.serial,
        }));
    }

    fn some_row(&mut self) -> Row {
        let table = match self.random.random_range(0..2) {
            0 => Table::Customers,
            _ => Table::Orders,
        };
        let key = self.random.random_range(0..KEYS_PER_TABLE);
        Row { table, key }
    }

    fn plan(&mut self, row: Row) -> Planned {
        let held = self.rows.get(&row).copied();
        self.serial += 1;
        let (dialect, serial) = (self.dialect, self.serial);
        let (kind, serial, mutation) = match held {
            None => (Kind::Insert, serial, shop::insert(dialect, row, serial)),
            Some(last) if self.random.random_range(0..6) == 0 => {
                (Kind::Delete, last, shop::delete(dialect, row))
            }
            Some(_) => {
                let columns = row.table.columns();
                let some = &columns[self.random.random_range(0..columns.len())..];
                (
                    Kind::Update,
                    serial,
                    shop::update(dialect, row, some, serial),
                )
            }
        };
        Planned {
            row,
            kind,
            serial,
            mutation,
        }
    }
}
