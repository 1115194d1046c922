//! The Spanner service.

mod batch;
mod catalog;
mod client;
mod decode;
mod drain;
mod faults;
mod flood;
mod life;
mod live;
mod mutable;
mod opening;
mod wire;
