//! Sans-io decoders: wire messages to columnar change records.
#![forbid(unsafe_code)]
#![cfg_attr(not(test), deny(clippy::indexing_slicing, clippy::unwrap_used))]

mod assembler;
mod batch;
mod malformed;
mod plan;
mod schema;
mod step;
mod texts;

pub use assembler::{Assembler, Covered, Options, Shape};
pub use batch::{ChangeBatch, Objects, Tables, Times};
pub use malformed::Malformed;
pub use plan::{TableId, TablePlan, WrongPlan};
pub use step::{ChildPartition, Described, DropReason, Kept, RecordMark, Step};
pub use texts::{BadTexts, Texts};
