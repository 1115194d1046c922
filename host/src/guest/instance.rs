//! One instance of a component, and how a call into it ends.

use std::sync::Arc;
use std::time::{Duration, Instant};

use thiserror::Error;
use tokio::time::error::Elapsed;
use tokio::time::timeout;
use wasmtime::{Store, Trap};

use super::bindings::exports::acequia::connector::plugin;
use super::limits::{ANSWER_BYTES_MAX, ERROR_MESSAGE_BYTES_MAX, Limits};
use super::live::StartError;
use super::load::Loaded;
use super::message::clip;
use super::meter::Meter;
use super::state::State;
use super::world::Interface;

/// How a call was stopped. The instance is gone with it.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Stopped {
    /// The component trapped.
    #[error("the component trapped: {0}")]
    Trap(String),
    /// The call ran into its time limit.
    #[error(
        "the component gave no answer within {limit:?}; raise guest-timeout if it needs longer"
    )]
    Timeout {
        /// The limit.
        limit: Duration,
    },
    /// The component died of its memory limit.
    #[error(
        "the component needed more than {limit} bytes of memory; raise guest-memory-bytes-max if it \
         needs more"
    )]
    Memory {
        /// The limit, in bytes.
        limit: usize,
    },
}

/// An instance: its store and its functions.
pub(super) struct Instance<I: Interface> {
    pub(super) store: Store<State>,
    pub(super) plugin: plugin::Guest,
    pub(super) functions: I::Functions,
    pub(super) limits: Limits,
    pub(super) meter: Arc<Meter>,
}

/// A call that came to its end, or to its time limit.
pub(super) type Ended<T> = Result<wasmtime::Result<T>, Elapsed>;

impl<I: Interface> Instance<I> {
    /// Makes an instance. It is not configured.
    pub(super) async fn new(loaded: &Loaded<I>) -> Result<Self, StartError> {
        let limits = loaded.limits;
        let mut store = store(loaded);
        let made = timeout(
            limits.call_timeout,
            loaded.pre.instantiate_async(&mut store),
        )
        .await;
        let instance = ended(&store, limits, made)?;
        let types = |error: wasmtime::Error| StartError::Types(error.root_cause().to_string());
        let plugin = loaded.plugin.load(&mut store, &instance).map_err(types)?;
        let functions = I::functions(&loaded.own, &mut store, &instance).map_err(types)?;
        Ok(Self {
            store,
            plugin,
            functions,
            limits,
            meter: Arc::clone(&loaded.meter),
        })
    }

    /// Reads how a call ended, which began at an instant, and counts it.
    pub(super) fn ended<T>(&self, began: Instant, result: Ended<T>) -> Result<T, Stopped> {
        self.meter.called(began, self.store.data().memory.bytes);
        let ended = ended(&self.store, self.limits, result);
        if let Err(stopped) = &ended {
            self.meter.stopped(stopped);
        }
        ended
    }
}

/// The timeout around a call ends what sleeps inside WASI; the epochs let the timeout be noticed
/// while a component computes.
fn store<I: Interface>(loaded: &Loaded<I>) -> Store<State> {
    let state = State::new(loaded.limits.memory_bytes_max, loaded.log.clone());
    let mut store = Store::new(loaded.pre.engine(), state);
    store.limiter(|state| &mut state.memory);
    store.set_hostcall_fuel(ANSWER_BYTES_MAX);
    store.set_epoch_deadline(1);
    store.epoch_deadline_async_yield_and_update(1);
    store
}

fn ended<T>(store: &Store<State>, limits: Limits, result: Ended<T>) -> Result<T, Stopped> {
    match result {
        Ok(Ok(value)) => Ok(value),
        Ok(Err(_)) if store.data().memory.refused => Err(Stopped::Memory {
            limit: limits.memory_bytes_max,
        }),
        Ok(Err(error)) => Err(Stopped::Trap(reason(&error))),
        Err(_) => Err(Stopped::Timeout {
            limit: limits.call_timeout,
        }),
    }
}

/// The code of a trap or the innermost reason. The backtrace is left out: it is of no use without
/// the component's source, and long.
fn reason(error: &wasmtime::Error) -> String {
    match error.downcast_ref::<Trap>() {
        Some(trap) => trap.to_string(),
        None => clip(&error.root_cause().to_string(), ERROR_MESSAGE_BYTES_MAX),
    }
}
