//! Writes shaped batches in the order in which they come, and makes them durable in groups.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use acequia_core::{ReaderId, Seq};
use metrics::histogram;
use tokio::sync::mpsc;
use tracing::{Instrument, trace_span};

use super::{Counts, Flow, Origin, Shaped};
use crate::chain::chain;
use crate::sink::{Sink, SinkState};
use crate::telemetry::SPANS;

/// Batches that become durable together at the most. What has come in while the sink was busy is
/// one group: the slower the sink, the larger the groups. The bound keeps acknowledgements coming.
const GROUP_BATCHES_MAX: u64 = 256;

/// What the writer reports.
#[derive(Debug)]
pub(crate) enum Written {
    /// All up to these items is durable, and the state is of exactly that.
    Durable {
        acknowledged: BTreeMap<ReaderId, Seq>,
        state: SinkState,
        counts: Counts,
    },
    /// A control record is durable.
    Control { state: SinkState },
    /// The sink failed; nothing more is written.
    Failed { cause: String },
}

/// Runs until the shapers are gone or the sink fails.
pub(crate) async fn write(
    mut sink: Box<dyn Sink>,
    mut shaped: mpsc::UnboundedReceiver<Shaped>,
    flow: Arc<Flow>,
    report: impl Fn(Written),
) {
    while let Some(first) = shaped.recv().await {
        let span = trace_span!(target: SPANS, "write");
        let written = write_group(sink.as_mut(), first, &mut shaped, &flow);
        match written.instrument(span).await {
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
    flow: &Flow,
) -> Result<Vec<Written>, crate::sink::SinkError> {
    flow.begin_group();
    let began = Instant::now();
    let mut acknowledged = BTreeMap::new();
    let mut counts = Counts::default();
    let mut control = false;
    let mut next = Some(first);
    let mut batches = 0_u64;
    while let Some(batch) = next {
        if let Origin::Control { cut: Some(cut) } = &batch.origin {
            sink.cut_back(cut).await?;
        }
        sink.write(&batch.outputs).await?;
        counts.add(batch.counts);
        match batch.origin {
            Origin::Records(reader, last) => {
                acknowledged.insert(reader, last);
            }
            Origin::Control { .. } => control = true,
        }
        batches += 1;
        next = (batches < GROUP_BATCHES_MAX)
            .then(|| shaped.try_recv().ok())
            .flatten();
    }
    let written = Instant::now();
    let state = sink.sync().await?;
    let (write, made_durable) = (written - began, written.elapsed());
    flow.end_group(batches, write, made_durable);
    histogram!("acequia_sink_write_seconds").record(write);
    histogram!("acequia_sink_sync_seconds").record(made_durable);
    let mut reports = Vec::new();
    if !acknowledged.is_empty() {
        reports.push(Written::Durable {
            acknowledged,
            state: state.clone(),
            counts,
        });
    }
    if control {
        reports.push(Written::Control { state });
    }
    Ok(reports)
}
