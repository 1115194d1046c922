//! The decoder against the generated types and `serde_json`, which share no code with it.

mod chunker;
mod chunks;
mod corpus;
mod drive;
mod frames;
mod generate;
mod objects;
mod property;
mod random;
mod records;
mod slow;
