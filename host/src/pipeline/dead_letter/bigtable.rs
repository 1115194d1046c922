//! A row mutation as JSON: the line that a recording has for it.

use acequia_decode::bigtable::MutationBatch;

use crate::recording::Mutation;

/// Bytes are texts where they are UTF-8, and `{"base64":…}` where they are not.
pub(super) fn raw(batch: &MutationBatch, record: usize) -> String {
    serde_json::to_string(&Mutation::of(batch, record)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use acequia_decode::bigtable as decode;
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn a_mutation_is_kept_whole_with_its_bytes_told_apart_from_texts() {
        let mut batch = MutationBatch::of_table("orders");
        let mutation = decode::Mutation {
            row_key: b"\xff",
            source_cluster_id: Some("c1"),
            commit: jiff::Timestamp::UNIX_EPOCH,
            tie_breaker: 3,
            low_watermark: jiff::Timestamp::UNIX_EPOCH,
        };
        let cell = decode::Entry::SetCell {
            family: "state",
            qualifier: b"paid",
            timestamp_micros: 5,
            value: b"yes",
        };
        batch.push(&mutation, [cell]).unwrap();
        let raw: Value = serde_json::from_str(&raw(&batch, 0)).unwrap();
        assert_eq!(
            raw,
            json!({
                "table": "orders",
                "row_key": {"base64": "/w=="},
                "mutation_type": "user",
                "source_cluster_id": "c1",
                "commit_timestamp": "1970-01-01T00:00:00.000000Z",
                "tie_breaker": 3,
                "estimated_low_watermark": "1970-01-01T00:00:00.000000Z",
                "entries": [{
                    "kind": "set_cell", "family": "state", "qualifier": "paid",
                    "timestamp_micros": 5, "value": "yes",
                }],
            })
        );
    }
}
