//! Recordings: what is written comes back, what is damaged is refused, and a component gets it.

#![forbid(unsafe_code)]
#![allow(
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking, and so do the functions that tests share"
)]

mod by_hand;
mod mutations;
mod refused;
mod replayed;
mod replayed_mutations;
mod replayed_rows;
mod round_trip;
mod rows;
