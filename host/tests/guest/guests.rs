//! Where the test guests are, and how they are loaded.

use std::path::PathBuf;
use std::time::Duration;

use acequia_host::batch::Shape;
use acequia_host::config::{GuestRef, Origin};
use acequia_host::guest::{CodeCache, Deserializer, Limits, LoadError, Plugins};
use serde_json::{Value, json};

/// The file of a test guest.
pub(crate) fn path(name: &str) -> PathBuf {
    find(name).unwrap_or_else(|| panic!("{name}.wasm is not there"))
}

pub(crate) use crate::folder::find;

/// A place in a configuration that names a test guest.
pub(crate) fn guest(name: &str, config: Value) -> GuestRef {
    place(Origin::Path(path(name)), config)
}

pub(crate) fn place(origin: Origin, config: Value) -> GuestRef {
    GuestRef {
        origin,
        sha256: None,
        config,
        config_path: "guest".to_owned(),
    }
}

/// Small limits, so that what runs into them does so soon.
pub(crate) const LIMITS: Limits = Limits {
    call_timeout: Duration::from_secs(20),
    memory_bytes_max: 32 << 20,
};

/// Limits for a guest that does not answer in time.
pub(crate) const IMPATIENT: Limits = Limits {
    call_timeout: Duration::from_millis(250),
    ..LIMITS
};

pub(crate) fn plugins(limits: Limits) -> Plugins {
    plugins_for(Shape::Spanner, limits)
}

pub(crate) fn plugins_for(shape: Shape, limits: Limits) -> Plugins {
    let cache = CodeCache::Directory(concat!(env!("CARGO_TARGET_TMPDIR"), "/components").into());
    Plugins::start(shape, limits, &cache).unwrap()
}

/// The hostile guest in one of its modes.
pub(crate) async fn hostile(limits: Limits, mode: &str) -> Result<Deserializer, LoadError> {
    plugins(limits)
        .deserializer(&guest("hostile", json!({ "mode": mode })))
        .await
}
