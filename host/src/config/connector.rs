//! The connectors of this build: each has a type, and a section of the file that is its own.

use std::path::Path;

use crate::batch::Shape;

use super::option::OptionSpec;
use super::options::{
    BIGTABLE_CHANGE_STREAM, OF_BIGTABLE, OF_SPANNER, OF_SPANNER_BATCH, SPANNER_BATCH,
    SPANNER_CHANGE_STREAM,
};
use super::read::{Field, Node, Read, Report, Section, Value};
use super::{
    Environment, ExistingState, GuestRef, Source, bigtable, checkpoint, spanner, spanner_batch,
};

/// The connector types of this build.
pub const TYPES: &[&str] = &[
    "spanner-change-stream-source",
    "bigtable-change-stream-source",
    "spanner-batch-source",
];

/// The connectors of this build, in the order of [`TYPES`].
pub static CONNECTORS: [Connector; 3] = [
    Connector {
        type_name: TYPES[0],
        shape: Shape::Spanner,
        options: OF_SPANNER,
        section: &SPANNER_CHANGE_STREAM,
        source: |section, report, base_dir, _environment| {
            spanner::read(section, report, base_dir).map(Source::SpannerChangeStream)
        },
        names_filter: spanner::names_filter,
        existing_state: checkpoint::existing_state,
    },
    Connector {
        type_name: TYPES[1],
        shape: Shape::Bigtable,
        options: OF_BIGTABLE,
        section: &BIGTABLE_CHANGE_STREAM,
        source: |section, report, base_dir, _environment| {
            bigtable::read(section, report, base_dir).map(Source::BigtableChangeStream)
        },
        names_filter: bigtable::names_filter,
        existing_state: bigtable::existing_state,
    },
    Connector {
        type_name: TYPES[2],
        shape: Shape::Rows,
        options: OF_SPANNER_BATCH,
        section: &SPANNER_BATCH,
        source: |section, report, base_dir, environment| {
            spanner_batch::read(section, report, base_dir, environment).map(Source::SpannerBatch)
        },
        names_filter: spanner_batch::names_filter,
        existing_state: checkpoint::existing_state,
    },
];

/// A connector.
pub struct Connector {
    /// Its type, as `meta.type` names it.
    pub type_name: &'static str,
    /// The shape of the records that it reads.
    pub shape: Shape,
    /// Every option of its file. What a file may hold, what it is suggested for an unknown key, and
    /// what documents and schemas say are all read from here.
    pub options: &'static [&'static OptionSpec],
    /// The one of them that holds the connector's own.
    pub section: &'static OptionSpec,
    pub(super) source: fn(&Section<'_>, &mut Report, &Path, Environment) -> Read<Source>,
    pub(super) names_filter: fn(&Section<'_>, &mut Report, &Path) -> Read<GuestRef>,
    pub(super) existing_state: fn(&Field<'_>, &mut Report) -> Read<ExistingState>,
}

/// The connector of a type.
pub(super) fn of_type(name: &str) -> Option<&'static Connector> {
    CONNECTORS
        .iter()
        .find(|connector| connector.type_name == name)
}

/// The connector that a file is for: by its type, or by its section where the type is wrong, so that
/// the rest of the file can be read all the same. Where neither tells, it is the first.
pub(super) fn of_file(root: &Field<'_>) -> &'static Connector {
    let of_section = || {
        CONNECTORS
            .iter()
            .find(|connector| member(root.node, connector.section.name).is_some())
    };
    let [first, ..] = &CONNECTORS;
    type_of(root).or_else(of_section).unwrap_or(first)
}

fn type_of(root: &Field<'_>) -> Option<&'static Connector> {
    match &member(member(root.node, "meta")?, "type")?.value {
        Value::Text(name) => of_type(name),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::List(_) | Value::Map(_) => None,
    }
}

fn member<'a>(node: &'a Node, name: &str) -> Option<&'a Node> {
    match &node.value {
        Value::Map(entries) => entries
            .iter()
            .find(|entry| entry.key == name)
            .map(|entry| &entry.value),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Text(_) | Value::List(_) => None,
    }
}
