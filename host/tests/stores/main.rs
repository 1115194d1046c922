//! Every checkpoint store keeps the same promises: one suite, run by each implementation, and what is
//! special to the file store.

mod conformance;
mod faults;
mod power;
mod refusals;
mod targets;
