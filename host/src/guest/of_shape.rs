//! A component in use whose world depends on the shape of records.

use std::sync::Arc;

use super::about::About;
use super::live::Live;
use super::meter::Meter;
use super::world::Interface;
use crate::batch::Shape;

/// A component in use: of the interface for change records of Spanner, for mutations of Bigtable, or
/// for rows.
pub(super) enum OfShape<S: Interface, B: Interface, R: Interface> {
    Spanner(Live<S>),
    Bigtable(Live<B>),
    Rows(Live<R>),
}

impl<S: Interface, B: Interface, R: Interface> OfShape<S, B, R> {
    pub(super) fn shape(&self) -> Shape {
        match self {
            Self::Spanner(_) => Shape::Spanner,
            Self::Bigtable(_) => Shape::Bigtable,
            Self::Rows(_) => Shape::Rows,
        }
    }

    pub(super) fn about(&self) -> &About {
        match self {
            Self::Spanner(live) => live.about(),
            Self::Bigtable(live) => live.about(),
            Self::Rows(live) => live.about(),
        }
    }

    pub(super) fn meter(&self) -> &Arc<Meter> {
        match self {
            Self::Spanner(live) => live.meter(),
            Self::Bigtable(live) => live.meter(),
            Self::Rows(live) => live.meter(),
        }
    }

    /// Another instance of the same component.
    pub(super) fn another(&self) -> Self {
        match self {
            Self::Spanner(live) => Self::Spanner(live.another()),
            Self::Bigtable(live) => Self::Bigtable(live.another()),
            Self::Rows(live) => Self::Rows(live.another()),
        }
    }
}
