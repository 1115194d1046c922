//! Recordings: the batches of a run in a file, to be fed to components later.
//!
//! A recording is lines of JSON. The first says what the file is; each other line is one table, one
//! record, one gap, or the end of a batch:
//!
//! ```json
//! {"format":"acequia-recording","version":1,"shape":"spanner-changes","source":{"database":"…"}}
//! {"table":{"name":"Singers","columns":[{"name":"SingerId","type":{"code":"INT64"},"is_primary_key":true,"ordinal_position":1}]}}
//! {"change":{"table":"Singers","mod_type":"INSERT","mods":[{"keys":{"SingerId":"1"},"new_values":{}}],"commit_timestamp":"…"}}
//! {"end":"batch"}
//! ```
//!
//! A recording of Bigtable has mutations instead, and describes no tables:
//!
//! ```json
//! {"format":"acequia-recording","version":1,"shape":"bigtable-mutations"}
//! {"mutation":{"table":"orders","row_key":"order#7","source_cluster_id":"c1","commit_timestamp":"…","entries":[{"kind":"delete_family","family":"old"}]}}
//! ```
//!
//! There, bytes are texts where they are UTF-8, and objects such as `{"base64":"/w=="}` where they are
//! not.
//!
//! A recording of rows describes tables and queries, and a row has one value per column:
//!
//! ```json
//! {"format":"acequia-recording","version":1,"shape":"rows"}
//! {"table":{"name":"Singers","columns":[{"name":"SingerId","type":{"code":"INT64"},"is_primary_key":true},{"name":"Name","type":{"code":"STRING"}}]}}
//! {"row":{"table":"Singers","read_timestamp":"…","partition":"Singers/0","key":{"SingerId":"1"},"values":["1","Ada"]}}
//! ```
//!
//! `format.rs`, `mutation.rs` and `row.rs` have each member with its default, and `docs/recording.md` for those
//! who write one. The file is made to be edited by hand:
//! empty lines are allowed, what is the rule may be left out, and ids are not written where they
//! follow from the record. It is exact nevertheless: [`Writer`] writes all that a guest sees, and
//! [`Reader`] gives batches that equal those that were written in every column. Texts stay as they
//! were sent, members keep their order, and an object that was not sent stays different from a null.
//!
//! It holds row values, so whoever writes one guards it like the data ([`create`]).

mod changes;
mod file;
mod format;
mod lines;
mod mutation;
mod mutation_read;
mod read_error;
mod reader;
mod row;
mod rows;
mod tables;
mod text;
mod writer;

pub(crate) use mutation::Mutation;

pub use file::{CreateError, create};
pub use read_error::{LINE_BYTES_MAX, LineError, ReadError};
pub use reader::{Reader, Recorded};
pub use writer::{WriteError, Writer};
