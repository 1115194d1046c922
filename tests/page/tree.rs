//! The tree of partitions: what it draws, what it says in words, and how it is walked.

use std::time::Duration;

use serde_json::{Value, json};

use super::answers;
use super::visit::Visit;

#[test]
fn every_split_and_merge_is_named_newest_first() {
    let Some(visit) = Visit::at_desk("every_split_and_merge_is_named_newest_first") else {
        return;
    };
    let seen = visit.see(answers::busy());
    assert_eq!(
        seen.texts("events"),
        [
            "02:28:00north-c, open merged into last",
            "02:28:00joined split into open, held, queued, backing, draining",
            "02:28:00north-a went on as north-c",
            "02:20:00north-b, south merged into joined",
            "02:10:00north split into north-a, north-b",
            "02:00:00root began with north, south",
        ]
    );
    assert_eq!(seen.text("events-title"), "2 splits, 2 merges");
}

#[test]
fn every_partition_is_a_bar_with_a_line_from_each_of_its_parents() {
    let Some(visit) = Visit::at_desk("every_partition_is_a_bar_with_a_line_from_each_parent")
    else {
        return;
    };
    let seen = visit.see(answers::busy());
    assert_eq!(seen.texts("bars").len(), 13);
    assert_eq!(seen.number("links"), 14);
    assert!(
        seen.texts("bars")
            .contains(&"south, finished, from 02:00:00, ended 02:20:00")
    );
    assert!(seen.texts("bars").contains(
        &"held, held, from 02:28:00, read to 02:29:48, 12 s behind, waits for the sink, 3.3 s \
          (the sink is writing)"
    ));
    assert!(seen.text("tree-text").starts_with(
        "7 unfinished partitions and 6 finished, drawn from 02:00:00 to 02:30:00 UTC."
    ));
    assert_eq!(seen.text("tree-left-out"), "3 older ones are forgotten.");
}

#[test]
fn each_state_has_its_place_in_the_legend() {
    let Some(visit) = Visit::at_desk("each_state_has_its_place_in_the_legend") else {
        return;
    };
    let seen = visit.see(answers::busy());
    assert_eq!(
        seen.texts("legend"),
        [
            "open 2",
            "held 1",
            "draining 1",
            "queued 1",
            "backing-off 1",
            "waiting 1",
            "finished 6"
        ]
    );
}

#[test]
fn a_shorter_window_leaves_out_what_ended_before() {
    let Some(visit) = Visit::at_desk("a_shorter_window_leaves_out_what_ended_before") else {
        return;
    };
    let seen = visit.hash("window=5m").see(answers::busy());
    // `north-a` ended 02:25:00, a moment before the window opens; `joined` ended within it.
    assert_eq!(seen.texts("bars").len(), 8);
    assert!(
        seen.text("tree-left-out")
            .contains("5 ended before this window.")
    );
}

#[test]
fn a_run_that_is_far_behind_is_drawn_where_it_reads() {
    let Some(visit) = Visit::at_desk("a_run_that_is_far_behind_is_drawn_where_it_reads") else {
        return;
    };
    let mut status = answers::busy();
    status["now"] = json!("2026-12-02T02:30:00Z");
    let seen = visit.see(status);
    let text = seen.text("tree-text");
    assert!(
        text.contains("drawn from 2026-12-01 02:00:00 to 2026-12-01 02:32"),
        "{text}"
    );
    assert!(
        text.contains("Reading is behind: now, 2026-12-02 02:30:00, lies further right."),
        "{text}"
    );
}

#[test]
fn keys_walk_from_parent_to_child_and_open_the_details() {
    let Some(visit) = Visit::at_desk("keys_walk_from_parent_to_child_and_open_the_details") else {
        return;
    };
    let seen = visit
        .act(
            r##"
            const bar = name => all("#nodes .bar").find(bar => bar.querySelector("title").textContent.startsWith(name));
            bar("south,").focus();
            key(bar("south,"), "ArrowRight");
            key(page.document.activeElement, "Enter");
            "##,
        )
        .see(answers::busy());
    assert_eq!(seen.text("details-title"), "joined, finished");
    assert_eq!(seen.text("details-token"), "joined");
    assert_eq!(seen.fact("details-facts", "End"), "02:28:00 UTC");
    assert_eq!(
        seen.text("details-kin"),
        "Parents: north-b, south. Children: open, held, queued, backing, draining. "
    );
    assert_eq!(seen.focus(), "details-title");
}

#[test]
fn escape_closes_the_details_and_gives_the_focus_back() {
    let Some(visit) = Visit::at_desk("escape_closes_the_details_and_gives_the_focus_back") else {
        return;
    };
    let seen = visit
        .act(
            r##"
            all("#rows button")[0].click();
            key(by("details-title"), "Escape");
            "##,
        )
        .see(answers::busy());
    assert_eq!(seen.text("details"), "");
    assert!(
        seen.focus().starts_with("queued, queued,"),
        "{}",
        seen.focus()
    );
}

#[test]
fn a_bar_that_is_tapped_shows_what_is_known_of_its_partition() {
    let Some(visit) = Visit::at_desk("a_bar_that_is_tapped_shows_what_is_known") else {
        return;
    };
    let seen = visit
        .act(
            r##"
            const bar = all("#nodes .bar").find(bar => bar.querySelector("title").textContent.startsWith("queued,"));
            bar.dispatchEvent(new page.MouseEvent("click", { bubbles: true }));
            "##,
        )
        .see(answers::busy());
    assert_eq!(seen.text("details-title"), "queued, queued");
    for (term, value) in [
        ("Start", "02:28:00 UTC"),
        ("Position", "02:28:30 UTC"),
        ("Lag", "1 min 30 s"),
        ("Headroom", "6 d 23 h"),
        ("Unacknowledged", "5"),
        ("Oldest unacknowledged", "02:28:30 UTC"),
        (
            "Waits",
            "for a place to be read, 1 min 28 s (2 of 2 places are taken)",
        ),
    ] {
        assert_eq!(seen.fact("details-facts", term), value, "{term}");
    }
}

#[test]
fn the_keyboard_stops_once_in_the_tree_however_many_bars_there_are() {
    let Some(visit) = Visit::at_desk("the_keyboard_stops_once_in_the_tree") else {
        return;
    };
    let seen = visit.see(answers::busy());
    assert_eq!(seen.number("stops"), 1);
    assert_eq!(seen.number("unnamed"), 0);
}

#[test]
fn of_thousands_of_partitions_those_furthest_behind_are_drawn_and_the_rest_is_counted() {
    let Some(visit) = Visit::at_desk("of_thousands_of_partitions_those_furthest_behind_are_drawn")
    else {
        return;
    };
    let seen = visit.lasts(Duration::from_secs(3)).see(thousands());
    assert_eq!(seen.texts("bars").len(), 300);
    assert!(
        seen.texts("bars")
            .iter()
            .any(|bar| bar.starts_with("p4999,"))
    );
    assert!(seen.text("tree-left-out").contains(
        "300 of 5,000 are drawn: the furthest behind, then the newest; 4,700 are not drawn."
    ));
    assert!(
        seen.text("tree-left-out")
            .contains("1,000 unfinished ones are not listed")
    );
    assert_eq!(seen.rows("table").len(), 100);
    assert_eq!(seen.rows("table")[0][0], "p4999");
    assert!(
        seen.text("rows-left-out")
            .starts_with("100 of 5,000 are shown.")
    );
}

#[test]
fn a_find_reaches_partitions_that_are_not_shown() {
    let Some(visit) = Visit::at_desk("a_find_reaches_partitions_that_are_not_shown") else {
        return;
    };
    let seen = visit
        .act(
            r#"
            by("find").value = "P123";
            by("find").dispatchEvent(new page.Event("input"));
            "#,
        )
        .lasts(Duration::from_secs(3))
        .see(thousands());
    let found: Vec<&str> = seen.rows("table").iter().map(|row| row[0]).collect();
    assert_eq!(found.len(), 11, "p123 and p1230 to p1239: {found:?}");
}

/// 5,000 partitions, each a little further behind than the one before.
fn thousands() -> Value {
    let mut status = answers::busy();
    let list: Vec<Value> = (0..5_000)
        .map(|n| {
            let behind = 1.0 + f64::from(n) / 100.0;
            answers::unfinished(&format!("p{n}"), &[""], "open", behind, &Value::Null)
        })
        .collect();
    status["partitions"] = json!({
        "open": 5_000, "queued": 0, "waiting": 0, "unfinished": 6_000, "listed": 5_000, "list": list,
    });
    status["history"] = json!({ "forgotten": 0, "list": [] });
    status
}
