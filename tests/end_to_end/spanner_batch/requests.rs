//! What the service is asked.

use acequia_sandbox::spanner::Sandbox;
use acequia_sandbox::spanner::batch::{Bound, RowWire, SeenBatch};
use serde_json::json;

use super::{place, serve_customers};
use crate::end_to_end::place::Place;

async fn calls(change: impl FnOnce(&mut Place)) -> Vec<SeenBatch> {
    let sandbox: Sandbox = serve_customers(40, RowWire::default());
    let mut place = place(&sandbox);
    change(&mut place);
    place.run().await.unwrap();
    sandbox.stats().batch.into()
}

fn of<'a>(calls: &'a [SeenBatch], method: &str) -> Vec<&'a SeenBatch> {
    calls.iter().filter(|call| call.method == method).collect()
}

#[tokio::test]
async fn hints_go_to_the_plan_and_priority_tag_and_data_boost_to_the_reads() {
    let calls = calls(|place| {
        place.set("max-partitions", json!(7));
        place.set("partition-size-bytes", json!(1000));
        place.set("rpc-priority", json!("low"));
        place.set("request-tag", json!("tag"));
        place.set("data-boost-enabled", json!(true));
    })
    .await;
    let plans = of(&calls, "PartitionRead");
    assert_eq!(plans.len(), 1);
    for plan in plans {
        assert_eq!((plan.max_partitions, plan.partition_size_bytes), (7, 1000));
        assert_eq!((plan.priority, plan.request_tag.as_str()), (0, ""));
    }
    let reads = of(&calls, "StreamingRead");
    assert_eq!(reads.len(), 4);
    for read in reads {
        // PRIORITY_LOW
        assert_eq!((read.priority, read.request_tag.as_str()), (1, "tag"));
        assert!(read.data_boost);
    }
}

#[tokio::test]
async fn without_hints_the_service_is_left_to_choose() {
    let calls = calls(|_| ()).await;
    for plan in of(&calls, "PartitionRead") {
        assert_eq!((plan.max_partitions, plan.partition_size_bytes), (0, 0));
    }
    assert!(
        of(&calls, "StreamingRead")
            .iter()
            .all(|read| !read.data_boost)
    );
}

/// The bound is resolved once; the plan reads at the instant that it meant.
#[tokio::test]
async fn a_strong_bound_is_resolved_before_the_plan() {
    let calls = calls(|_| ()).await;
    let bounds: Vec<_> = of(&calls, "BeginTransaction")
        .iter()
        .map(|call| call.bound)
        .collect();
    assert!(
        matches!(
            bounds.as_slice(),
            [Some(Bound::Strong(true)), Some(Bound::ReadTimestamp(_))]
        ),
        "{bounds:?}"
    );
}

/// The plan and the reads of its partitions have a session of their own.
#[tokio::test]
async fn everything_of_a_plan_goes_through_its_session_and_transaction() {
    let calls = calls(|_| ()).await;
    let plan = of(&calls, "PartitionRead").remove(0).clone();
    for read in of(&calls, "StreamingRead") {
        assert_eq!(
            (&read.session, &read.transaction),
            (&plan.session, &plan.transaction)
        );
    }
}
