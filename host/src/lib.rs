//! The shell: config, gRPC, driver, guests, sinks, checkpoints.

pub mod config;
