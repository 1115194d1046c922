//! Configured options as the service's messages hold them.

use directed_read_options::replica_selection::Type;
use directed_read_options::{ExcludeReplicas, IncludeReplicas, Replicas};
use googleapis_tonic_google_spanner_v1::google::spanner::v1::{
    DirectedReadOptions, directed_read_options, request_options,
};

use crate::config::{DirectedRead, ReplicaSelection, ReplicaType, RpcPriority};

pub(super) fn priority(priority: RpcPriority) -> i32 {
    let priority = match priority {
        RpcPriority::Low => request_options::Priority::Low,
        RpcPriority::Medium => request_options::Priority::Medium,
        RpcPriority::High => request_options::Priority::High,
    };
    priority.into()
}

pub(super) fn directed_read(directed: &DirectedRead) -> DirectedReadOptions {
    let replicas = match directed {
        DirectedRead::Include {
            replicas,
            auto_failover_disabled,
        } => Replicas::IncludeReplicas(IncludeReplicas {
            replica_selections: selections(replicas),
            auto_failover_disabled: *auto_failover_disabled,
        }),
        DirectedRead::Exclude { replicas } => Replicas::ExcludeReplicas(ExcludeReplicas {
            replica_selections: selections(replicas),
        }),
    };
    DirectedReadOptions {
        replicas: Some(replicas),
    }
}

fn selections(replicas: &[ReplicaSelection]) -> Vec<directed_read_options::ReplicaSelection> {
    replicas
        .iter()
        .map(|replica| directed_read_options::ReplicaSelection {
            location: replica.location.clone().unwrap_or_default(),
            r#type: match replica.replica_type {
                None => Type::Unspecified.into(),
                Some(ReplicaType::ReadOnly) => Type::ReadOnly.into(),
                Some(ReplicaType::ReadWrite) => Type::ReadWrite.into(),
            },
        })
        .collect()
}
