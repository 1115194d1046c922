//! The kinds of component, and the interface that makes each.

use wasmtime::Store;
use wasmtime::component::{Instance, InstancePre};

use super::bindings::exports::acequia::connector::{name_plan, spanner_deserialize, spanner_keep};
use super::state::State;

/// A world of the contract: the kind of a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum World {
    /// `names-filter`: chooses tables and columns by name.
    NamesFilter,
    /// `spanner-record-filter`: chooses Spanner change records by value.
    SpannerRecordFilter,
    /// `spanner-deserializer`: turns Spanner change records into outputs.
    SpannerDeserializer,
}

impl World {
    pub(super) const ALL: [Self; 3] = [
        Self::NamesFilter,
        Self::SpannerRecordFilter,
        Self::SpannerDeserializer,
    ];

    /// The world's name in `wit/world.wit`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::NamesFilter => "names-filter",
            Self::SpannerRecordFilter => "spanner-record-filter",
            Self::SpannerDeserializer => "spanner-deserializer",
        }
    }

    /// What the operator calls such a component.
    pub(super) fn kind(self) -> &'static str {
        match self {
            Self::NamesFilter => "a names filter",
            Self::SpannerRecordFilter => "a Spanner record filter",
            Self::SpannerDeserializer => "a Spanner deserializer",
        }
    }

    /// The interface that only this world exports. Beside it, every world exports `plugin`.
    pub(super) fn own_export(self) -> &'static str {
        match self {
            Self::NamesFilter => "name-plan",
            Self::SpannerRecordFilter => "spanner-keep",
            Self::SpannerDeserializer => "spanner-deserialize",
        }
    }
}

/// The interface that makes a world, so that the kind of a loaded component is in its type.
pub(super) trait Interface: 'static {
    const WORLD: World;
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
