//! Random numbers from a seed (SplitMix64), the same on every machine.

/// Source: https://prng.di.unimi.it/splitmix64.c
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    /// True once in `times`.
    pub(crate) fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    pub(crate) fn pick<'a, T: ?Sized>(&mut self, among: &[&'a T]) -> &'a T {
        among[self.below(among.len())]
    }

    pub(crate) fn text(&mut self, longest: usize) -> String {
        let len = self.below(longest + 1);
        let chars = [
            'a',
            'B',
            '7',
            ' ',
            '"',
            '\\',
            '/',
            '\n',
            '\u{1}',
            '\u{e9}',
            '\u{1f600}',
        ];
        (0..len).map(|_| chars[self.below(chars.len())]).collect()
    }
}
