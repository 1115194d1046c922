//! A component in use whose world depends on the source.

use std::sync::Arc;

use super::about::About;
use super::live::Live;
use super::meter::Meter;
use super::world::Interface;
use crate::batch::Service;

/// A component in use: of the one interface for Spanner, or of the other for Bigtable.
pub(super) enum OfService<S: Interface, B: Interface> {
    Spanner(Live<S>),
    Bigtable(Live<B>),
}

impl<S: Interface, B: Interface> OfService<S, B> {
    pub(super) fn service(&self) -> Service {
        match self {
            Self::Spanner(_) => Service::Spanner,
            Self::Bigtable(_) => Service::Bigtable,
        }
    }

    pub(super) fn about(&self) -> &About {
        match self {
            Self::Spanner(live) => live.about(),
            Self::Bigtable(live) => live.about(),
        }
    }

    pub(super) fn meter(&self) -> &Arc<Meter> {
        match self {
            Self::Spanner(live) => live.meter(),
            Self::Bigtable(live) => live.meter(),
        }
    }

    /// Another instance of the same component.
    pub(super) fn another(&self) -> Self {
        match self {
            Self::Spanner(live) => Self::Spanner(live.another()),
            Self::Bigtable(live) => Self::Bigtable(live.another()),
        }
    }
}
