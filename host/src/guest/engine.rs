//! The WebAssembly engine: what it checks, what it links, and its clock.

use std::io;
use std::thread;

use thiserror::Error;
use wasmtime::component::{HasSelf, Linker};
use wasmtime::{Config, EngineWeak};

use super::bindings::acequia::connector::log;
use super::cache::CodeCache;
use super::limits::EPOCH;
use super::state::State;

/// Why there is no engine.
#[derive(Debug, Error)]
pub enum EngineError {
    /// The engine refuses this machine or its configuration.
    #[error("the WebAssembly engine does not start: {0}")]
    Engine(String),
    /// The thread that counts epochs does not start.
    #[error("the thread that interrupts components does not start")]
    Ticker(#[source] io::Error),
}

/// The engine with everything a component may import. Clones share it.
#[derive(Clone)]
pub(super) struct Engine {
    pub(super) wasm: wasmtime::Engine,
    pub(super) linker: Linker<State>,
}

impl Engine {
    /// Starts the engine and the thread that counts its epochs; the thread ends with the engine.
    pub(super) fn start(cache: &CodeCache) -> Result<Self, EngineError> {
        let refused = |error: wasmtime::Error| EngineError::Engine(error.root_cause().to_string());
        let mut config = Config::new();
        config.epoch_interruption(true).cache(cache.open());
        let wasm = wasmtime::Engine::new(&config).map_err(refused)?;
        let linker = linker(&wasm).map_err(refused)?;
        let clock = wasm.weak();
        thread::Builder::new()
            .name("acequia-epochs".to_owned())
            .spawn(move || count_epochs(&clock))
            .map_err(EngineError::Ticker)?;
        Ok(Self { wasm, linker })
    }
}

/// One linker serves pure components and those that were built for WASI: the latter find its
/// functions, with nothing behind them.
fn linker(engine: &wasmtime::Engine) -> wasmtime::Result<Linker<State>> {
    let mut linker = Linker::new(engine);
    log::add_to_linker::<State, HasSelf<State>>(&mut linker, |state| state)?;
    wasmtime_wasi::p2::add_to_linker_async(&mut linker)?;
    Ok(linker)
}

fn count_epochs(engine: &EngineWeak) {
    while let Some(engine) = engine.upgrade() {
        engine.increment_epoch();
        drop(engine);
        thread::sleep(EPOCH);
    }
}
