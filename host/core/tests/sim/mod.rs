//! Random histories against a slow, obvious model.
//!
//! * `world` draws a history: keys, commits, splits, merges and moves (`lineage`), or mutable key
//!   ranges (`ranges`).
//! * `service` reads it out as a change stream would.
//! * `transition` is everything that can happen; `machine` makes it happen (`events`) to a scheduler,
//!   a `sink` and a `store`, and carries `commands` out.
//! * `reference` knows what the sink must hold; `check` compares after every step.
//!
//! `SIM_SEED=7` runs one seed and prints its transitions; `SIM_SEEDS=100000` runs that many.
//! Seeds that once failed are in `seeds.txt`.

mod check;
mod commands;
mod events;
mod exhaustive;
mod lineage;
mod machine;
mod nonsense;
mod outcome;
mod ranges;
mod reference;
mod runs;
mod service;
mod settings;
mod sink;
mod store;
mod transition;
mod world;
