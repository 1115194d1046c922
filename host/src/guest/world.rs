//! The kinds of component, and the interface that makes each.

use wasmtime::Store;
use wasmtime::component::{Instance, InstancePre};

use super::bindings::exports::acequia::connector::{
    bigtable_deserialize, bigtable_keep, name_plan, rows_deserialize, rows_keep,
    spanner_deserialize, spanner_keep,
};
use super::state::State;
use crate::batch::Shape;

/// A world of the contract: the kind of a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum World {
    /// `names-filter`: chooses tables and columns, families and qualifiers by name.
    NamesFilter,
    /// `spanner-record-filter`: chooses Spanner change records by value.
    SpannerRecordFilter,
    /// `spanner-deserializer`: turns Spanner change records into outputs.
    SpannerDeserializer,
    /// `bigtable-record-filter`: chooses Bigtable mutations by value.
    BigtableRecordFilter,
    /// `bigtable-deserializer`: turns Bigtable mutations into outputs.
    BigtableDeserializer,
    /// `rows-record-filter`: chooses rows by value.
    RowsRecordFilter,
    /// `rows-deserializer`: turns rows into outputs.
    RowsDeserializer,
}

impl World {
    pub(super) const ALL: [Self; 7] = [
        Self::NamesFilter,
        Self::SpannerRecordFilter,
        Self::SpannerDeserializer,
        Self::BigtableRecordFilter,
        Self::BigtableDeserializer,
        Self::RowsRecordFilter,
        Self::RowsDeserializer,
    ];

    /// The worlds whose components have a place where records of a shape are read.
    pub(super) fn of(shape: Shape) -> &'static [Self] {
        match shape {
            Shape::Spanner => &[
                Self::NamesFilter,
                Self::SpannerRecordFilter,
                Self::SpannerDeserializer,
            ],
            Shape::Bigtable => &[
                Self::NamesFilter,
                Self::BigtableRecordFilter,
                Self::BigtableDeserializer,
            ],
            Shape::Rows => &[
                Self::NamesFilter,
                Self::RowsRecordFilter,
                Self::RowsDeserializer,
            ],
        }
    }

    /// The world's name in `wit/world.wit`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::NamesFilter => "names-filter",
            Self::SpannerRecordFilter => "spanner-record-filter",
            Self::SpannerDeserializer => "spanner-deserializer",
            Self::BigtableRecordFilter => "bigtable-record-filter",
            Self::BigtableDeserializer => "bigtable-deserializer",
            Self::RowsRecordFilter => "rows-record-filter",
            Self::RowsDeserializer => "rows-deserializer",
        }
    }

    /// What the operator calls such a component.
    pub(super) fn kind(self) -> &'static str {
        match self {
            Self::NamesFilter => "a names filter",
            Self::SpannerRecordFilter => "a Spanner record filter",
            Self::SpannerDeserializer => "a Spanner deserializer",
            Self::BigtableRecordFilter => "a Bigtable record filter",
            Self::BigtableDeserializer => "a Bigtable deserializer",
            Self::RowsRecordFilter => "a record filter of rows",
            Self::RowsDeserializer => "a deserializer of rows",
        }
    }

    /// The interface that only this world exports. Beside it, every world exports `plugin`.
    pub(super) fn own_export(self) -> &'static str {
        match self {
            Self::NamesFilter => "name-plan",
            Self::SpannerRecordFilter => "spanner-keep",
            Self::SpannerDeserializer => "spanner-deserialize",
            Self::BigtableRecordFilter => "bigtable-keep",
            Self::BigtableDeserializer => "bigtable-deserialize",
            Self::RowsRecordFilter => "rows-keep",
            Self::RowsDeserializer => "rows-deserialize",
        }
    }
}

/// The interface that makes a world, so that the kind of a loaded component is in its type.
pub(super) trait Interface: 'static {
    const WORLD: World;
    /// The same, as the list of worlds that fit.
    const WORLDS: &'static [World] = &[Self::WORLD];
    /// Where the functions are in a component.
    type Indices: Clone + Send + Sync;
    /// The functions of an instance.
    type Functions: Send + Sync;

    fn indices(pre: &InstancePre<State>) -> wasmtime::Result<Self::Indices>;
    fn functions(
        indices: &Self::Indices,
        store: &mut Store<State>,
        instance: &Instance,
    ) -> wasmtime::Result<Self::Functions>;
}

macro_rules! interface {
    ($name:ident, $world:ident, $module:ident) => {
        pub(super) struct $name;

        impl Interface for $name {
            const WORLD: World = World::$world;
            type Indices = $module::GuestIndices;
            type Functions = $module::Guest;

            fn indices(pre: &InstancePre<State>) -> wasmtime::Result<Self::Indices> {
                $module::GuestIndices::new(pre)
            }

            fn functions(
                indices: &Self::Indices,
                store: &mut Store<State>,
                instance: &Instance,
            ) -> wasmtime::Result<Self::Functions> {
                indices.load(store, instance)
            }
        }
    };
}

interface!(NamePlan, NamesFilter, name_plan);
interface!(SpannerKeep, SpannerRecordFilter, spanner_keep);
interface!(SpannerDeserialize, SpannerDeserializer, spanner_deserialize);
interface!(BigtableKeep, BigtableRecordFilter, bigtable_keep);
interface!(
    BigtableDeserialize,
    BigtableDeserializer,
    bigtable_deserialize
);
interface!(RowsKeep, RowsRecordFilter, rows_keep);
interface!(RowsDeserialize, RowsDeserializer, rows_deserialize);
