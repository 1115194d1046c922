//! How much is in flight between the readers and the sink, and whether readers may go on.

use crate::limits::Limits;

/// Counts records from their entry until they are passed: durable, or behind nothing that is not.
#[derive(Debug, Default)]
pub(crate) struct Credit {
    pub(crate) records: u64,
    pub(crate) bytes: u64,
    /// Whether the open readers are held.
    pub(crate) held: bool,
}

impl Credit {
    pub(crate) fn enter(&mut self, bytes: u64) {
        self.records = self.records.saturating_add(1);
        self.bytes = self.bytes.saturating_add(bytes);
    }

    pub(crate) fn leave(&mut self, bytes: u64) {
        self.records = self.records.saturating_sub(1);
        self.bytes = self.bytes.saturating_sub(bytes);
    }

    /// Whether one more delivery could exceed a limit. With nothing in flight it never does: what
    /// is larger than a limit passes alone.
    pub(crate) fn is_exhausted(&self, limits: &Limits) -> bool {
        self.records > 0 && (self.records > records_mark(limits) || self.bytes > bytes_mark(limits))
    }

    /// Whether enough is durable to go on. Half of the mark, so that readers are not held and
    /// released for every batch.
    pub(crate) fn has_room(&self, limits: &Limits) -> bool {
        self.records == 0
            || (self.records <= records_mark(limits) / 2 && self.bytes <= bytes_mark(limits) / 2)
    }
}

fn records_mark(limits: &Limits) -> u64 {
    limits
        .records_in_flight_max
        .saturating_sub(limits.delivery_records_max)
}

fn bytes_mark(limits: &Limits) -> u64 {
    limits
        .bytes_in_flight_max
        .saturating_sub(limits.delivery_bytes_max)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits() -> Limits {
        Limits {
            records_in_flight_max: 10,
            delivery_records_max: 4,
            bytes_in_flight_max: 1000,
            delivery_bytes_max: 400,
            ..Limits::default()
        }
    }

    fn in_flight(sizes: &[u64]) -> Credit {
        let mut credit = Credit::default();
        sizes.iter().for_each(|bytes| credit.enter(*bytes));
        credit
    }

    #[test]
    fn readers_are_held_while_the_next_delivery_might_not_fit() {
        assert!(!in_flight(&[1; 6]).is_exhausted(&limits()));
        assert!(in_flight(&[1; 7]).is_exhausted(&limits()));
        assert!(!in_flight(&[600]).is_exhausted(&limits()));
        assert!(in_flight(&[601]).is_exhausted(&limits()));
    }

    #[test]
    fn a_record_larger_than_the_limit_finds_room_when_nothing_is_in_flight() {
        let mut credit = in_flight(&[5000]);
        assert!(credit.is_exhausted(&limits()));
        assert!(!credit.has_room(&limits()));
        credit.leave(5000);
        assert!(credit.has_room(&limits()));
    }
}
