//! Loading: from a place in the configuration to a component that is known to work.

use std::sync::Arc;

use thiserror::Error;
use tokio::task::{JoinError, spawn_blocking};
use wasmtime::component::{Component, InstancePre};

use super::about;
use super::bindings::exports::acequia::connector::plugin;
use super::engine::Engine;
use super::fit::{self, MisfitError, NoWorldError};
use super::instance::Instance;
use super::limits::Limits;
use super::live::{self, Live, StartError};
use super::log::GuestLog;
use super::meter::Meter;
use super::origin::{self, OriginError};
use super::state::State;
use super::world::{Interface, World};
use crate::batch::Shape;
use crate::config::GuestRef;

/// Why a component cannot be used.
#[derive(Debug, Error)]
pub enum LoadError {
    /// Its bytes cannot be had.
    #[error(transparent)]
    Origin(#[from] OriginError),
    /// It does not compile.
    #[error("it does not compile: {0}")]
    Compile(String),
    /// The thread that compiled it is gone.
    #[error("compiling it was broken off")]
    Broken(#[from] JoinError),
    /// It is not what its place needs.
    #[error(transparent)]
    Misfit(#[from] MisfitError),
    /// It is of no world, where any would do.
    #[error(transparent)]
    NoWorld(#[from] NoWorldError),
    /// It is made for records of another shape.
    #[error("it is {}, and here {} are read", .world.kind(), .read.records())]
    OtherShape {
        /// The component's world.
        world: World,
        /// What is read.
        read: Shape,
    },
    /// It does not start, or it refuses its configuration.
    #[error(transparent)]
    Start(#[from] StartError),
}

/// A compiled component of one world with its configuration: all that an instance is made from.
pub(super) struct Loaded<I: Interface> {
    pub(super) pre: InstancePre<State>,
    pub(super) plugin: plugin::GuestIndices,
    pub(super) own: I::Indices,
    pub(super) limits: Limits,
    pub(super) log: GuestLog,
    pub(super) config_json: String,
    pub(super) meter: Arc<Meter>,
}

/// A component whose world is not looked at yet.
pub(super) struct Compiled {
    pub(super) component: Component,
    sha256: [u8; 32],
}

/// Loads a component, asks it what it is and configures it once, so that all that is wrong is known
/// before anything is read.
pub(super) async fn load<I: Interface>(
    engine: &Engine,
    limits: Limits,
    guest: &GuestRef,
) -> Result<Live<I>, LoadError> {
    let compiled = compile(engine, guest, I::WORLDS).await?;
    prepare(engine, limits, guest, compiled).await
}

/// The second half of [`load`].
pub(super) async fn prepare<I: Interface>(
    engine: &Engine,
    limits: Limits,
    guest: &GuestRef,
    compiled: Compiled,
) -> Result<Live<I>, LoadError> {
    let Compiled { component, sha256 } = compiled;
    let pure = fit::check(I::WORLD, &component, &engine.wasm)?;
    let types = |error: wasmtime::Error| StartError::Types(error.root_cause().to_string());
    let pre = engine.linker.instantiate_pre(&component).map_err(types)?;
    let mut loaded = Loaded {
        plugin: plugin::GuestIndices::new(&pre).map_err(types)?,
        own: I::indices(&pre).map_err(types)?,
        pre,
        limits,
        log: GuestLog::new(&origin::label(&guest.origin)),
        config_json: guest.config.to_string(),
        meter: Arc::default(),
    };
    let mut unconfigured = Instance::new(&loaded).await?;
    let mut about = about::describe(&mut unconfigured, sha256, pure)
        .await
        .map_err(StartError::from)?;
    loaded.log = GuestLog::new(&about.name);
    let mut configured = live::start(&loaded).await?;
    // Where its values hold ids may follow from the configuration.
    about.record_id = about::describe(&mut configured, sha256, pure)
        .await
        .map_err(StartError::from)?
        .record_id;
    let mut live = Live::new(loaded, about);
    live.keep(configured);
    Ok(live)
}

/// Reads and compiles on a thread of its own: a Python component takes seconds.
pub(super) async fn compile(
    engine: &Engine,
    guest: &GuestRef,
    worlds: &'static [World],
) -> Result<Compiled, LoadError> {
    let wasm = engine.wasm.clone();
    let (origin, pinned) = (guest.origin.clone(), guest.sha256);
    spawn_blocking(move || {
        let bytes = origin::read(&origin, pinned, worlds)?;
        let component = Component::new(&wasm, &bytes.component)
            .map_err(|error| LoadError::Compile(error.root_cause().to_string()))?;
        Ok(Compiled {
            component,
            sha256: bytes.sha256,
        })
    })
    .await?
}
