//! The Bigtable service.

mod admin;
mod client;
mod faults;
mod flood;
mod follow;
mod foreign;
mod merge;
mod opening;
mod reading;
mod topology;
mod wire;
