//! The Bigtable service.

mod admin;
mod client;
mod faults;
mod follow;
mod merge;
mod opening;
mod reading;
mod topology;
mod wire;
