//! Batches to write, and lines as a reader of a file sees them.

use acequia_host::sink::{DeadLetter, OutputBatch};

pub(crate) fn values(values: &[&str]) -> OutputBatch {
    let mut batch = OutputBatch::default();
    for value in values {
        batch.outputs.keys.push(b"");
        batch.outputs.values.push(value.as_bytes());
    }
    batch
}

pub(crate) fn with_dead_letter(mut batch: OutputBatch, id: &str) -> OutputBatch {
    batch.dead_letters.push(DeadLetter {
        id: id.to_owned(),
        component: "json".to_owned(),
        kind: "malformed".to_owned(),
        message: "two members of one name".to_owned(),
        position: "partition 1".to_owned(),
        raw: "{\"a\":1}".to_owned(),
    });
    batch
}

/// Whole lines; a last line without its end is given with a mark that no line has.
pub(crate) fn lines(text: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(text);
    text.split_inclusive('\n')
        .map(|line| {
            line.strip_suffix('\n')
                .map_or_else(|| format!("{line}<no end>"), str::to_owned)
        })
        .collect()
}

/// The ids of dead letters, one JSON object a line.
pub(crate) fn ids(text: &[u8]) -> Vec<String> {
    let id = |line: &String| {
        serde_json::from_str::<serde_json::Value>(line).unwrap()["id"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    lines(text).iter().map(id).collect()
}
