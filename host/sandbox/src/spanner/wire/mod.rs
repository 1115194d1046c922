//! From entries to `google.spanner.v1.PartialResultSet` messages, encoded.
//!
//! ```text
//! Entry -> value of the one column (googlesql | postgres | proto) -> chunks -> frames -> Bytes
//! ```

pub(crate) mod build;
pub(crate) mod chunk;
mod frame;
mod googlesql;
mod postgres;
mod proto;
mod rows;
mod schema;

pub(crate) use frame::Framer;
pub(crate) use proto::r#type as type_of;
pub(crate) use rows::{Rows, frame_of, result_set};
pub(crate) use schema::{annotated, of as metadata_of};

use googleapis_tonic_google_spanner_v1::google::spanner::v1::ResultSetMetadata;
use prost_types::Value;

use crate::spanner::{
    history::Entry,
    script::{Dialect, Mode, Wire},
};

/// How a stream's records look to its readers.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    pub(crate) dialect: Dialect,
    pub(crate) mode: Mode,
    pub(crate) function: String,
    pub(crate) wire: Wire,
}

impl Layout {
    fn value(&self, entry: &Entry) -> Value {
        match (self.mode, self.dialect) {
            (Mode::Immutable, Dialect::GoogleSql) => googlesql::value(entry, &self.wire),
            (Mode::Immutable, Dialect::Postgres) => postgres::value(entry, &self.wire),
            (Mode::Mutable, _) => proto::value(entry, self.dialect),
        }
    }

    fn metadata(&self) -> ResultSetMetadata {
        match (self.mode, self.dialect) {
            (Mode::Immutable, Dialect::GoogleSql) => schema::googlesql(&self.wire),
            (Mode::Immutable, Dialect::Postgres) => schema::postgres(&self.function),
            (Mode::Mutable, Dialect::GoogleSql) => schema::proto_column(),
            (Mode::Mutable, Dialect::Postgres) => schema::bytes_column(&self.function),
        }
    }
}
