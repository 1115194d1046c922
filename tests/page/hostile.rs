//! What the connector did not choose: tokens, names and reasons from outside, and members that are
//! missing or of another kind.

use std::time::Duration;

use jiff::Timestamp;
use serde_json::{Value, json};

use super::answers::{self, finished, unfinished, waits};
use super::site::Answer;
use super::visit::{Seen, Visit};

const MARKUP: &str = "<script>top.broken=1</script><img src=x onerror=top.broken=1><b>bold</b>";

#[test]
fn hostile_text_is_shown_as_text_and_does_nothing() {
    let Some(visit) = Visit::at_desk("hostile_text_is_shown_as_text") else {
        return;
    };
    let visit = visit.act("all('#rows button')[0].click();");
    let seen = visit.see(replaced(answers::busy(), &|leaf| match leaf.as_str() {
        Some(text) if text.parse::<Timestamp>().is_err() => json!(format!("{text}{MARKUP}")),
        _ => leaf.clone(),
    }));
    assert_harmless(&seen);
    assert_eq!(seen.text("name"), format!("orders{MARKUP}"));
    assert_eq!(
        seen.texts("degraded"),
        [format!("the watermark is 90 s behind{MARKUP}")]
    );
    assert_eq!(seen.text("details-token"), format!("queued{MARKUP}"));
    assert!(seen.rows("table")[0][6].contains(MARKUP));
    assert!(seen.rows("guests")[0][0].contains(MARKUP));
}

#[test]
fn writing_from_right_to_left_and_what_cannot_be_seen_is_spelled_out() {
    let Some(visit) = Visit::at_desk("writing_from_right_to_left") else {
        return;
    };
    let mut status = answers::busy();
    status["name"] = json!("\u{202e}sredro\u{0}\u{200b}");
    status["partitions"]["list"] = json!([unfinished(
        "a\u{202e}b",
        &[],
        "open",
        1.0,
        &waits("sink\u{2066}", 1.0, "\u{5e9}\u{5dc}\u{5d5}\u{5dd}\n")
    ),]);
    let seen = visit.see(status);
    assert_eq!(seen.text("name"), "\\u{202e}sredro\\u{0}\\u{200b}");
    let row = &seen.rows("table")[0];
    assert_eq!(row[0], "a\\u{202e}b");
    assert_eq!(
        row[6],
        "for sink\\u{2066}, 1 s\u{5e9}\u{5dc}\u{5d5}\u{5dd}\\u{a}"
    );
}

#[test]
fn tokens_of_ten_thousand_characters_are_cut_and_still_told_apart() {
    let Some(visit) = Visit::at_desk("tokens_of_ten_thousand_characters") else {
        return;
    };
    let long = |n: usize| format!("{}{n}{}", "x".repeat(6_000), "y".repeat(4_000));
    let mut status = answers::busy();
    let list: Vec<Value> = (1..=9)
        .map(|n| {
            unfinished(
                &long(n),
                &[""],
                "open",
                10.0 - f64::from(u32::try_from(n).unwrap()),
                &Value::Null,
            )
        })
        .collect();
    status["partitions"]["list"] = json!(list);
    status["history"]["list"] = json!([]);
    let visit = visit.width(360).act("all('#rows button')[0].click();");
    let seen = visit.see(status);
    let mut shown: Vec<&str> = seen.rows("table").iter().map(|row| row[0]).collect();
    assert!(
        shown.iter().all(|token| token.chars().count() < 50),
        "{shown:?}"
    );
    shown.sort_unstable();
    shown.dedup();
    assert_eq!(shown.len(), 9);
    assert!(
        seen.text("details-token")
            .ends_with("… (10,001 characters)")
    );
    assert!(seen.number("needed") <= 360);
}

#[test]
fn tokens_that_begin_and_end_alike_are_shown_by_what_differs() {
    let Some(visit) = Visit::at_desk("tokens_that_begin_and_end_alike") else {
        return;
    };
    let token = |middle: &str| format!("__8BAYEG0qQD3AABgsBDg3RpbWVz{middle}AAAAAAAH__4X_BfQ-v__");
    let mut status = answers::busy();
    status["partitions"]["list"] = json!([
        unfinished(&token("k3Q9xT7a"), &[], "open", 3.0, &Value::Null),
        unfinished(&token("Zp0wLm2c"), &[], "open", 2.0, &Value::Null),
    ]);
    status["history"]["list"] = json!([]);
    let seen = visit.see(status);
    let shown: Vec<&str> = seen.rows("table").iter().map(|row| row[0]).collect();
    assert_eq!(shown, ["k3Q9xT7a…", "Zp0wLm2c…"]);
}

#[test]
fn a_token_that_calls_itself_root_is_not_taken_for_the_root() {
    let Some(visit) = Visit::at_desk("a_token_that_calls_itself_root") else {
        return;
    };
    let mut status = answers::busy();
    status["partitions"]["list"] = json!([
        unfinished("", &[], "open", 3.0, &Value::Null),
        unfinished("root", &[""], "waiting", 2.0, &Value::Null),
    ]);
    status["history"]["list"] = json!([]);
    let seen = visit.see(status);
    let shown: Vec<&str> = seen.rows("table").iter().map(|row| row[0]).collect();
    assert_eq!(shown, ["root", "“root”"]);
}

#[test]
fn partitions_that_are_their_own_ancestors_are_drawn_all_the_same() {
    let Some(visit) = Visit::at_desk("partitions_that_are_their_own_ancestors") else {
        return;
    };
    let mut status = answers::busy();
    status["history"]["list"] = json!([
        finished("a", &["b", "a"], "02:00:00", "02:10:00"),
        finished("b", &["a", "nobody"], "02:10:00", "02:05:00"),
    ]);
    status["partitions"]["list"] = json!([]);
    let seen = visit.see(status);
    assert_shown(&seen);
    assert_eq!(seen.texts("bars").len(), 2);
    assert!(
        seen.texts("events")
            .contains(&"02:10:00a, nobody merged into b")
    );
}

#[test]
fn nothing_known_still_makes_a_page() {
    for (kind, value) in [
        ("null", Value::Null),
        ("text", json!("x")),
        ("number", json!(-1e300)),
        ("list", json!([[]])),
        ("object", json!({})),
    ] {
        let Some(visit) = Visit::at_desk("nothing_known_still_makes_a_page") else {
            return;
        };
        let value = value.clone();
        let leaves = replaced(answers::busy(), &|_| value.clone());
        let (seen, _) = visit.go(move |number| {
            let mut status = leaves.clone();
            // And then each member as a whole, one an answer.
            let members = status.as_object_mut().unwrap();
            let name = members.keys().nth(number % members.len()).cloned().unwrap();
            if number > 0 && name != "version" {
                members.insert(name, value.clone());
            }
            Answer::Status(status)
        });
        assert_shown(&seen);
        assert!(seen.number("needed") <= 1280, "{kind}");
    }
}

#[test]
fn each_member_may_be_missing() {
    let Some(visit) = Visit::at_desk("each_member_may_be_missing") else {
        return;
    };
    let (seen, asked) = visit.lasts(Duration::from_secs(49)).go(|number| {
        let mut status = answers::later(answers::busy(), number);
        let members = status.as_object_mut().unwrap();
        let name = members.keys().nth(number % members.len()).cloned().unwrap();
        if name != "version" {
            members.remove(&name);
        }
        Answer::Status(status)
    });
    assert_shown(&seen);
    assert!(asked >= 23, "each of the members was missing once: {asked}");
}

#[test]
fn times_are_the_connectors_and_a_clock_that_differs_is_said() {
    let Some(visit) = Visit::at_desk("times_are_the_connectors") else {
        return;
    };
    let mut status = answers::busy();
    status["now"] = json!("2020-01-01T00:00:00Z");
    let seen = visit.see(status);
    assert_shown(&seen);
    assert_eq!(seen.text("lag"), "1 min 30 s");
    assert!(
        seen.text("foot-skew")
            .starts_with("This browser's clock is ")
    );
    assert!(
        seen.text("foot-skew")
            .ends_with("ahead of the connector's. Times here are the connector's.")
    );
}

/// The page was drawn to its end, and the last answer was taken.
fn assert_shown(seen: &Seen) {
    assert_eq!(seen.text("silence"), "");
    assert!(
        seen.text("foot-started").contains("up "),
        "the last part is drawn"
    );
}

fn assert_harmless(seen: &Seen) {
    assert_shown(seen);
    assert_eq!(seen.number("broken"), 0, "something ran");
    assert_eq!(seen.number("scripts"), 1, "the page's own");
    assert_eq!(seen.number("foreign"), 0, "markup got in");
}

/// The same with its leaves, but the version, given another value by `with`.
fn replaced(value: Value, with: &dyn Fn(&Value) -> Value) -> Value {
    match value {
        Value::Array(items) => items.into_iter().map(|item| replaced(item, with)).collect(),
        Value::Object(members) => members
            .into_iter()
            .map(|(key, value)| match key.as_str() {
                "version" if value.is_number() => (key, value),
                _ => (key, replaced(value, with)),
            })
            .collect(),
        leaf @ (Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_)) => with(&leaf),
    }
}
