//! The functions of a world, called with the batches of its shape.

use std::future::Future;

use acequia_decode::bigtable::MutationBatch;
use acequia_decode::rows::RowBatch;
use acequia_decode::spanner::ChangeBatch;
use wasmtime::Store;

use super::bindings::acequia::connector::types;
use super::params::{bigtable, rows, spanner};
use super::state::State;
use super::world::{
    BigtableDeserialize, BigtableKeep, Interface, RowsDeserialize, RowsKeep, SpannerDeserialize,
    SpannerKeep,
};

/// What a deserializer of one shape exports.
pub(super) trait Deserialize: Interface {
    /// Records of the shape.
    type Batch: Sync;

    fn deserialize(
        functions: &Self::Functions,
        store: &mut Store<State>,
        batch: &Self::Batch,
    ) -> impl Future<Output = wasmtime::Result<types::Outputs>> + Send;

    fn deserialize_control(
        functions: &Self::Functions,
        store: &mut Store<State>,
        event: types::Control<'_>,
    ) -> impl Future<Output = wasmtime::Result<Vec<types::ControlOutput>>> + Send;
}

/// What a record filter of one shape exports.
pub(super) trait Keep: Interface {
    /// Records of the shape.
    type Batch: Sync;

    fn keep(
        functions: &Self::Functions,
        store: &mut Store<State>,
        batch: &Self::Batch,
    ) -> impl Future<Output = wasmtime::Result<Result<Vec<u8>, String>>> + Send;
}

macro_rules! functions {
    ($batch:ident by $params:path, $deserialize:ident, $keep:ident) => {
        impl Deserialize for $deserialize {
            type Batch = $batch;

            async fn deserialize(
                functions: &Self::Functions,
                store: &mut Store<State>,
                batch: &$batch,
            ) -> wasmtime::Result<types::Outputs> {
                functions.call_deserialize(store, $params(batch)).await
            }

            async fn deserialize_control(
                functions: &Self::Functions,
                store: &mut Store<State>,
                event: types::Control<'_>,
            ) -> wasmtime::Result<Vec<types::ControlOutput>> {
                functions.call_deserialize_control(store, event).await
            }
        }

        impl Keep for $keep {
            type Batch = $batch;

            async fn keep(
                functions: &Self::Functions,
                store: &mut Store<State>,
                batch: &$batch,
            ) -> wasmtime::Result<Result<Vec<u8>, String>> {
                functions.call_keep(store, $params(batch)).await
            }
        }
    };
}

functions!(ChangeBatch by spanner::changes, SpannerDeserialize, SpannerKeep);
functions!(MutationBatch by bigtable::mutations, BigtableDeserialize, BigtableKeep);
functions!(RowBatch by rows::rows, RowsDeserialize, RowsKeep);
