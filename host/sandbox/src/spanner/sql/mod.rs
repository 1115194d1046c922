//! The few statements that readers of change streams and of tables send, read tolerantly: any case,
//! any white space. Everything else is refused with the statement in the answer.

mod catalog;
mod lexer;
mod parser;
mod tables;

pub(crate) use catalog::{Catalog, answer};
pub(crate) use parser::{Call, Operand, Select, Statement, parse};

/// A statement that the sandbox does not read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the sandbox does not read this statement ({reason}): {sql}")]
pub(crate) struct Unread {
    pub(crate) reason: String,
    pub(crate) sql: String,
}
