//! From the section of the file to what is let through.

use std::collections::BTreeSet;
use std::path::Path;

use super::super::ClusterId;
use super::options::{
    FAMILY_EXCLUDE_LIST, FAMILY_INCLUDE_LIST, QUALIFIER_EXCLUDE_LIST, QUALIFIER_INCLUDE_LIST,
};
use crate::config::GuestRef;
use crate::config::change_stream::{self, Side};
use crate::config::read::{Field, Read, Report, Section};
use crate::config::resource_name;

/// The lists of names that may be given.
const SIDES: [Side; 2] = [
    Side {
        include: &FAMILY_INCLUDE_LIST,
        exclude: &FAMILY_EXCLUDE_LIST,
    },
    Side {
        include: &QUALIFIER_INCLUDE_LIST,
        exclude: &QUALIFIER_EXCLUDE_LIST,
    },
];

/// Reads the component that chooses families and qualifiers.
pub(crate) fn names_filter(
    section: &Section<'_>,
    report: &mut Report,
    base_dir: &Path,
) -> Read<GuestRef> {
    change_stream::names_filter(section, report, base_dir, &SIDES)
}

/// Reads ids of clusters. One that stands there twice counts once.
pub(in crate::config::bigtable) fn source_clusters(
    field: &Field<'_>,
    report: &mut Report,
) -> Read<BTreeSet<ClusterId>> {
    let fields = field.list(report, "a list of cluster ids")?;
    let ids: Vec<_> = fields
        .iter()
        .map(|field| resource_name::part(field, report).map(ClusterId))
        .collect();
    ids.into_iter().collect()
}
