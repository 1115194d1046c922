//! A column of instants, laid out as the component contract lays it out.

use jiff::Timestamp;

/// Instants in columns. Source: `times` in `wit/types.wit`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Times {
    /// Whole seconds since the Unix epoch, negative before it.
    pub seconds: Vec<i64>,
    /// Nanoseconds of the second, 0 to 999,999,999.
    pub nanos: Vec<u32>,
}

impl Times {
    /// Bytes that one instant takes.
    pub(crate) const ENTRY_BYTES: usize = size_of::<i64>() + size_of::<u32>();

    /// Adds one instant.
    pub fn push(&mut self, at: Timestamp) {
        // `Timestamp` rounds towards zero, this column towards the past.
        let nanos = at.subsec_nanosecond();
        let before_epoch = nanos < 0;
        self.seconds.push(at.as_second() - i64::from(before_epoch));
        let nanos = if before_epoch {
            nanos + 1_000_000_000
        } else {
            nanos
        };
        self.nanos.push(nanos.unsigned_abs());
    }

    /// Removes all instants and keeps the memory.
    pub fn clear(&mut self) {
        self.seconds.clear();
        self.nanos.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instant_before_the_epoch_has_nanoseconds_from_the_second_below() {
        let mut times = Times::default();
        times.push(Timestamp::new(-1, -250_000_000).unwrap());
        times.push(Timestamp::new(5, 1).unwrap());
        assert_eq!(times.seconds, [-2, 5]);
        assert_eq!(times.nanos, [750_000_000, 1]);
    }
}
