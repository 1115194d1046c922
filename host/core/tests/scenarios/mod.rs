//! One behaviour each, small enough to read.

mod bench;
mod bounds;
mod checkpoint;
mod flow;
mod lineage;
mod opening;
mod out_of_range;
mod ranges;
mod rewind;
mod saving;
mod turns;
mod viewing;
mod watermark;
