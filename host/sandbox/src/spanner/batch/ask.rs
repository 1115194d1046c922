//! What a plan or a stream is asked for, so that the two can be compared.

use std::collections::HashMap;

use googleapis_tonic_google_spanner_v1::google::spanner::v1::{
    ExecuteSqlRequest, KeySet, PartitionQueryRequest, PartitionReadRequest, ReadRequest, Type,
};
use prost_types::Struct;

/// A query or a read, without its transaction and its hints.
///
/// Source: `google/spanner/v1/spanner.proto`, `partition_token` of `ExecuteSqlRequest` and
/// `ReadRequest`: exactly these must be as they were when the token was made.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Asked {
    Query {
        sql: String,
        params: Struct,
        param_types: HashMap<String, Type>,
    },
    Read {
        table: String,
        index: String,
        columns: Vec<String>,
        keys: Option<KeySet>,
    },
}

impl From<&PartitionQueryRequest> for Asked {
    fn from(request: &PartitionQueryRequest) -> Self {
        Self::Query {
            sql: request.sql.clone(),
            params: request.params.clone().unwrap_or_default(),
            param_types: request.param_types.clone(),
        }
    }
}

impl From<&ExecuteSqlRequest> for Asked {
    fn from(request: &ExecuteSqlRequest) -> Self {
        Self::Query {
            sql: request.sql.clone(),
            params: request.params.clone().unwrap_or_default(),
            param_types: request.param_types.clone(),
        }
    }
}

impl From<&PartitionReadRequest> for Asked {
    fn from(request: &PartitionReadRequest) -> Self {
        Self::Read {
            table: request.table.clone(),
            index: request.index.clone(),
            columns: request.columns.clone(),
            keys: request.key_set.clone(),
        }
    }
}

impl From<&ReadRequest> for Asked {
    fn from(request: &ReadRequest) -> Self {
        Self::Read {
            table: request.table.clone(),
            index: request.index.clone(),
            columns: request.columns.clone(),
            keys: request.key_set.clone(),
        }
    }
}
