//! The place where components are loaded.

use super::cache::CodeCache;
use super::deserializer::Deserializer;
use super::engine::{Engine, EngineError};
use super::limits::Limits;
use super::load::{LoadError, load};
use super::names_filter::NamesFilter;
use super::record_filter::RecordFilter;
use crate::config::GuestRef;

/// Loads components, all under the same limits. There is one for a process.
pub struct Plugins {
    engine: Engine,
    limits: Limits,
}

impl Plugins {
    /// Starts the engine.
    ///
    /// # Errors
    /// If the machine cannot run it.
    pub fn start(limits: Limits, cache: &CodeCache) -> Result<Self, EngineError> {
        Ok(Self {
            engine: Engine::start(cache)?,
            limits,
        })
    }

    /// Loads a component of the world `spanner-deserializer`.
    ///
    /// # Errors
    /// If its bytes cannot be had or are not the pinned ones, it has another world, it does not
    /// start, or it refuses its configuration.
    pub async fn deserializer(&self, guest: &GuestRef) -> Result<Deserializer, LoadError> {
        Ok(Deserializer::new(
            load(&self.engine, self.limits, guest).await?,
        ))
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

    /// Loads a component of the world `spanner-record-filter`.
    ///
    /// # Errors
    /// As [`Plugins::deserializer`].
    pub async fn record_filter(&self, guest: &GuestRef) -> Result<RecordFilter, LoadError> {
        Ok(RecordFilter::new(
            load(&self.engine, self.limits, guest).await?,
        ))
    }
}
