//! The place where components are loaded.

use std::sync::Arc;

use super::about::About;
use super::cache::CodeCache;
use super::deserializer::Deserializer;
use super::engine::{Engine, EngineError};
use super::fit;
use super::limits::Limits;
use super::load::{LoadError, compile, load, prepare};
use super::meter::Meter;
use super::names_filter::NamesFilter;
use super::record_filter::RecordFilter;
use super::world::World;
use crate::batch::Shape;
use crate::config::GuestRef;

/// Loads components for records of one shape, all under the same limits. There is one for a
/// process.
pub struct Plugins {
    shape: Shape,
    engine: Engine,
    limits: Limits,
}

/// A loaded component of any world.
pub enum Plugin {
    /// Of the world `names-filter`.
    NamesFilter(NamesFilter),
    /// Of a shape's world of record filters.
    RecordFilter(RecordFilter),
    /// Of a shape's world of deserializers.
    Deserializer(Deserializer),
}

impl Plugin {
    /// What is known of the component.
    #[must_use]
    pub fn about(&self) -> &About {
        match self {
            Self::NamesFilter(filter) => filter.about(),
            Self::RecordFilter(filter) => filter.about(),
            Self::Deserializer(deserializer) => deserializer.about(),
        }
    }

    /// What the component costs, over all its instances.
    #[must_use]
    pub fn meter(&self) -> Arc<Meter> {
        match self {
            Self::NamesFilter(filter) => filter.meter(),
            Self::RecordFilter(filter) => filter.meter(),
            Self::Deserializer(deserializer) => deserializer.meter(),
        }
    }
}

impl Plugins {
    /// Starts the engine.
    ///
    /// # Errors
    /// If the machine cannot run it.
    pub fn start(shape: Shape, limits: Limits, cache: &CodeCache) -> Result<Self, EngineError> {
        Ok(Self {
            shape,
            engine: Engine::start(cache)?,
            limits,
        })
    }

    /// Loads a component of whatever world it has, if that has a place where such records are read.
    ///
    /// # Errors
    /// As [`Plugins::deserializer`], or if it has none.
    pub async fn any(&self, guest: &GuestRef) -> Result<Plugin, LoadError> {
        let (engine, limits) = (&self.engine, self.limits);
        let worlds = World::of(self.shape);
        let compiled = compile(engine, guest, worlds).await?;
        let world = fit::world(&compiled.component, &engine.wasm)?;
        if !worlds.contains(&world) {
            let read = self.shape;
            return Err(LoadError::OtherShape { world, read });
        }
        Ok(match world {
            World::NamesFilter => {
                let live = prepare(engine, limits, guest, compiled).await?;
                Plugin::NamesFilter(NamesFilter::new(live))
            }
            World::SpannerRecordFilter => {
                let live = prepare(engine, limits, guest, compiled).await?;
                Plugin::RecordFilter(RecordFilter::spanner(live))
            }
            World::SpannerDeserializer => {
                let live = prepare(engine, limits, guest, compiled).await?;
                Plugin::Deserializer(Deserializer::spanner(live))
            }
            World::BigtableRecordFilter => {
                let live = prepare(engine, limits, guest, compiled).await?;
                Plugin::RecordFilter(RecordFilter::bigtable(live))
            }
            World::BigtableDeserializer => {
                let live = prepare(engine, limits, guest, compiled).await?;
                Plugin::Deserializer(Deserializer::bigtable(live))
            }
            World::RowsRecordFilter => {
                let live = prepare(engine, limits, guest, compiled).await?;
                Plugin::RecordFilter(RecordFilter::rows(live))
            }
            World::RowsDeserializer => {
                let live = prepare(engine, limits, guest, compiled).await?;
                Plugin::Deserializer(Deserializer::rows(live))
            }
        })
    }

    /// Loads a component of the world of deserializers of its shape.
    ///
    /// # Errors
    /// If its bytes cannot be had or are not the pinned ones, it has another world, it does not
    /// start, or it refuses its configuration.
    pub async fn deserializer(&self, guest: &GuestRef) -> Result<Deserializer, LoadError> {
        let (engine, limits) = (&self.engine, self.limits);
        Ok(match self.shape {
            Shape::Spanner => Deserializer::spanner(load(engine, limits, guest).await?),
            Shape::Bigtable => Deserializer::bigtable(load(engine, limits, guest).await?),
            Shape::Rows => Deserializer::rows(load(engine, limits, guest).await?),
        })
    }

    /// Loads a component of the world `names-filter`.
    ///
    /// # Errors
    /// As [`Plugins::deserializer`].
    pub async fn names_filter(&self, guest: &GuestRef) -> Result<NamesFilter, LoadError> {
        Ok(NamesFilter::new(
            load(&self.engine, self.limits, guest).await?,
        ))
    }

    /// Loads a component of the world of record filters of its shape.
    ///
    /// # Errors
    /// As [`Plugins::deserializer`].
    pub async fn record_filter(&self, guest: &GuestRef) -> Result<RecordFilter, LoadError> {
        let (engine, limits) = (&self.engine, self.limits);
        Ok(match self.shape {
            Shape::Spanner => RecordFilter::spanner(load(engine, limits, guest).await?),
            Shape::Bigtable => RecordFilter::bigtable(load(engine, limits, guest).await?),
            Shape::Rows => RecordFilter::rows(load(engine, limits, guest).await?),
        })
    }
}
