//! Feeding a deserializer.

use std::io::{self, BufRead};

use acequia_decode::Texts;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::lines::{FailureLine, OutputLine, Take, line, shown};
use super::noticed::Noticed;
use super::{Counts, ReplayError, Unit};
use crate::batch::Batch;
use crate::guest::{Deserialized, Deserializer};
use crate::recording::{Reader, Recorded};
use crate::sink::Outputs;

/// Every batch and every control record, in order.
pub(super) async fn feed(
    deserializer: &mut Deserializer,
    recording: Reader<impl BufRead>,
    to: &mut dyn Take,
    noticed: &mut Noticed,
) -> Result<Counts, ReplayError> {
    let mut counts = Counts {
        unit: Unit::Record,
        ..Counts::default()
    };
    for part in recording {
        match part? {
            Recorded::Batch(batch) => {
                let made = deserializer.deserialize_all(&batch).await?;
                counts.fed += batch.records();
                counts.batches += 1;
                counts.passed += distinct(&made.source);
                counts.failed += made.failures.len();
                notice(noticed, &batch, &made);
                push(to, &batch, &made)?;
            }
            Recorded::Control(event) => {
                let outputs = deserializer.control(&event).await?;
                counts.controls += 1;
                for value in outputs.values.iter() {
                    noticed.look(event.id(), value);
                }
                push_control(to, event.id(), &outputs)?;
            }
        }
    }
    Ok(counts)
}

fn notice(noticed: &mut Noticed, batch: &Batch, made: &Deserialized) {
    for (id, value) in made.values(batch) {
        noticed.look(id, value);
    }
}

fn push(to: &mut dyn Take, batch: &Batch, made: &Deserialized) -> io::Result<()> {
    for (index, source) in made.source.iter().enumerate() {
        let record = usize::try_from(*source).unwrap_or(usize::MAX);
        push_output(to, text(batch.ids(), record), &made.outputs, index)?;
    }
    for failure in &made.failures {
        to.failure(line(&FailureLine {
            source: text(batch.ids(), failure.record),
            failure: failure.kind.to_string(),
            message: &failure.message,
        }))?;
    }
    Ok(())
}

fn push_control(to: &mut dyn Take, id: &str, outputs: &Outputs) -> io::Result<()> {
    (0..outputs.values.len()).try_for_each(|index| push_output(to, id, outputs, index))
}

fn push_output(to: &mut dyn Take, source: &str, outputs: &Outputs, index: usize) -> io::Result<()> {
    let key = outputs.keys.get(index).unwrap_or_default();
    let key_text = std::str::from_utf8(key).ok();
    let topic = text(&outputs.topics, index);
    to.output(line(&OutputLine {
        source,
        key: key_text.filter(|key| !key.is_empty()).and_then(shown),
        key_base64: key_text.is_none().then(|| STANDARD.encode(key)),
        value: shown(text(&outputs.values, index)),
        topic: (!topic.is_empty()).then_some(topic),
    }))
}

/// How many records gave outputs. The list never decreases.
fn distinct(source: &[u32]) -> usize {
    source.chunk_by(|one, next| one == next).count()
}

/// Every text here was checked to be UTF-8.
fn text(texts: &Texts, index: usize) -> &str {
    std::str::from_utf8(texts.get(index).unwrap_or_default()).unwrap_or_default()
}
