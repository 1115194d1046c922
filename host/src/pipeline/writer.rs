//! Writes shaped batches in the order in which they come, and makes them durable in groups.

use std::collections::BTreeMap;

use acequia_core::{ReaderId, Seq};
use tokio::sync::mpsc;

use super::{Counts, Origin, Shaped};
use crate::chain::chain;
use crate::sink::{Sink, SinkState};

/// Batches that become durable together at the most. What has come in while the sink was busy is
/// one group: the slower the sink, the larger the groups. The bound keeps acknowledgements coming.
const GROUP_BATCHES_MAX: usize = 256;

/// What the writer reports.
#[derive(Debug)]
pub(crate) enum Written {
    /// All up to these items is durable, and the state is of exactly that.
    Durable {
        acknowledged: BTreeMap<ReaderId, Seq>,
        state: SinkState,
        counts: Counts,
    },
    /// The record of a gap is durable.
    Gap { state: SinkState },
    /// The sink failed; nothing more is written.
    Failed { cause: String },
}

/// Runs until the shapers are gone or the sink fails.
pub(crate) async fn write(
    mut sink: Box<dyn Sink>,
    mut shaped: mpsc::UnboundedReceiver<Shaped>,
    report: impl Fn(Written),
) {
    while let Some(first) = shaped.recv().await {
        match write_group(sink.as_mut(), first, &mut shaped).await {
            Ok(reports) => reports.into_iter().for_each(&report),
            Err(error) => {
                let cause = format!("the sink failed: {}", chain(&error));
                report(Written::Failed { cause });
                return;
            }
        }
    }
}

async fn write_group(
    sink: &mut dyn Sink,
    first: Shaped,
    shaped: &mut mpsc::UnboundedReceiver<Shaped>,
) -> Result<Vec<Written>, crate::sink::SinkError> {
    let mut acknowledged = BTreeMap::new();
    let mut counts = Counts::default();
    let mut gap = false;
    let mut next = Some(first);
    let mut batches = 0;
    while let Some(batch) = next {
        sink.write(&batch.outputs).await?;
        counts.add(batch.counts);
        match batch.origin {
            Origin::Records(reader, last) => {
                acknowledged.insert(reader, last);
            }
            Origin::Gap => gap = true,
        }
        batches += 1;
        next = (batches < GROUP_BATCHES_MAX)
            .then(|| shaped.try_recv().ok())
            .flatten();
    }
    let state = sink.sync().await?;
    let mut reports = Vec::new();
    if !acknowledged.is_empty() {
        reports.push(Written::Durable {
            acknowledged,
            state: state.clone(),
            counts,
        });
    }
    if gap {
        reports.push(Written::Gap { state });
    }
    Ok(reports)
}
