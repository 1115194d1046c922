//! The connector against the real Cloud Spanner emulator.
//!
//! Each test starts an [emulator](service) of its own on a free port, makes the [shop](shop) in one
//! of the two dialects, and lets a [writer](writer) commit to it. The writer's own log is the oracle:
//! what [`acequia run`](connector) leaves in its file is [judged](verdict) against it, and a change
//! that is missing is looked for by an [undisturbed reader](reread).
//!
//! Where the emulator is not installed, each test says that it is skipped, and passes.

mod admin;
mod checked;
mod client;
mod connector;
mod edges;
mod killed;
mod reread;
mod service;
mod shop;
mod snapshot;
mod types;
mod verdict;
mod watched;
mod writer;
