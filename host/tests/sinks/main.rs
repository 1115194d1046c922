//! Every sink keeps the same promises: one suite, run by each implementation, and what is special to each.

mod batches;
mod conformance;
mod faults;
mod file;
mod file_system;
mod power;
mod stdout;
mod targets;
