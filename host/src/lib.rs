//! The shell: config, gRPC, driver, guests, sinks, checkpoints.

pub mod checkpoint_store;
pub mod config;
pub mod files;
pub mod sink;
