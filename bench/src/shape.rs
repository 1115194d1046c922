//! The JSON deserializer in WebAssembly against the same crate compiled natively, on one batch.

use std::path::PathBuf;
use std::time::Instant;

use acequia_decode::Texts as HostTexts;
use acequia_decode::spanner::{ChangeBatch, Objects as HostObjects};
use acequia_guest::bindings::plugin::acequia::connector::types::{Texts, Times};
use acequia_guest::bindings::spanner_deserialize::acequia::connector::spanner::{Objects, Tables};
use acequia_guest::spanner::{Changes, Deserializer as _, glue};
use acequia_host::batch::{Batch, Service};
use acequia_host::config::GuestRef;
use acequia_host::guest::{CodeCache, Deserializer, Limits, Plugins};
use acequia_spanner_json_deserializer::Json;
use serde::{Deserialize, Serialize};

use crate::client::frames::{self, Plan};
use crate::error::Of as _;
use crate::{Failed, client};

const WHAT: &str = "the deserializer";

/// Records of the batch: as many as the pipeline closes one at.
pub const BATCH_RECORDS: u32 = 128;

/// Time per record, nanoseconds, sample by sample.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct Shaping {
    /// In WebAssembly: the batch copied in, the call, the outputs copied out and checked.
    pub wasm_ns: Vec<f64>,
    /// The same code compiled natively, on a batch that is there.
    pub native_ns: Vec<f64>,
    /// Bytes of one record on the wire.
    pub frame_bytes: u64,
    /// Bytes of one value.
    pub value_bytes: u64,
}

/// The whole of a shaping process.
///
/// # Errors
/// The guest does not start, or the two do not give the same.
pub fn measure(rounds: u32, batches: u32, cache: PathBuf) -> Result<Shaping, Failed> {
    let frames = frames::of_records(BATCH_RECORDS)?;
    let mut batch = ChangeBatch::default();
    frames::batch(&frames, Plan::Everything, &mut batch)?;
    let changes = changes(&batch);
    let batch = Batch::from(batch);
    let json =
        Json::configure("{}").map_err(|_errors| Failed::new(WHAT, "it is not configured"))?;
    let runtime = client::runtime(1)?;
    let mut guest = runtime.block_on(guest(cache))?;
    let mut shaping = Shaping {
        frame_bytes: frames
            .last()
            .map_or(0, |frame| u64::try_from(frame.len()).unwrap_or(0)),
        value_bytes: check(&runtime, &mut guest, &json, &batch, &changes)?,
        ..Shaping::default()
    };
    for _ in 0..rounds {
        shaping.native_ns.push(timed(batches, || {
            drop(glue::deserialize(Some(&json), &changes));
            Ok(())
        })?);
        shaping.wasm_ns.push(timed(batches, || {
            let shaped = runtime.block_on(guest.deserialize(&batch));
            shaped.map(drop).of(WHAT)
        })?);
    }
    runtime.shutdown_background();
    Ok(shaping)
}

/// A batch of the measured record.
///
/// # Errors
/// The sandbox does not serve it.
pub fn batch() -> Result<Batch, Failed> {
    let mut batch = ChangeBatch::default();
    let frames = frames::of_records(BATCH_RECORDS)?;
    frames::batch(&frames, Plan::Everything, &mut batch)?;
    Ok(batch.into())
}

/// The built-in JSON deserializer.
///
/// # Errors
/// It does not start.
pub async fn guest(cache: PathBuf) -> Result<Deserializer, Failed> {
    let cache = CodeCache::Directory(cache);
    let plugins = Plugins::start(Service::Spanner, Limits::default(), &cache).of(WHAT)?;
    let place = GuestRef::builtin("json", "deserializer");
    plugins.deserializer(&place).await.of(WHAT)
}

/// Both must do the same work. Gives the bytes of one value.
fn check(
    runtime: &tokio::runtime::Runtime,
    guest: &mut Deserializer,
    json: &Json,
    batch: &Batch,
    changes: &Changes,
) -> Result<u64, Failed> {
    let wasm = runtime.block_on(guest.deserialize(batch)).of(WHAT)?;
    let native = glue::deserialize(Some(json), changes);
    let same = wasm.outputs.values.bytes() == native.values.bytes.as_slice()
        && wasm.outputs.values.ends() == native.values.ends.as_slice()
        && wasm.outputs.values.len() == batch.records();
    match (same, native.values.ends.first()) {
        (true, Some(bytes)) => Ok(u64::from(*bytes)),
        _ => Err(Failed::new(WHAT, "native and WebAssembly differ")),
    }
}

/// Time per record, nanoseconds.
#[allow(
    clippy::cast_precision_loss,
    reason = "nanoseconds of a short time fit a float"
)]
fn timed(batches: u32, mut once: impl FnMut() -> Result<(), Failed>) -> Result<f64, Failed> {
    let began = Instant::now();
    for _ in 0..batches {
        once()?;
    }
    let records = f64::from(batches) * f64::from(BATCH_RECORDS);
    Ok(began.elapsed().as_nanos() as f64 / records)
}

/// A host's batch as a guest gets it.
fn changes(batch: &ChangeBatch) -> Changes {
    Changes {
        tables: Tables {
            names: texts(&batch.tables.names),
            column_ends: batch.tables.column_ends.clone(),
            column_names: texts(&batch.tables.column_names),
            column_types: texts(&batch.tables.column_types),
            column_keys: batch.tables.column_keys.clone(),
            column_ordinals: batch.tables.column_ordinals.clone(),
        },
        table: batch.table.clone(),
        ids: texts(&batch.ids),
        commit_timestamps: texts(&batch.commit_timestamps),
        commit_times: Times {
            seconds: batch.commit_times.seconds.clone(),
            nanos: batch.commit_times.nanos.clone(),
        },
        record_sequences: texts(&batch.record_sequences),
        transaction_ids: texts(&batch.transaction_ids),
        mod_types: texts(&batch.mod_types),
        value_capture_types: texts(&batch.value_capture_types),
        transaction_tags: texts(&batch.transaction_tags),
        is_last: batch.is_last.clone(),
        is_system: batch.is_system.clone(),
        records_in_transaction: batch.records_in_transaction.clone(),
        partitions_in_transaction: batch.partitions_in_transaction.clone(),
        mod_ends: batch.mod_ends.clone(),
        mod_ids: texts(&batch.mod_ids),
        keys: objects(&batch.keys),
        new_values: objects(&batch.new_values),
        old_values: objects(&batch.old_values),
    }
}

fn texts(texts: &HostTexts) -> Texts {
    Texts {
        bytes: texts.bytes().to_vec(),
        ends: texts.ends().to_vec(),
    }
}

fn objects(objects: &HostObjects) -> Objects {
    Objects {
        texts: texts(&objects.texts),
        cell_ends: objects.cell_ends.clone(),
        cell_columns: objects.cell_columns.clone(),
        cell_starts: objects.cell_starts.clone(),
        cell_stops: objects.cell_stops.clone(),
    }
}
