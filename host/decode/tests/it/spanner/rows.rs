//! Rows of partitioned reads against the generated types and `serde_json`.

mod batches;
mod carries;
mod corpus;
mod cuts;
mod drive;
mod frames;
mod generate;
mod property;
mod reads;
mod streams;
mod values;
