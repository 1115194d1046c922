//! A plan, the rows of its parts, and a stream behind them.

use acequia_core::{
    Abort, Checkpoint, Command, Event, First, Item, Limits, Mark, Part, PartitionState,
    ReadFailure, RowToken, RowsRead, SinkState, Start,
};

use super::bench::{Bench, at, children, heartbeat, id, record, seconds, unavailable};

fn row(number: u64) -> Item {
    Item::Record {
        at: at(0),
        mark: Mark::Row { number },
        bytes: 10,
        outputs: true,
    }
}

fn token(token: &str, row: u64) -> Item {
    Item::Resumable(row_token(token, row))
}

fn row_token(token: &str, row: u64) -> RowToken {
    RowToken {
        token: token.into(),
        carry: "".into(),
        row,
    }
}

fn planned(parts: &[&str], then: Option<i64>) -> Item {
    let part = |name: &&str| Part {
        id: id(name),
        ticket: format!("ticket of {name}").into(),
    };
    Item::Planned {
        at: at(0),
        parts: parts.iter().map(part).collect(),
        then: then.map(at),
    }
}

fn lost() -> ReadFailure {
    ReadFailure::Lost {
        cause: "Session not found".to_owned(),
    }
}

fn outdated() -> ReadFailure {
    ReadFailure::Outdated {
        cause: "too old".to_owned(),
    }
}

/// After the plan named these parts of the instant 0. All of it is saved.
fn bench(limits: Limits, parts: &[&str], then: Option<i64>) -> Bench {
    let mut bench = Bench::beginning_with(First::Plan, limits);
    bench.save();
    let plan = bench.reader("#");
    bench.deliver(&plan, vec![planned(parts, then)]);
    bench.save();
    bench
}

fn places(places: usize) -> Limits {
    Limits {
        max_open: places.try_into().unwrap(),
        ..Limits::default()
    }
}

fn read_to_its_end(bench: &mut Bench, part: &str) {
    let reader = bench.reader(part);
    bench.deliver(&reader, vec![row(0)]);
    bench.durable(&reader, 0);
    bench.end(&reader);
    bench.save();
}

fn tickets(bench: &Bench) -> Vec<(String, Option<String>)> {
    let opened = |command: &Command| match command {
        Command::Open { reader, ticket, .. } => {
            let ticket = ticket.as_ref().map(ToString::to_string);
            Some((reader.partition.as_str().to_owned(), ticket))
        }
        _ => None,
    };
    bench.commands.iter().filter_map(opened).collect()
}

#[test]
fn each_part_is_opened_with_its_ticket() {
    let bench = bench(places(8), &["#a", "#b"], None);
    let ticket = |of: &str| (of.to_owned(), Some(format!("ticket of {of}")));
    assert_eq!(
        tickets(&bench),
        [("#".to_owned(), None), ticket("#a"), ticket("#b")]
    );
}

#[test]
fn the_stream_begins_when_every_part_is_acknowledged() {
    let mut bench = bench(places(8), &["#a", "#b"], Some(1));
    read_to_its_end(&mut bench, "#a");
    assert_eq!(bench.state(""), Some(PartitionState::Waiting));
    let reader = bench.reader("#b");
    bench.deliver(&reader, vec![row(0)]);
    bench.end(&reader);
    assert_eq!(bench.state(""), Some(PartitionState::Waiting));
    bench.durable(&reader, 0);
    assert_eq!(bench.state(""), Some(PartitionState::Open));
    assert_eq!(bench.opening("").1.at, at(1));
}

#[test]
fn the_stream_of_a_snapshot_without_parts_begins_at_once() {
    let bench = bench(places(8), &[], Some(1));
    assert_eq!(bench.state(""), Some(PartitionState::Open));
}

#[test]
fn a_snapshot_that_nothing_follows_completes() {
    let mut bench = bench(places(1), &["#a", "#b"], None);
    read_to_its_end(&mut bench, "#a");
    read_to_its_end(&mut bench, "#b");
    assert!(bench.wanted(&Command::Complete { drained: false }));
    assert_eq!(bench.saved().before_snapshot, None);
}

#[test]
fn a_part_goes_on_behind_the_rows_that_are_acknowledged() {
    let mut bench = bench(places(8), &["#a"], None);
    let reader = bench.reader("#a");
    bench.deliver(&reader, vec![row(0), row(1), token("t", 2)]);
    bench.deliver(&reader, vec![row(2), row(3)]);
    bench.durable(&reader, 3);
    bench.fail(&reader, unavailable());
    bench.durable(&reader, 4);
    bench.wait(seconds(60));
    let rows = RowsRead {
        from: Some(row_token("t", 2)),
        next: 4,
    };
    assert_eq!(bench.opening("#a").1.rows(), rows);
}

#[test]
fn a_token_behind_a_row_that_is_not_acknowledged_is_not_gone_on_from() {
    let mut bench = bench(places(8), &["#a"], None);
    let reader = bench.reader("#a");
    bench.deliver(&reader, vec![row(0), token("t", 1)]);
    assert_eq!(bench.position("#a").rows(), RowsRead::default());
    bench.durable(&reader, 0);
    assert_eq!(bench.position("#a").rows().from, Some(row_token("t", 1)));
}

/// Reading began before rows that are known, so their tokens are met again.
#[test]
fn a_token_among_known_rows_moves_the_beginning_and_not_the_count() {
    let mut bench = bench(places(8), &["#a"], None);
    let reader = bench.reader("#a");
    bench.deliver(&reader, vec![row(0), row(1), row(2)]);
    bench.durable(&reader, 2);
    bench.fail(&reader, unavailable());
    bench.wait(seconds(60));
    let again = bench.reader("#a");
    bench.deliver(&again, vec![token("t", 1)]);
    let rows = RowsRead {
        from: Some(row_token("t", 1)),
        next: 3,
    };
    assert_eq!(bench.position("#a").rows(), rows);
}

#[test]
fn a_part_keeps_its_place_while_others_wait() {
    let mut bench = bench(places(1), &["#a", "#b"], None);
    let reader = bench.reader("#a");
    bench.deliver(&reader, vec![row(0)]);
    bench.durable(&reader, 0);
    bench.wait(seconds(300));
    assert_eq!(bench.state("#a"), Some(PartitionState::Open));
    assert_eq!(bench.state("#b"), Some(PartitionState::Queued));
}

#[test]
fn a_query_may_look_for_its_first_row_for_minutes_and_not_for_ever() {
    let mut bench = bench(places(8), &["#a"], None);
    bench.wait(seconds(599));
    assert_eq!(bench.openings("#a"), 1);
    bench.wait(seconds(1));
    bench.wait(seconds(1));
    assert_eq!(bench.openings("#a"), 2);
}

#[test]
fn a_lost_plan_is_made_again_at_its_instant_when_everything_is_acknowledged() {
    let mut bench = bench(places(8), &["#a", "#b"], Some(1));
    let (a, b) = (bench.reader("#a"), bench.reader("#b"));
    bench.deliver(&a, vec![row(0)]);
    bench.deliver(&b, vec![row(0)]);
    bench.durable(&a, 0);
    bench.fail(&a, lost());
    let replan = Command::Replan {
        at: at(0),
        outdated: false,
        before: SinkState::default(),
        cause: "Session not found".to_owned(),
    };
    assert!(!bench.wanted(&replan), "a row of #b is in flight");
    bench.durable(&b, 0);
    assert!(bench.wanted(&replan));
    bench.handle(Event::Restarted {
        at: at(0),
        sink_state: SinkState::new("cut back"),
    });
    assert_eq!(bench.openings("#"), 1, "the sink before it is not saved");
    bench.save();
    assert_eq!(bench.openings("#"), 2);
    assert_eq!(bench.saved().sink_state, SinkState::new("cut back"));
    assert_eq!(bench.saved().partitions.len(), 1);
}

#[test]
fn an_instant_that_cannot_be_read_any_more_is_asked_about() {
    let mut bench = bench(places(8), &["#a"], Some(1));
    let reader = bench.reader("#a");
    bench.fail(&reader, outdated());
    let asked = bench
        .commands
        .iter()
        .rev()
        .find_map(|command| match command {
            Command::Replan { at, outdated, .. } => Some((*at, *outdated)),
            _ => None,
        });
    assert_eq!(asked, Some((at(0), true)));
    bench.handle(Event::Restarted {
        at: at(70),
        sink_state: SinkState::default(),
    });
    bench.save();
    assert_eq!(bench.opening("#").1.at, at(70));
}

#[test]
fn the_sink_before_the_snapshot_is_saved_until_all_of_it_is_read() {
    let start = Start::Fresh {
        first: First::Plan,
        at: at(0),
        identity: Default::default(),
        sink_state: SinkState::new("before"),
    };
    let mut bench = Bench::start(places(8), start);
    bench.save();
    let plan = bench.reader("#");
    bench.deliver(&plan, vec![planned(&["#a"], Some(1))]);
    bench.save();
    let saved = bench.saved().clone();
    assert_eq!(saved.before_snapshot, Some(SinkState::new("before")));

    let mut bench = Bench::start(places(8), Start::Checkpoint(saved));
    let reader = bench.reader("#a");
    bench.fail(&reader, lost());
    assert!(bench.wanted(&Command::Replan {
        at: at(0),
        outdated: false,
        before: SinkState::new("before"),
        cause: "Session not found".to_owned(),
    }));
}

#[test]
fn an_expiry_of_the_stream_behind_a_snapshot_does_not_plan_again() {
    let limits = Limits {
        retention: seconds(60),
        stall: seconds(1000),
        ..places(8)
    };
    let mut bench = bench(limits, &["#a"], Some(1));
    read_to_its_end(&mut bench, "#a");
    let root = bench.reader("");
    bench.deliver(
        &root,
        vec![children(1, vec![super::bench::child("p", &[])])],
    );
    bench.end(&root);
    let reader = bench.reader("p");
    bench.deliver(&reader, vec![record(2, "t", 0), heartbeat(3)]);
    bench.durable(&reader, 0);
    bench.wait(seconds(100));
    bench.fail(&bench.reader("p"), super::bench::out_of_range());
    bench.handle(Event::Restarted {
        at: at(50),
        sink_state: SinkState::default(),
    });
    assert_eq!((bench.openings("#"), bench.openings("")), (1, 2));
}

#[test]
fn a_snapshot_is_of_one_instant() {
    let mut bench = bench(places(8), &["#a"], None);
    let reader = bench.reader("#a");
    let early = Item::Record {
        at: at(-1),
        mark: Mark::Row { number: 0 },
        bytes: 1,
        outputs: true,
    };
    bench.deliver(&reader, vec![early]);
    let is_order = |command: &Command| {
        matches!(
            command,
            Command::Abort {
                cause: Abort::OutOfOrder { .. }
            }
        )
    };
    assert!(bench.commands.iter().any(is_order));
}

#[test]
fn a_snapshot_that_is_being_read_does_not_go_to_another_instant() {
    let bench = bench(places(8), &["#a"], None);
    let rewound = bench.saved().rewound(at(-10));
    assert_eq!(rewound, Err(acequia_core::RewindError::OfSnapshot));
}

/// Written when the version was made. What was saved then must be read for ever.
const V3: &[u8] = include_bytes!("../fixtures/checkpoint-v3.txt");

/// #a goes on from a token inside its third row, #b was not opened, and the stream waits for both.
fn half_read() -> Bench {
    let mut bench = bench(places(1), &["#a", "#b"], Some(1));
    let reader = bench.reader("#a");
    let inside = RowToken {
        carry: "Y2Fycnk=".into(),
        ..row_token("dG9rZW4=", 2)
    };
    bench.deliver(&reader, vec![row(0), row(1), Item::Resumable(inside)]);
    bench.deliver(&reader, vec![row(2)]);
    bench.durable(&reader, 3);
    bench
}

#[test]
fn version_3_is_read_and_written() {
    let checkpoint = Checkpoint::decode(V3).unwrap();
    assert_eq!(checkpoint.encode().unwrap(), V3);
    let half_read = &checkpoint.partitions[&id("#a")];
    assert_eq!(half_read.ticket.as_deref(), Some("ticket of #a"));
    let rows = half_read.position.rows();
    assert_eq!((rows.next, rows.first_sent()), (3, 2));
    assert_eq!(rows.from.unwrap().carry, "Y2Fycnk=".into());
    assert_eq!(checkpoint.before_snapshot, Some(SinkState::default()));
}

#[test]
fn a_snapshot_goes_on_after_a_restart_as_it_would_have() {
    let saved = half_read().scheduler.checkpoint();
    let decoded = Checkpoint::decode(&saved.encode().unwrap()).unwrap();
    assert_eq!(decoded, saved);
    let again = Bench::start(places(8), Start::Checkpoint(decoded));
    assert_eq!(again.scheduler.checkpoint().partitions.len(), 3);
    assert_eq!(again.opening("#a").1.rows().next, 3);
    assert_eq!(again.opening("#b").1.rows().next, 0);
    assert_eq!(again.state(""), Some(PartitionState::Waiting));
}
