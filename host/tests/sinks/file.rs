//! The file sink: what it refuses, and that a refusal changes nothing.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use acequia_host::files::{Files, RealFiles};
use acequia_host::sink::{FileSink, FileSinkOptions, Sink, SinkError, SinkState, Unstated};

use crate::batches::{lines, values, with_dead_letter};
use crate::targets::options;

fn open(options: &FileSinkOptions, state: Option<&SinkState>) -> Result<FileSink, SinkError> {
    let files: Arc<dyn Files> = Arc::new(RealFiles);
    FileSink::open(&files, options, state)
}

fn state(output: u64, dead_letters: u64) -> SinkState {
    SinkState::new(format!(
        r#"{{"files":{{"orders.dead-letter.ndjson":{dead_letters},"orders.ndjson":{output}}}}}"#
    ))
}

#[tokio::test]
async fn the_state_is_the_length_of_both_files() {
    let directory = tempfile::tempdir().unwrap();
    let options = options(directory.path());
    let mut sink = open(&options, None).unwrap();
    assert_eq!(sink.sync().await.unwrap(), state(0, 0));
    sink.write(&with_dead_letter(values(&["{}", "{\"a\":1}"]), "d1"))
        .await
        .unwrap();
    let after = sink.sync().await.unwrap();
    assert_eq!(
        fs::metadata(&options.path).unwrap().len(),
        "{}\n{\"a\":1}\n".len() as u64
    );
    assert_eq!(
        after,
        state(11, fs::metadata(&options.dead_letter_path).unwrap().len())
    );
}

#[tokio::test]
async fn a_dead_letter_is_an_object_with_the_record_in_it() {
    let directory = tempfile::tempdir().unwrap();
    let options = options(directory.path());
    let mut sink = open(&options, None).unwrap();
    sink.write(&with_dead_letter(values(&[]), "d1"))
        .await
        .unwrap();
    sink.sync().await.unwrap();
    let line: serde_json::Value =
        serde_json::from_slice(&fs::read(&options.dead_letter_path).unwrap()).unwrap();
    let expected = serde_json::json!({
        "id": "d1", "component": "json", "kind": "malformed", "message": "two members of one name",
        "position": "partition 1", "raw": {"a": 1},
    });
    assert_eq!(line, expected);
}

#[test]
fn a_file_that_is_too_short_is_refused_with_its_name_and_both_lengths() {
    let directory = tempfile::tempdir().unwrap();
    let options = options(directory.path());
    fs::write(&options.path, "1\n2\n").unwrap();
    let text = open(&options, Some(&state(6, 0))).unwrap_err().to_string();
    assert!(
        text.contains("orders.ndjson: holds 4 bytes") && text.contains("that 6 are durable"),
        "{text}"
    );
    assert_eq!(fs::read(&options.path).unwrap(), b"1\n2\n");
}

#[test]
fn a_missing_file_is_created_only_when_nothing_of_it_is_durable() {
    let directory = tempfile::tempdir().unwrap();
    let options = options(directory.path());
    drop(open(&options, Some(&state(0, 0))).unwrap());
    assert!(options.path.exists());
    fs::remove_file(&options.path).unwrap();
    let refused = open(&options, Some(&state(2, 0))).unwrap_err();
    assert!(
        matches!(
            refused,
            SinkError::Shorter {
                length: 0,
                cut: 2,
                ..
            }
        ),
        "{refused}"
    );
    assert!(!options.path.exists());
}

#[test]
fn nothing_is_cut_when_the_other_file_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let options = options(directory.path());
    fs::write(&options.path, "1\n2\n").unwrap();
    assert!(matches!(
        open(&options, Some(&state(2, 9))),
        Err(SinkError::Shorter { cut: 9, .. })
    ));
    assert_eq!(fs::read(&options.path).unwrap(), b"1\n2\n");
}

#[test]
fn a_cut_inside_a_line_shows_that_it_is_another_file() {
    let directory = tempfile::tempdir().unwrap();
    let options = options(directory.path());
    fs::write(&options.path, "a line of another run\n").unwrap();
    assert!(matches!(
        open(&options, Some(&state(4, 0))),
        Err(SinkError::NotALineEnd { cut: 4, .. })
    ));
    assert_eq!(fs::read(&options.path).unwrap(), b"a line of another run\n");
}

#[tokio::test]
async fn a_fresh_start_appends_where_the_user_said_so() {
    let directory = tempfile::tempdir().unwrap();
    let options = FileSinkOptions {
        unstated: Unstated::Append,
        ..options(directory.path())
    };
    fs::write(&options.path, "kept\n").unwrap();
    let mut sink = open(&options, None).unwrap();
    assert_eq!(sink.sync().await.unwrap(), state(5, 0));
    sink.write(&values(&["1"])).await.unwrap();
    sink.sync().await.unwrap();
    assert_eq!(lines(&fs::read(&options.path).unwrap()), ["kept", "1"]);
}

#[test]
fn a_fresh_start_does_not_append_to_half_a_line() {
    let directory = tempfile::tempdir().unwrap();
    let options = FileSinkOptions {
        unstated: Unstated::Append,
        ..options(directory.path())
    };
    fs::write(&options.path, "kept\nhal").unwrap();
    assert!(matches!(
        open(&options, None),
        Err(SinkError::PartialLine { .. })
    ));
    assert_eq!(fs::read(&options.path).unwrap(), b"kept\nhal");
}

#[test]
fn a_second_writer_is_refused_until_the_first_is_gone() {
    let directory = tempfile::tempdir().unwrap();
    let options = options(directory.path());
    let first = open(&options, None).unwrap();
    assert!(matches!(
        open(&options, None),
        Err(SinkError::Locked { .. })
    ));
    drop(first);
    assert!(open(&options, None).is_ok());
}

#[tokio::test]
async fn a_batch_with_a_value_of_two_lines_is_refused_whole_and_the_sink_goes_on() {
    let directory = tempfile::tempdir().unwrap();
    let options = options(directory.path());
    let mut sink = open(&options, None).unwrap();
    let refused = sink.write(&values(&["1", "{\n}"])).await.unwrap_err();
    assert!(
        matches!(refused, SinkError::NotOneLine { output: 1 }),
        "{refused}"
    );
    sink.write(&values(&["2"])).await.unwrap();
    sink.sync().await.unwrap();
    assert_eq!(lines(&fs::read(&options.path).unwrap()), ["2"]);
}

#[tokio::test]
async fn an_output_with_a_topic_of_its_own_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let mut sink = open(&options(directory.path()), None).unwrap();
    let mut batch = values(&["1", "2"]);
    batch.outputs.topics.push(b"");
    batch.outputs.topics.push(b"orders");
    assert!(matches!(
        sink.write(&batch).await,
        Err(SinkError::Topic { output: 1 })
    ));
}

#[tokio::test]
async fn a_file_that_somebody_else_changes_breaks_the_sink() {
    let directory = tempfile::tempdir().unwrap();
    let options = options(directory.path());
    let mut sink = open(&options, None).unwrap();
    sink.write(&values(&["1"])).await.unwrap();
    sink.sync().await.unwrap();
    fs::write(&options.path, "").unwrap();
    sink.write(&values(&["2"])).await.unwrap();
    let changed = sink.sync().await.unwrap_err();
    assert!(
        matches!(
            changed,
            SinkError::Changed {
                length: 2,
                expected: 4,
                ..
            }
        ),
        "{changed}"
    );
    assert!(matches!(sink.sync().await, Err(SinkError::Broken { .. })));
}

#[test]
fn a_device_is_not_a_file() {
    let directory = tempfile::tempdir().unwrap();
    let options = FileSinkOptions {
        path: Path::new("/dev/null").to_owned(),
        ..options(directory.path())
    };
    assert!(matches!(open(&options, None), Err(SinkError::Io { .. })));
}

#[tokio::test]
async fn output_larger_than_a_piece_keeps_its_order() {
    let directory = tempfile::tempdir().unwrap();
    let options = options(directory.path());
    let mut sink = open(&options, None).unwrap();
    let expected: Vec<String> = (0..200)
        .map(|index| format!("{index}{}", "x".repeat(20_000)))
        .collect();
    for value in &expected {
        sink.write(&values(&[value])).await.unwrap();
    }
    sink.sync().await.unwrap();
    assert_eq!(lines(&fs::read(&options.path).unwrap()), expected);
}
