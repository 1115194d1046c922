//! Plans: what was partitioned, and the tokens of its parts.

use std::{
    ops::Range,
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError},
};

use bytes::Bytes;
use googleapis_tonic_google_spanner_v1::google::spanner::v1::Partition;
use tonic::Status;

use super::{ask::Asked, transaction::Used};
use crate::spanner::tables::{Chosen, Selected};

/// The first byte of tokens: they are bytes, and no text.
const MARK: u8 = 0xff;

/// Every plan that was made.
#[derive(Debug)]
pub(crate) struct Plans {
    shares: Vec<u32>,
    made: Mutex<Vec<Arc<Plan>>>,
}

/// A query or a read that was partitioned.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) session: String,
    pub(crate) used: Used,
    pub(crate) asked: Asked,
    pub(crate) chosen: Chosen,
    selected: OnceLock<Arc<Selected>>,
}

/// One part of a plan.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub(crate) plan: Arc<Plan>,
    /// Its place in the plan.
    pub(crate) number: usize,
    /// What tells it from every other part.
    pub(crate) name: String,
}

impl Plan {
    pub(crate) fn new(session: String, used: Used, asked: Asked, chosen: Chosen) -> Self {
        Self {
            session,
            used,
            asked,
            chosen,
            selected: OnceLock::new(),
        }
    }

    /// The plan's rows, which are looked for once.
    pub(crate) fn selected(&self, find: impl FnOnce() -> Selected) -> Arc<Selected> {
        Arc::clone(self.selected.get_or_init(|| Arc::new(find())))
    }
}

impl Plans {
    pub(crate) fn new(shares: &[u32]) -> Self {
        let shares = if shares.is_empty() {
            vec![1]
        } else {
            shares.to_vec()
        };
        Self {
            shares,
            made: Mutex::default(),
        }
    }

    /// The partitions of a plan that is kept.
    pub(crate) fn add(&self, plan: Plan) -> Vec<Partition> {
        let mut made = self.lock();
        let index = made.len();
        made.push(Arc::new(plan));
        let token = |number| {
            let text = name(index, number).into_bytes();
            std::iter::once(MARK).chain(text).collect()
        };
        let partition = |number| Partition {
            partition_token: token(number),
        };
        (0..self.shares.len()).map(partition).collect()
    }

    /// What a token stands for.
    pub(crate) fn part(&self, token: &Bytes) -> Result<Part, Status> {
        // Source: Cloud Spanner emulator, `common/errors.cc`, `InvalidPartitionToken`.
        let found = self.find(token);
        found.ok_or_else(|| Status::invalid_argument("Invalid partition token."))
    }

    /// Which of `rows` rows a part has.
    pub(crate) fn rows(&self, number: usize, rows: usize) -> Range<usize> {
        let total: u64 = self.shares.iter().copied().map(u64::from).sum();
        let until = |parts: usize| {
            if parts == self.shares.len() {
                return rows;
            }
            let shares = self.shares.iter().take(parts).copied().map(u64::from);
            let product = u128::from(shares.sum::<u64>()) * rows as u128;
            usize::try_from(product / u128::from(total.max(1))).unwrap_or(rows)
        };
        until(number)..until(number + 1)
    }

    fn find(&self, token: &Bytes) -> Option<Part> {
        let text = std::str::from_utf8(token.strip_prefix(&[MARK])?).ok()?;
        let (plan, number) = text.strip_prefix("part ")?.split_once('.')?;
        let (index, number): (usize, usize) = (plan.parse().ok()?, number.parse().ok()?);
        let plan = Arc::clone(self.lock().get(index)?);
        (number < self.shares.len()).then(|| Part {
            plan,
            number,
            name: name(index, number),
        })
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Arc<Plan>>> {
        self.made.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn name(plan: usize, number: usize) -> String {
    format!("part {plan}.{number}")
}

#[cfg(test)]
mod tests {
    use super::Plans;

    fn dealt(shares: &[u32], rows: usize) -> Vec<usize> {
        let plans = Plans::new(shares);
        let parts = shares.len().max(1);
        (0..parts)
            .map(|part| plans.rows(part, rows).len())
            .collect()
    }

    #[test]
    fn every_row_is_in_one_part() {
        assert_eq!(dealt(&[1, 1, 1, 1], 8), [2, 2, 2, 2]);
        assert_eq!(dealt(&[0, 1], 5), [0, 5]);
        assert_eq!(dealt(&[2, 0, 1], 6), [4, 0, 2]);
        assert_eq!(dealt(&[1, 1, 1], 1).iter().sum::<usize>(), 1);
        assert_eq!(dealt(&[0, 0], 3), [0, 3]);
        assert_eq!(dealt(&[], 3), [3]);
    }
}
