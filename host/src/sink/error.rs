use std::io;

use thiserror::Error;

/// Why a sink failed. Every variant is final for the sink that gave it.
#[derive(Debug, Error)]
pub enum SinkError {
    /// The place itself failed.
    #[error("{name}: cannot {action}")]
    Io {
        /// The file or stream.
        name: String,
        /// What was tried.
        action: &'static str,
        /// The answer of the operating system.
        source: io::Error,
    },
    /// The reader of standard output went away.
    #[error("standard output was closed by its reader")]
    Closed,
    /// Another process, or another sink of this one, writes the file.
    #[error("{name}: another process is writing this file; stop it or choose another path")]
    Locked {
        /// The file.
        name: String,
    },
    /// Two files of one sink have the same last component, which is how the state names them.
    #[error("the output and the dead letters are both named {name}; give one of them another name")]
    SameName {
        /// The last component of both paths.
        name: String,
    },
    /// A fresh start met a file with content.
    #[error(
        "{name}: holds {length} bytes and there is no checkpoint that says what they are; \
         move the file away, or write existing-state out in the configuration to append to it"
    )]
    NotEmpty {
        /// The file.
        name: String,
        /// Its length in bytes.
        length: u64,
    },
    /// A fresh start may append, but the last line has no end.
    #[error(
        "{name}: the last line is not ended by a newline; complete it or remove it, then start again"
    )]
    PartialLine {
        /// The file.
        name: String,
    },
    /// The file lost bytes that a checkpoint counts on.
    #[error(
        "{name}: holds {length} bytes, but the checkpoint says that {cut} are durable; \
         restore the file, or start anew with existing-state: new and another file"
    )]
    Shorter {
        /// The file.
        name: String,
        /// Its length in bytes; 0 when it is missing.
        length: u64,
        /// The durable length in bytes, as the checkpoint has it.
        cut: u64,
    },
    /// The cut of the checkpoint is inside a line, so the file is not the one that was written.
    #[error(
        "{name}: byte {cut}, where the checkpoint cuts, is not the end of a line; this is another file"
    )]
    NotALineEnd {
        /// The file.
        name: String,
        /// The durable length in bytes, as the checkpoint has it.
        cut: u64,
    },
    /// Somebody else changed the length of the file while it was open.
    #[error(
        "{name}: holds {length} bytes where {expected} were written; something else changes this file"
    )]
    Changed {
        /// The file.
        name: String,
        /// Its length in bytes.
        length: u64,
        /// The length in bytes that this sink wrote.
        expected: u64,
    },
    /// The state in the checkpoint is not one of this sink.
    #[error("the sink state in the checkpoint cannot be used: {reason}")]
    State {
        /// What is wrong with it.
        reason: String,
    },
    /// A value with a newline byte cannot be one line of a file of lines.
    #[error(
        "output {output} of a batch holds a newline byte and cannot be one line; let the deserializer escape it"
    )]
    NotOneLine {
        /// The index of the output in its batch, from 0.
        output: usize,
    },
    /// An output names a place of its own, and this sink has one place.
    #[error(
        "output {output} of a batch names a topic, and this sink has no topics; leave the topic empty"
    )]
    Topic {
        /// The index of the output in its batch, from 0.
        output: usize,
    },
    /// A dead letter without a place for it.
    #[error(
        "a record went to the dead letters, and there is no place for them; give dead-letter-path"
    )]
    NoDeadLetters,
    /// The sink failed before; what it holds is not known.
    #[error("{name}: the sink failed before and must be opened again at its last state")]
    Broken {
        /// The file or stream.
        name: String,
    },
}
