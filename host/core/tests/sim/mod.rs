//! Random histories against a slow, obvious model.
//!
//! * `world` draws a history: keys, commits, and splits, merges and moves (`lineage`), mutable key
//!   ranges (`ranges`), or row ranges that change under their readers (`topology`).
//! * `service` reads it out as a change stream would: `by_time` where a stream starts at a timestamp,
//!   `by_token` where it starts after tokens.
//! * `transition` is everything that can happen; `machine` makes it happen (`events`) to a scheduler,
//!   a `sink` and a `store`, and carries `commands` out.
//! * `reference` knows what the sink must hold; `check` compares after every step, and `cut` what is
//!   about to be stored (`row_cut` that of row ranges).
//!
//! A seed means one history of streams by time and another one of row ranges, so that each kind has all
//! seeds. `SIM_SEED=7` runs the first and `SIM_ROWS_SEED=7` the second, and prints its transitions;
//! `SIM_SEEDS=100000` runs that many of each. Seeds that once failed are in `seeds.txt`.

mod by_time;
mod by_token;
mod check;
mod commands;
mod cut;
mod events;
mod exhaustive;
mod lineage;
mod machine;
mod nonsense;
mod outcome;
mod ranges;
mod reference;
mod row_cut;
mod runs;
mod service;
mod settings;
mod sink;
mod store;
mod topology;
mod transition;
mod world;
