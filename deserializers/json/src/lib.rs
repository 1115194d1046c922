//! What the JSON deserializers of all sources share: the form of control records, and how parameters
//! are read. Each shape of records has a component of its own, since each has a world of its own:
//! `deserializers/spanner-json`, `deserializers/bigtable-json` and `deserializers/rows-json`.

#![forbid(unsafe_code)]

pub mod control;
pub mod parameters;
