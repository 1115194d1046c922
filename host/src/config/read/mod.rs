//! Reading the parts of a file: a tree with places, sections against their tables of options, and
//! the values that options have. Every reader reports what is wrong and goes on.

mod choice;
mod duration;
mod field;
mod instant;
mod report;
mod scalar;
mod section;
mod size;
mod suggest;
mod tree;

pub(super) use choice::{variant, word};
pub use duration::parse as parse_duration;
pub(super) use duration::{duration, positive as positive_duration};
pub(super) use field::Field;
pub(super) use instant::instant;
pub use instant::{NotAnInstant, parse_instant};
pub(super) use report::{Read, Report, Reported};
pub(super) use scalar::{boolean, count, file_name, name, path, texts};
pub(super) use section::{Section, UnknownKeys};
pub(super) use size::size;
pub(super) use suggest::unknown_word;
pub(super) use tree::{Node, Value};
