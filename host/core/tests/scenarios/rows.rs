//! The table, laid for row ranges.

use acequia_core::{
    CleanEnd, Command, Item, KeyRange, Limits, Mark, PartitionState, PartitionView, RangeToken,
    ReaderId, Resume, Successor,
};

use super::bench::{Bench, at, seconds};

pub(super) fn limits() -> Limits {
    Limits {
        clean_end: CleanEnd::Reopens,
        stall: seconds(100_000),
        ..Limits::default()
    }
}

/// After the service named these ranges, which start at 0. All of it is saved.
pub(super) fn bench(limits: Limits, ranges: &[&str]) -> Bench {
    let mut bench = Bench::new(limits);
    bench.save();
    let root = bench.reader("");
    let start = at(0);
    let ranges = ranges.iter().map(|text| range(text)).collect();
    bench.deliver(&root, vec![Item::Ranges { start, ranges }]);
    bench.save();
    bench
}

pub(super) fn range(text: &str) -> KeyRange {
    text.parse().unwrap()
}

/// A change at an instant, with a low watermark as late.
pub(super) fn change(seconds: i64, token: &str) -> Item {
    Item::Record {
        at: at(seconds),
        mark: Mark::Token {
            token: token.into(),
            low_watermark: at(seconds),
        },
        bytes: 10,
        outputs: true,
    }
}

pub(super) fn continuation(low_watermark: i64, token: &str) -> Item {
    Item::Continuation {
        token: token.into(),
        low_watermark: at(low_watermark),
    }
}

/// Pairs of the new partition, and the token with the range that it names.
pub(super) fn closed(successors: &[(&str, &str, &str)]) -> Item {
    let successor = |(target, named, token): &(&str, &str, &str)| Successor {
        target: range(target),
        token: RangeToken {
            range: range(named),
            token: (*token).into(),
        },
    };
    Item::Closed {
        successors: successors.iter().map(successor).collect(),
    }
}

impl Bench {
    /// The last opening of a range, if there was one.
    pub(super) fn opened(&self, of: &str) -> Option<(ReaderId, Resume)> {
        let opened = |command: &Command| match command {
            Command::Open {
                reader,
                range: Some(keys),
                from,
                ..
            } if *keys == range(of) => Some((reader.clone(), from.clone())),
            _ => None,
        };
        self.commands.iter().rev().find_map(opened)
    }

    pub(super) fn reader_of(&self, of: &str) -> ReaderId {
        self.opened(of)
            .unwrap_or_else(|| panic!("{of} was not opened"))
            .0
    }

    /// The tokens of the last opening of a range, as text.
    pub(super) fn tokens_of(&self, of: &str) -> Vec<String> {
        let (_, from) = self
            .opened(of)
            .unwrap_or_else(|| panic!("{of} was not opened"));
        let text = |token: &RangeToken| format!("{} {}", token.range, token.token);
        from.tokens().iter().map(text).collect()
    }

    pub(super) fn openings_of(&self, of: &str) -> usize {
        let is_it = |command: &&Command| matches!(command, Command::Open { range: Some(keys), .. } if *keys == range(of));
        self.commands.iter().filter(is_it).count()
    }

    pub(super) fn view_of(&self, of: &str) -> Option<PartitionView<'_>> {
        let of = range(of);
        let mut views = self.scheduler.partitions();
        views.find(|view| view.range == Some(&of))
    }

    pub(super) fn state_of(&self, of: &str) -> Option<PartitionState> {
        Some(self.view_of(of)?.state)
    }

    pub(super) fn say(&mut self, of: &str, item: Item) {
        let reader = self.reader_of(of);
        self.deliver(&reader, vec![item]);
    }
}
