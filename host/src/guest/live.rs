//! A component in use: an instance that is made anew and configured again after it was lost.

use std::sync::Arc;
use std::time::Instant;

use thiserror::Error;
use tokio::time::timeout;

use super::about::About;
use super::instance::{Instance, Stopped};
use super::limits::{CONFIG_ERRORS_MAX, ERROR_MESSAGE_BYTES_MAX};
use super::load::Loaded;
use super::message::clip;
use super::meter::Meter;
use super::world::Interface;

/// Why no instance could be made. The run stops: no record is at fault.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum StartError {
    /// It was stopped while it started or was configured.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// Its interfaces have the right names and other types.
    #[error("it was built against another version of the contract: {0}")]
    Types(String),
    /// It refuses its configuration.
    #[error("the component refuses its configuration: {}", told(.0))]
    Configuration(Vec<ConfigError>),
}

/// One thing that a component finds wrong with its configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError {
    /// Where: a member of the component's configuration, such as `granularity`; empty for the
    /// whole.
    pub path: String,
    /// What is wrong and what would be right.
    pub message: String,
}

fn told(errors: &[ConfigError]) -> String {
    let told = errors.iter().map(|ConfigError { path, message }| {
        if path.is_empty() {
            message.clone()
        } else {
            format!("{path}: {message}")
        }
    });
    told.collect::<Vec<_>>().join("; ")
}

/// A component in use.
pub(super) struct Live<I: Interface> {
    loaded: Arc<Loaded<I>>,
    about: Arc<About>,
    instance: Option<Box<Instance<I>>>,
}

impl<I: Interface> Live<I> {
    pub(super) fn new(loaded: Loaded<I>, about: About) -> Self {
        Self {
            loaded: Arc::new(loaded),
            about: Arc::new(about),
            instance: None,
        }
    }

    pub(super) fn about(&self) -> &About {
        &self.about
    }

    /// What all instances of the component cost.
    pub(super) fn meter(&self) -> &Arc<Meter> {
        &self.loaded.meter
    }

    /// Another instance of the same component.
    pub(super) fn another(&self) -> Self {
        Self {
            loaded: Arc::clone(&self.loaded),
            about: Arc::clone(&self.about),
            instance: None,
        }
    }

    /// Takes the instance, or makes one and configures it. Whoever takes it gives it back with
    /// [`Live::keep`] after a good answer only: an instance that was stopped, answered badly, or
    /// whose call was dropped half-way is never used again.
    pub(super) async fn take(&mut self) -> Result<Box<Instance<I>>, StartError> {
        match self.instance.take() {
            Some(instance) => Ok(instance),
            None => start(&self.loaded).await,
        }
    }

    pub(super) fn keep(&mut self, instance: Box<Instance<I>>) {
        self.instance = Some(instance);
    }
}

/// Makes an instance and configures it.
pub(super) async fn start<I: Interface>(
    loaded: &Loaded<I>,
) -> Result<Box<Instance<I>>, StartError> {
    let mut instance = Box::new(Instance::new(loaded).await?);
    let limit = instance.limits.call_timeout;
    let began = Instant::now();
    let call = instance
        .plugin
        .call_configure(&mut instance.store, &loaded.config_json);
    let result = timeout(limit, call).await;
    let Err(errors) = instance.ended(began, result)? else {
        return Ok(instance);
    };
    let line = |text: &str| clip(text, ERROR_MESSAGE_BYTES_MAX);
    let errors = errors.iter().take(CONFIG_ERRORS_MAX);
    let errors = errors.map(|error| ConfigError {
        path: line(&error.path),
        message: line(&error.message),
    });
    Err(StartError::Configuration(errors.collect()))
}
