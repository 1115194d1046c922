//! What is read, whichever it is.

use acequia_core::First;
use jiff::Timestamp;

use crate::batch::Shape;

use super::{
    BigtableChangeStream, CloudMonitoring, Connection, SpannerBatch, SpannerChangeStream,
    StateName, TimestampBound,
};

/// What is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// A Spanner change stream.
    SpannerChangeStream(SpannerChangeStream),
    /// The change stream of a Bigtable table.
    BigtableChangeStream(BigtableChangeStream),
    /// Rows of Spanner at one timestamp.
    SpannerBatch(SpannerBatch),
}

impl Source {
    /// The name of its section in the file.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::SpannerChangeStream(_) => "spanner-change-stream",
            Self::BigtableChangeStream(_) => "bigtable-change-stream",
            Self::SpannerBatch(_) => "spanner-batch",
        }
    }

    /// The shape of its records.
    #[must_use]
    pub fn shape(&self) -> Shape {
        match self {
            Self::SpannerChangeStream(_) => Shape::Spanner,
            Self::BigtableChangeStream(_) => Shape::Bigtable,
            Self::SpannerBatch(_) => Shape::Rows,
        }
    }

    /// The names of what is read, each with what it is the name of. A checkpoint is bound to them.
    #[must_use]
    pub fn names(&self) -> Vec<(&'static str, String)> {
        match self {
            Self::SpannerChangeStream(stream) => vec![
                ("database", stream.database.to_string()),
                ("change-stream", stream.change_stream.as_str().to_owned()),
            ],
            Self::BigtableChangeStream(stream) => {
                let name = stream.change_stream_name.as_ref();
                let name = name.map(|name| ("change-stream-name", name.as_str().to_owned()));
                let table = ("table", stream.table.to_string());
                std::iter::once(table).chain(name).collect()
            }
            Self::SpannerBatch(batch) => {
                let at = match batch.timestamp_bound {
                    TimestampBound::ReadTimestamp(at) => Some(("read-timestamp", at.to_string())),
                    TimestampBound::Strong | TimestampBound::ExactStaleness(_) => None,
                };
                std::iter::once(("database", batch.database.to_string()))
                    .chain(batch.read_operation.names())
                    .chain(at)
                    .collect()
            }
        }
    }

    /// The last instant to read, inclusive.
    #[must_use]
    pub fn end(&self) -> Option<Timestamp> {
        match self {
            Self::SpannerChangeStream(stream) => stream.end,
            Self::BigtableChangeStream(stream) => stream.bounded_timestamp,
            // It has no end but its last row.
            Self::SpannerBatch(_) => None,
        }
    }

    /// What a run without a checkpoint begins with.
    #[must_use]
    pub fn first(&self) -> First {
        match self {
            Self::SpannerChangeStream(_) | Self::BigtableChangeStream(_) => First::Root,
            Self::SpannerBatch(_) => First::Plan,
        }
    }

    /// Where metrics of the client are written to, if anywhere.
    #[must_use]
    pub fn cloud_monitoring(&self) -> Option<&CloudMonitoring> {
        match self {
            Self::SpannerChangeStream(stream) => stream.cloud_monitoring.as_ref(),
            Self::BigtableChangeStream(stream) => stream.cloud_monitoring.as_ref(),
            Self::SpannerBatch(batch) => batch.cloud_monitoring.as_ref(),
        }
    }

    /// How the service is reached.
    pub(crate) fn connection(&self) -> &Connection {
        match self {
            Self::SpannerChangeStream(stream) => &stream.connection,
            Self::BigtableChangeStream(stream) => &stream.connection,
            Self::SpannerBatch(batch) => &batch.connection,
        }
    }

    /// The name of the saved state, where several may lie in one directory.
    pub(super) fn state_name(&self) -> Option<&StateName> {
        match self {
            Self::SpannerChangeStream(_) | Self::SpannerBatch(_) => None,
            Self::BigtableChangeStream(stream) => stream.change_stream_name.as_ref(),
        }
    }
}
