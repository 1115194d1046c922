//! A connector that does not answer, or not as it should.

use std::time::Duration;

use serde_json::json;

use super::answers;
use super::site::Answer;
use super::visit::Visit;

#[test]
fn a_connector_that_falls_silent_is_said_so_with_the_time_of_its_last_answer() {
    let Some(visit) = Visit::at_desk("a_connector_that_falls_silent") else {
        return;
    };
    let (seen, _) = visit.go(|number| match number {
        0 => Answer::Status(answers::busy()),
        _ => Answer::Close,
    });
    assert_eq!(seen.text("silence-what"), "orders does not answer.");
    assert_eq!(
        seen.text("silence-since"),
        "The last answer is from 2026-12-01 02:30:00 UTC; what is shown below is as it was then."
    );
    assert_eq!(seen.text("name"), "orders", "what was known stays");
}

#[test]
fn a_connector_that_was_draining_before_it_fell_silent_is_said_to_have_been() {
    let Some(visit) = Visit::at_desk("a_connector_that_was_draining_before") else {
        return;
    };
    let mut status = answers::busy();
    status["phase"] = json!("draining");
    let (seen, _) = visit.go(move |number| match number {
        0 => Answer::Status(status.clone()),
        _ => Answer::Close,
    });
    assert!(
        seen.text("silence-since")
            .ends_with("It was draining then.")
    );
}

#[test]
fn a_connector_that_never_answered_is_said_so() {
    let Some(visit) = Visit::at_desk("a_connector_that_never_answered_is_said_so") else {
        return;
    };
    let (seen, _) = visit.go(|_| Answer::Close);
    assert_eq!(seen.text("silence-what"), "The connector does not answer.");
    assert_eq!(seen.text("silence-since"), "There was no answer yet.");
}

#[test]
fn a_connector_that_answers_again_is_no_longer_called_silent() {
    let Some(visit) = Visit::at_desk("a_connector_that_answers_again") else {
        return;
    };
    let (seen, _) = visit
        .lasts(Duration::from_secs(9))
        .go(|number| match number {
            0 => Answer::Close,
            _ => Answer::Status(answers::busy()),
        });
    assert_eq!(seen.text("silence"), "");
    assert_eq!(seen.text("health"), "degraded");
}

#[test]
fn what_is_no_status_is_told_from_silence() {
    for (name, answer, said) in [
        (
            "refused",
            refused as fn(usize) -> Answer,
            "answers with HTTP 503, but does not answer with a status.",
        ),
        (
            "a page",
            a_page,
            "does not answer with a status, but with something else.",
        ),
        (
            "version 2",
            version_2,
            "answers in another version than this page reads. Reload the page.",
        ),
        (
            "a list",
            a_list,
            "answers in another version than this page reads. Reload the page.",
        ),
    ] {
        let Some(visit) = Visit::at_desk("what_is_no_status_is_told_from_silence") else {
            return;
        };
        let (seen, _) = visit.lasts(Duration::from_secs(1)).go(answer);
        assert_eq!(
            seen.text("silence-what"),
            format!("The connector {said}"),
            "{name}"
        );
    }
}

#[test]
fn a_silent_connector_is_asked_less_and_less_often() {
    let Some(visit) = Visit::at_desk("a_silent_connector_is_asked_less_and_less_often") else {
        return;
    };
    let (_, asked) = visit.lasts(Duration::from_secs(100)).go(|_| Answer::Close);
    // At 0, 4, 12, 28, 58 and 88 seconds. A browser may ask once more where a connection closes at once.
    assert!((6..=12).contains(&asked), "asked {asked} times in 100 s");
}

#[test]
fn a_connector_that_accepts_and_says_nothing_is_given_up() {
    let Some(visit) = Visit::at_desk("a_connector_that_accepts_and_says_nothing") else {
        return;
    };
    let (seen, _) = visit.until_silence().go(|number| match number {
        0 => Answer::Status(answers::busy()),
        _ => Answer::Hang,
    });
    assert_eq!(
        seen.text("silence-what"),
        "orders does not answer within 5 s."
    );
}

fn refused(_: usize) -> Answer {
    Answer::Refusal(503)
}

fn a_page(_: usize) -> Answer {
    Answer::Text("<html>a proxy's page</html>")
}

fn version_2(_: usize) -> Answer {
    Answer::Status(json!({ "version": 2, "name": "orders" }))
}

fn a_list(_: usize) -> Answer {
    Answer::Status(json!([1]))
}
