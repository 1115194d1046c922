//! A thin client of Bigtable: the two calls of change streams, and what the admin services say of a
//! table and a profile.
//!
//! How calls are made is [`google`](crate::google)'s; what a status means here is one pure function
//! ([`status`]).

mod client;
mod cookies;
pub mod discovery;
pub mod request;
pub mod status;

pub use client::Client;
pub(crate) use cookies::Cookies;
