//! A thin client of Cloud Spanner: the few calls that reading needs.
//!
//! The one session of a client is made anew when the service forgets it ([`client`]), and what a status
//! means is one pure function ([`status`]). How calls are made is [`google`](crate::google)'s.

mod client;
pub mod discovery;
mod options;
pub mod request;
pub(crate) mod snapshot;
pub mod status;
pub mod watch_list;

pub use client::{Client, FrameStream};
