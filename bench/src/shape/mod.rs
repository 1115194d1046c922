//! A JSON deserializer in WebAssembly against the same crate compiled natively, on one batch.

mod bigtable;
mod spanner;

use std::path::PathBuf;
use std::time::Instant;

use acequia_decode::{Blobs as HostBlobs, Times as HostTimes};
use acequia_guest::bindings::plugin::acequia::connector::types::{Blobs, Outputs, Texts, Times};
use acequia_host::batch::Batch;
use acequia_host::config::GuestRef;
use acequia_host::guest::{CodeCache, Deserializer, Limits, Plugins};
use serde::{Deserialize, Serialize};
use tokio::runtime::Runtime;

use crate::client::frames::{self, Plan};
use crate::error::Of as _;
use crate::service::Service;
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

/// The deserializer compiled natively, with a batch as a guest gets it.
type Native = Box<dyn Fn() -> Outputs>;

/// The whole of a shaping process.
///
/// # Errors
/// The guest does not start, or the two do not give the same.
pub fn measure(
    service: Service,
    rounds: u32,
    batches: u32,
    cache: PathBuf,
) -> Result<Shaping, Failed> {
    let frames = frames::of_records(service, BATCH_RECORDS)?;
    let mut batch = frames::empty(service);
    frames::read(&frames, Plan::Everything, &mut batch)?;
    let native = native(&batch)?;
    let runtime = client::runtime(1)?;
    let mut guest = runtime.block_on(guest(service, cache))?;
    let mut shaping = Shaping {
        frame_bytes: frames
            .last()
            .map_or(0, |frame| u64::try_from(frame.len()).unwrap_or(0)),
        value_bytes: check(&runtime, &mut guest, &batch, &native())?,
        ..Shaping::default()
    };
    for _ in 0..rounds {
        shaping.native_ns.push(timed(batches, || {
            drop(native());
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
pub fn batch(service: Service) -> Result<Batch, Failed> {
    let mut batch = frames::empty(service);
    let frames = frames::of_records(service, BATCH_RECORDS)?;
    frames::read(&frames, Plan::Everything, &mut batch)?;
    Ok(batch)
}

/// The built-in JSON deserializer.
///
/// # Errors
/// It does not start.
pub async fn guest(service: Service, cache: PathBuf) -> Result<Deserializer, Failed> {
    let cache = CodeCache::Directory(cache);
    let plugins = Plugins::start(service.shape(), Limits::default(), &cache).of(WHAT)?;
    let place = GuestRef::builtin("json", "deserializer");
    plugins.deserializer(&place).await.of(WHAT)
}

fn native(batch: &Batch) -> Result<Native, Failed> {
    match batch {
        Batch::Spanner(batch) => spanner::native(batch),
        Batch::Bigtable(batch) => bigtable::native(batch),
        Batch::Rows(_) => Err(Failed::new(WHAT, "rows are not measured")),
    }
}

/// Both must do the same work. Gives the bytes of one value.
fn check(
    runtime: &Runtime,
    guest: &mut Deserializer,
    batch: &Batch,
    native: &Outputs,
) -> Result<u64, Failed> {
    let wasm = runtime.block_on(guest.deserialize(batch)).of(WHAT)?;
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

fn texts(texts: &HostBlobs) -> Texts {
    Texts {
        bytes: texts.bytes().to_vec(),
        ends: texts.ends().to_vec(),
    }
}

fn blobs(blobs: &HostBlobs) -> Blobs {
    Blobs {
        bytes: blobs.bytes().to_vec(),
        ends: blobs.ends().to_vec(),
    }
}

fn times(times: &HostTimes) -> Times {
    Times {
        seconds: times.seconds.clone(),
        nanos: times.nanos.clone(),
    }
}
