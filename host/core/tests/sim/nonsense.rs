//! Any sequence of events, sensible or not: nothing panics, and the state keeps its rules.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroUsize;
use std::time::Duration;

use acequia_core::{
    Attempt, Child, CleanEnd, Command, Event, First, Generation, Item, KeyRange, Limits, Mark, Now,
    Output, Part, PartitionId, RangeToken, ReadFailure, ReaderId, RowToken, SaveFailure, Scheduler,
    Seq, SinkState, Start, Successor,
};
use proptest::prelude::*;

use super::world::instant;
use crate::soak;

fn id() -> impl Strategy<Value = PartitionId> {
    prop::sample::select(vec!["", "a", "b", "c"]).prop_map(PartitionId::new)
}

fn reader() -> impl Strategy<Value = ReaderId> {
    (id(), 0_u64..8).prop_map(|(partition, attempt)| ReaderId {
        partition,
        attempt: Attempt::new(attempt),
    })
}

fn range() -> impl Strategy<Value = KeyRange> {
    prop::sample::select(vec![
        "[*, *)", "[*, b)", "[b, c)", "[a, c)", "[b, *)", "[c, *)",
    ])
    .prop_map(|text| text.parse().unwrap())
}

/// What row ranges say, and a timestamp stream does not.
fn item_of_rows() -> impl Strategy<Value = Item> {
    let ranges = prop::collection::vec(range(), 0..4);
    let successor = (range(), range(), "[tu]").prop_map(|(target, range, token)| Successor {
        target,
        token: RangeToken {
            range,
            token: token.into(),
        },
    });
    let successors = prop::collection::vec(successor, 0..4);
    let at = || (0_u64..6).prop_map(instant);
    // Tokens are numbered when they are aimed, since no stream gives one twice.
    prop_oneof![
        4 => (at(), at(), 0_u64..400, any::<bool>()).prop_map(
            |(at, low_watermark, bytes, outputs)| Item::Record {
                at,
                mark: Mark::Token { token: "".into(), low_watermark },
                bytes,
                outputs,
            }
        ),
        2 => at().prop_map(|low_watermark| Item::Continuation { token: "".into(), low_watermark }),
        2 => (at(), ranges).prop_map(|(start, ranges)| Item::Ranges { start, ranges }),
        4 => successors.prop_map(|successors| Item::Closed { successors }),
    ]
}

/// What snapshots say. Rows are numbered when they are aimed, as their reader counts them.
fn item_of_snapshot() -> impl Strategy<Value = Item> {
    let part = "#[ab]".prop_map(|id| Part {
        id: PartitionId::new(&id),
        ticket: "ticket".into(),
    });
    let parts = prop::collection::vec(part, 0..4);
    let then = prop::option::of((1_u64..6).prop_map(instant));
    prop_oneof![
        4 => (0_u64..400, any::<bool>()).prop_map(|(bytes, outputs)| Item::Record {
            at: instant(1),
            mark: Mark::Row { number: 0 },
            bytes,
            outputs,
        }),
        2 => (0_u64..6).prop_map(|row| Item::Resumable(RowToken {
            token: "token".into(),
            carry: "".into(),
            row,
        })),
        2 => (parts, then).prop_map(|(parts, then)| Item::Planned { at: instant(1), parts, then }),
        1 => item(),
    ]
}

fn item() -> impl Strategy<Value = Item> {
    let ids = || prop::collection::vec(id(), 0..3);
    let child = (id(), ids()).prop_map(|(id, parents)| Child { id, parents });
    let children = prop::collection::vec(child, 0..3);
    let at = || (0_u64..6).prop_map(instant);
    prop_oneof![
        4 => (at(), "[tu]", "[0-3]", 0_u64..400, any::<bool>()).prop_map(
            |(at, transaction, sequence, bytes, outputs)| Item::Record {
                at,
                mark: Mark::sequence(transaction, sequence),
                bytes,
                outputs,
            }
        ),
        2 => at().prop_map(|at| Item::Heartbeat { at }),
        2 => (at(), children).prop_map(|(start, partitions)| Item::Children { start, partitions }),
        1 => (at(), ids()).prop_map(|(at, partitions)| Item::Started { at, partitions }),
        1 => at().prop_map(|at| Item::Finished { at }),
        1 => (at(), ids()).prop_map(|(at, sources)| Item::MoveIn { at, sources }),
        1 => (at(), ids()).prop_map(|(at, destinations)| Item::MoveOut { at, destinations }),
    ]
}

/// What is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Stream,
    Rows,
    Snapshot,
}

fn event(kind: Kind) -> impl Strategy<Value = Event> {
    let cause = || "nonsense".to_owned();
    let generation = || (0_u64..8).prop_map(Generation::new);
    // A delivery has one record here, so that it is never more than a reader may deliver at once.
    let item = match kind {
        Kind::Stream => item().boxed(),
        Kind::Rows => item_of_rows().boxed(),
        Kind::Snapshot => item_of_snapshot().boxed(),
    };
    let items = prop::collection::vec(item, 1..2);
    prop_oneof![
        8 => (reader(), items).prop_map(|(reader, items)| Event::Delivered { reader, items }),
        2 => reader().prop_map(|reader| Event::Ended { reader }),
        1 => reader().prop_map(move |reader| Event::ReadFailed {
            reader,
            failure: ReadFailure::Retry { after: None, cause: cause() },
        }),
        1 => reader().prop_map(move |reader| Event::ReadFailed {
            reader,
            failure: ReadFailure::OutOfRange { cause: cause() },
        }),
        1 => (reader(), any::<bool>()).prop_map(move |(reader, outdated)| {
            let cause = cause();
            let failure = match outdated {
                true => ReadFailure::Outdated { cause },
                false => ReadFailure::Lost { cause },
            };
            Event::ReadFailed { reader, failure }
        }),
        4 => (reader(), 0_u64..9).prop_map(|(reader, seq)| Event::Durable {
            acknowledged: vec![(reader, Seq::new(seq))],
            sink_state: SinkState::new(seq.to_string()),
        }),
        4 => generation().prop_map(|generation| Event::Saved { generation }),
        1 => generation().prop_map(move |generation| Event::SaveFailed {
            generation,
            failure: SaveFailure::Retry { cause: cause() },
        }),
        1 => (0_u64..6).prop_map(|at| Event::Restarted {
            at: instant(at),
            sink_state: SinkState::default(),
        }),
        1 => (0_u64..3).prop_map(|seconds| Event::Retention {
            retention: Duration::from_secs(seconds),
        }),
        2 => Just(Event::Tick),
        1 => Just(Event::Drain),
    ]
}

fn limits(kind: Kind, bounded: bool, places: usize) -> Limits {
    let clean_end = match kind {
        Kind::Rows => CleanEnd::Reopens,
        Kind::Stream | Kind::Snapshot => CleanEnd::NeedsSuccessor,
    };
    Limits {
        clean_end,
        tokens_wait: Duration::from_millis(500),
        orphans_wait: Duration::from_secs(1),
        max_open: NonZeroUsize::MIN.saturating_add(places),
        bound: bounded.then(|| instant(4)),
        retention: Duration::from_secs(1),
        turn: Duration::from_secs(1),
        stall: Duration::from_secs(2),
        records_in_flight_max: 3,
        delivery_records_max: 1,
        bytes_in_flight_max: 500,
        delivery_bytes_max: 100,
        ..Limits::default()
    }
}

/// What was opened and saved, so that most events meet somebody.
#[derive(Default)]
struct Known {
    readers: Vec<ReaderId>,
    held: BTreeSet<ReaderId>,
    generation: Generation,
    records: u32,
    /// The number of the next row of each reader.
    rows: BTreeMap<ReaderId, u64>,
}

impl Known {
    fn learn(&mut self, command: &Command) {
        match command {
            Command::Open { reader, from, .. } => {
                self.readers.push(reader.clone());
                self.rows.insert(reader.clone(), from.rows_done());
            }
            Command::Hold { reader } => drop(self.held.insert(reader.clone())),
            Command::Release { reader } | Command::Close { reader } => {
                self.held.remove(reader);
            }
            Command::Save { generation, .. } => self.generation = *generation,
            _ => {}
        }
    }

    /// A held reader's delivery waits outside: that is what bounds what is in flight.
    fn waits(&self, event: &Event) -> bool {
        matches!(event, Event::Delivered { reader, .. } if self.held.contains(reader))
    }

    /// Sequences grow, since only that makes a boundary mean anything.
    fn aim(&mut self, mut event: Event, pick: usize) -> Event {
        if let Event::Delivered { items, .. } = &mut event {
            for item in items {
                if let Item::Record {
                    mark: Mark::Sequence { sequence: name, .. } | Mark::Token { token: name, .. },
                    ..
                }
                | Item::Continuation { token: name, .. } = item
                {
                    self.records += 1;
                    *name = format!("{:08}", self.records).into();
                }
            }
        }
        let recent = self.readers.iter().rev().nth(pick);
        match (&mut event, recent) {
            (
                Event::Delivered { reader, .. }
                | Event::Ended { reader }
                | Event::ReadFailed { reader, .. },
                Some(recent),
            ) => *reader = recent.clone(),
            (Event::Durable { acknowledged, .. }, Some(recent)) => {
                for (reader, _) in acknowledged {
                    *reader = recent.clone();
                }
            }
            (Event::Saved { generation } | Event::SaveFailed { generation, .. }, _) if pick > 1 => {
                *generation = self.generation;
            }
            _ => {}
        }
        self.number_rows(&mut event);
        event
    }

    fn number_rows(&mut self, event: &mut Event) {
        let Event::Delivered { reader, items } = event else {
            return;
        };
        let next = self.rows.entry(reader.clone()).or_default();
        for item in items {
            if let Item::Record {
                mark: Mark::Row { number },
                ..
            } = item
            {
                *number = *next;
                *next += 1;
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: soak::times(1000, 100), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_sequence_of_events_breaks_a_rule(
        events in prop::collection::vec((event(Kind::Stream), 0_u64..700, 0_usize..8), 0..80),
        bounded: bool,
        places in 0_usize..3,
    ) {
        holds(First::Root, limits(Kind::Stream, bounded, places), events)?;
    }

    #[test]
    fn no_sequence_of_events_breaks_a_rule_of_row_ranges(
        events in prop::collection::vec((event(Kind::Rows), 0_u64..700, 0_usize..8), 0..80),
        bounded: bool,
        places in 0_usize..3,
    ) {
        holds(First::Root, limits(Kind::Rows, bounded, places), events)?;
    }

    #[test]
    fn no_sequence_of_events_breaks_a_rule_of_snapshots(
        events in prop::collection::vec((event(Kind::Snapshot), 0_u64..700, 0_usize..8), 0..80),
        bounded: bool,
        places in 0_usize..3,
    ) {
        holds(First::Plan, limits(Kind::Snapshot, bounded, places), events)?;
    }
}

fn holds(
    first: First,
    limits: Limits,
    events: Vec<(Event, u64, usize)>,
) -> Result<(), TestCaseError> {
    let start = Start::Fresh {
        first,
        at: instant(1),
        identity: BTreeMap::new(),
        sink_state: SinkState::default(),
    };
    let mut scheduler = Scheduler::new(limits, 1, start);
    let mut monotonic = Duration::ZERO;
    let mut known = Known::default();
    for (event, wait, pick) in events {
        monotonic += Duration::from_millis(wait);
        let wall = instant(1) + jiff::SignedDuration::try_from(monotonic).unwrap();
        let now = Now { monotonic, wall };
        let event = known.aim(event, pick);
        if known.waits(&event) {
            continue;
        }
        scheduler.handle(event, now);
        let mut commands = 0;
        while let Output::Command(command) = scheduler.poll_output(now) {
            known.learn(&command);
            commands += 1;
            prop_assert!(commands < 1000, "commands do not end");
        }
        prop_assert_eq!(scheduler.check(), Ok(()));
    }
    Ok(())
}
