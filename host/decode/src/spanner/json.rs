//! JSON texts, cut without being built: a value that passes is never parsed.
//!
//! Source: RFC 8259.

mod scanner;
mod strings;
mod write;

pub(crate) use scanner::Scanner;
pub(crate) use write::{push_string, push_value};
