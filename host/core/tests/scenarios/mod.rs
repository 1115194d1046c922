//! One behaviour each, small enough to read.

mod bench;
mod bounds;
mod checkpoint;
mod flow;
mod lineage;
mod opening;
mod out_of_range;
mod ranges;
mod reconciling;
mod rewind;
mod row_bounds;
mod row_checkpoint;
mod row_expiry;
mod row_ranges;
mod rows;
mod saving;
mod snapshot;
mod turns;
mod viewing;
mod watermark;
