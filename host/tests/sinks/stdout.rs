//! Standard output: order and errors, without a way back.

use std::path::Path;

use acequia_host::files::{Files, Lossy};
use acequia_host::sink::{Sink, SinkError, SinkState, StdoutSink, Unstated};
use tokio::io::{AsyncReadExt, DuplexStream};

use crate::batches::{ids, values, with_dead_letter};

const PIPE_BYTES: usize = 4096;

fn piped() -> (StdoutSink<DuplexStream>, DuplexStream) {
    let (writer, reader) = tokio::io::duplex(PIPE_BYTES);
    (
        StdoutSink::over(writer, &Lossy::new(), None, None).unwrap(),
        reader,
    )
}

#[tokio::test]
async fn values_are_printed_one_a_line_in_order() {
    let (mut sink, mut reader) = piped();
    sink.write(&values(&["1", "2"])).await.unwrap();
    sink.write(&values(&["3"])).await.unwrap();
    sink.sync().await.unwrap();
    drop(sink);
    let mut printed = String::new();
    reader.read_to_string(&mut printed).await.unwrap();
    assert_eq!(printed, "1\n2\n3\n");
}

#[tokio::test]
async fn a_pipe_whose_reader_went_away_is_an_error_of_its_own() {
    let (mut sink, reader) = piped();
    drop(reader);
    assert!(matches!(
        sink.write(&values(&["1"])).await,
        Err(SinkError::Closed)
    ));
    assert!(matches!(
        sink.write(&values(&["1"])).await,
        Err(SinkError::Broken { .. })
    ));
    assert!(matches!(sink.sync().await, Err(SinkError::Broken { .. })));
}

#[tokio::test]
async fn a_write_that_was_given_up_half_way_breaks_the_sink() {
    let (mut sink, _reader) = piped();
    let long = "x".repeat(2 * PIPE_BYTES);
    let given_up =
        tokio::time::timeout(std::time::Duration::ZERO, sink.write(&values(&[&long]))).await;
    assert!(given_up.is_err());
    assert!(matches!(sink.sync().await, Err(SinkError::Broken { .. })));
}

#[tokio::test]
async fn a_dead_letter_without_a_place_is_refused() {
    let (mut sink, _reader) = piped();
    let refused = sink.write(&with_dead_letter(values(&[]), "d1")).await;
    assert!(matches!(refused, Err(SinkError::NoDeadLetters)));
}

#[tokio::test]
async fn dead_letters_are_cut_back_while_lines_stay_printed() {
    let files = Lossy::new();
    let path = Path::new("/data/dead.ndjson");
    let open = |state: Option<&SinkState>| {
        StdoutSink::over(
            tokio::io::sink(),
            &files,
            Some((path, Unstated::Refuse)),
            state,
        )
        .unwrap()
    };
    let mut sink = open(None);
    sink.write(&with_dead_letter(values(&["1"]), "d1"))
        .await
        .unwrap();
    let saved = sink.sync().await.unwrap();
    sink.write(&with_dead_letter(values(&["2"]), "d2"))
        .await
        .unwrap();
    sink.sync().await.unwrap();
    drop(sink);
    assert_eq!(ids(&files.read(path).unwrap()), ["d1", "d2"]);
    drop(open(Some(&saved)));
    assert_eq!(ids(&files.read(path).unwrap()), ["d1"]);
}

#[tokio::test]
async fn a_state_with_dead_letters_is_refused_when_they_have_no_place() {
    let state = SinkState::new(r#"{"files":{"dead.ndjson":10}}"#);
    let refused = StdoutSink::over(tokio::io::sink(), &Lossy::new(), None, Some(&state))
        .err()
        .unwrap();
    assert!(matches!(refused, SinkError::State { .. }), "{refused}");
}
