//! Which mutations and entries are let through.

pub(in crate::config) mod options;
mod read;

pub(in crate::config) use read::names_filter;
pub(super) use read::source_clusters;
