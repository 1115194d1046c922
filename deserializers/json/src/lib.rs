//! What the JSON deserializers of all sources share: the form of control records, and how parameters
//! are read. Each source has a component of its own, since each has a world of its own:
//! `deserializers/spanner-json` and `deserializers/bigtable-json`.

#![forbid(unsafe_code)]

pub mod control;
pub mod parameters;
