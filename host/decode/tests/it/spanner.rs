//! Spanner: the decoder against the generated types and `serde_json`.

mod chunker;
mod chunks;
mod corpus;
mod drive;
mod frames;
mod generate;
mod objects;
mod property;
mod rebuild;
mod records;
mod rows;
mod slow;
