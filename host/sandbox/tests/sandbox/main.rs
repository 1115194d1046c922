//! The sandbox seen through an ordinary gRPC client.

mod catalog;
mod client;
mod decode;
mod drain;
mod faults;
mod life;
mod live;
mod mutable;
mod opening;
mod wire;
