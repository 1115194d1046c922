//! Bigtable: the decoder against the generated types.

mod chunker;
mod chunks;
mod closing;
mod corpus;
mod drive;
mod entries;
mod filters;
mod frames;
mod generate;
mod large;
mod property;
mod slow;
