//! Why a recording is refused: the file, the line and the reason.

use std::io;
use std::path::PathBuf;

use acequia_decode::Malformed;
use thiserror::Error;

use super::format::{FORMAT, VERSION, shapes};
use crate::batch::Shape;

/// Bytes of one line. A row has at most 100 MiB, its old values as many again, and a text that is
/// written as a string grows by its escapes.
pub const LINE_BYTES_MAX: u64 = 512 << 20;

/// Why a recording cannot be read on.
#[derive(Debug, Error)]
pub enum ReadError {
    /// The file system refuses.
    #[error("{} cannot be read", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        #[source]
        source: io::Error,
    },
    /// The file is something else.
    #[error(
        "{} is not a recording: its first line is not {{\"format\":\"{FORMAT}\",\"version\":{VERSION},…}}; \
         `acequia record` writes one",
        path.display()
    )]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// The file was written by a newer Acequia.
    #[error(
        "{} is a recording of version {found}, and this Acequia reads version {VERSION}; use a newer \
         one, or record again",
        path.display()
    )]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u64,
    },
    /// The file holds records of another kind of source.
    #[error(
        "{} holds records of the shape {found:?}, and this Acequia knows {}",
        path.display(),
        shapes()
    )]
    Shape {
        /// The file.
        path: PathBuf,
        /// Its shape.
        found: String,
    },
    /// A line is wrong.
    #[error("{}, line {line}: {reason}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// Its number, from 1.
        line: u64,
        /// What is wrong with it.
        reason: LineError,
    },
}

/// What is wrong with a line.
#[derive(Debug, Error)]
pub enum LineError {
    /// It is no line of a recording.
    #[error("{0}")]
    Json(String),
    /// It is not UTF-8.
    #[error("it is not UTF-8")]
    NotUtf8,
    /// It is too long.
    #[error("it is longer than {LINE_BYTES_MAX} bytes")]
    TooLong,
    /// Its record or table is none.
    #[error("expected {} at {}", .0.what(), .0.path())]
    Malformed(#[from] Malformed),
    /// Its table was not described before.
    #[error(
        "no table {0:?} is described above; a line {{\"table\":{{\"name\":…,\"columns\":[…]}}}} does that"
    )]
    UnknownTable(String),
    /// It is of another shape than the first line says.
    #[error("the first line says that there are {}, and this is none", .0.records())]
    OtherShape(Shape),
    /// Its instant is none.
    #[error("{0:?} is no RFC 3339 instant of whole microseconds")]
    Instant(String),
    /// What stands for bytes is not Base64.
    #[error("a \"base64\" must be standard Base64 with padding")]
    Base64,
    /// Who made the mutation and its cluster contradict each other.
    #[error("a mutation of a user has a source_cluster_id, and one of garbage collection has none")]
    Cluster,
    /// A batch is of one table.
    #[error(
        "the batch so far is of the table {0:?}; end it before those of another with {{\"end\":\"batch\"}}"
    )]
    OtherTable(String),
    /// A batch of rows is of one partition.
    #[error(
        "the batch so far has rows of another table, partition or read_timestamp; end it before this \
         one with {{\"end\":\"batch\"}}"
    )]
    OtherRows,
    /// A row has one value per column.
    #[error("the row has {found} values, and its table has {columns} columns")]
    Values {
        /// Its values.
        found: usize,
        /// The columns of its table.
        columns: usize,
    },
    /// The timestamp at which a row was read is none.
    #[error("{0:?} is no RFC 3339 instant with a Z")]
    ReadTimestamp(String),
    /// Nothing tells the row from others.
    #[error("a row without a key needs an id")]
    NoId,
    /// The columns of rows have no other place than their values.
    #[error("a column of rows has no ordinal_position: its place is that of its values")]
    Ordinal,
    /// A column of the contract ends at `u32::MAX`.
    #[error("the batch is longer than {} bytes; end it before this row", u32::MAX)]
    BatchTooLong,
    /// Its table was described before.
    #[error("a table is called {0:?} already; give this one another name with \"as\"")]
    TableTwice(String),
}

impl LineError {
    /// What the parser says, without what it found: that may be a row value. Its own line number is
    /// always 1, since a line is parsed alone.
    pub(super) fn of_json(error: &serde_json::Error) -> Self {
        let text = error.to_string();
        let (reason, _place) = text.rsplit_once(" at line ").unwrap_or((&text, ""));
        let reason = match reason.split_once(", expected ") {
            Some((found, expected)) if found.starts_with("invalid ") => {
                format!("expected {expected}")
            }
            Some(_) | None => reason.to_owned(),
        };
        Self::Json(format!("{reason}, at character {}", error.column()))
    }
}
