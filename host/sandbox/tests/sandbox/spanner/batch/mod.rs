//! Batch reads: transactions, partitions and the rows of tables at a timestamp.

mod bounds;
mod faults;
mod frames;
mod keys;
mod queries;
mod reader;
mod refusals;
mod requests;
mod snapshot;
