//! The items of one reader that are not passed yet, in stream order.

use std::collections::VecDeque;

use crate::id::Seq;
use crate::item::Item;

/// Numbers items on entry and gives them back when everything before them is acknowledged too.
#[derive(Debug, Default)]
pub(crate) struct Ledger {
    entries: VecDeque<Item>,
    /// Number of the first entry.
    first: u64,
    /// Numbers below are durable.
    durable: u64,
}

impl Ledger {
    pub(crate) fn push(&mut self, item: Item) {
        self.entries.push_back(item);
    }

    /// Everything up to and including `seq` is durable. What was never entered is not counted.
    pub(crate) fn acknowledge(&mut self, seq: Seq) {
        let entered = self.first.saturating_add(self.entries.len() as u64);
        let durable = seq.get().saturating_add(1).min(entered);
        self.durable = self.durable.max(durable);
    }

    /// Takes the first entry if it is acknowledged: durable, or without anything to make durable.
    pub(crate) fn pop_passed(&mut self) -> Option<Item> {
        let waits = waits_for_sink(self.entries.front()?);
        if waits && self.first >= self.durable {
            return None;
        }
        self.first = self.first.saturating_add(1);
        self.entries.pop_front()
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(crate) fn is_drained(&self) -> bool {
        self.entries.is_empty()
    }

    pub(crate) fn front(&self) -> Option<&Item> {
        self.entries.front()
    }

    /// Takes everything, acknowledged or not.
    #[cfg(any(test, feature = "sabotage"))]
    pub(crate) fn pop_any(&mut self) -> Option<Item> {
        self.first = self.first.saturating_add(1);
        self.entries.pop_front()
    }

    /// The last token in it.
    #[cfg(any(test, feature = "sabotage"))]
    pub(crate) fn last_token(&self) -> Option<(Box<str>, jiff::Timestamp)> {
        self.entries.iter().rev().find_map(|item| {
            if let Item::Record {
                mark:
                    crate::item::Mark::Token {
                        token,
                        low_watermark,
                    },
                ..
            }
            | Item::Continuation {
                token,
                low_watermark,
            } = item
            {
                return Some((token.clone(), *low_watermark));
            }
            None
        })
    }

    /// What each record in it counts for, in bytes.
    pub(crate) fn in_flight(&self) -> impl Iterator<Item = u64> {
        self.entries.iter().filter_map(bytes_in_flight)
    }
}

fn waits_for_sink(item: &Item) -> bool {
    matches!(item, Item::Record { outputs: true, .. })
}

/// What an item counts for while it is in a ledger; none if it is not a record. A record without
/// outputs has no bytes on their way, and is a record all the same: any number of them may follow one
/// that waits for the sink.
pub(crate) fn bytes_in_flight(item: &Item) -> Option<u64> {
    match item {
        Item::Record {
            bytes,
            outputs: true,
            ..
        } => Some(*bytes),
        Item::Record { outputs: false, .. } => Some(0),
        Item::Heartbeat { .. }
        | Item::Continuation { .. }
        | Item::Planned { .. }
        | Item::Resumable(_)
        | Item::Ranges { .. }
        | Item::Closed { .. }
        | Item::Children { .. }
        | Item::Started { .. }
        | Item::Finished { .. }
        | Item::MoveIn { .. }
        | Item::MoveOut { .. } => None,
    }
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::*;
    use crate::item::Mark;

    fn record(outputs: bool) -> Item {
        Item::Record {
            at: Timestamp::UNIX_EPOCH,
            mark: Mark::sequence("t", "0"),
            bytes: 1,
            outputs,
        }
    }

    fn heartbeat() -> Item {
        Item::Heartbeat {
            at: Timestamp::UNIX_EPOCH,
        }
    }

    #[test]
    fn a_heartbeat_does_not_overtake_a_record_that_is_not_durable() {
        let mut ledger = Ledger::default();
        ledger.push(record(true));
        ledger.push(heartbeat());
        assert_eq!(ledger.pop_passed(), None);
        ledger.acknowledge(Seq::new(0));
        assert_eq!(ledger.pop_passed(), Some(record(true)));
        assert_eq!(ledger.pop_passed(), Some(heartbeat()));
        assert!(ledger.is_drained());
    }

    #[test]
    fn a_record_without_outputs_waits_only_for_those_before_it() {
        let mut ledger = Ledger::default();
        ledger.push(record(false));
        ledger.push(record(true));
        ledger.push(record(false));
        assert_eq!(ledger.pop_passed(), Some(record(false)));
        assert_eq!(ledger.pop_passed(), None);
        ledger.acknowledge(Seq::new(1));
        assert_eq!(ledger.pop_passed(), Some(record(true)));
        assert_eq!(ledger.pop_passed(), Some(record(false)));
    }

    #[test]
    fn an_acknowledgement_covers_only_what_was_entered() {
        let mut ledger = Ledger::default();
        ledger.push(record(true));
        ledger.acknowledge(Seq::new(9));
        ledger.push(record(true));
        assert_eq!(ledger.pop_passed(), Some(record(true)));
        assert_eq!(ledger.pop_passed(), None);
    }
}
