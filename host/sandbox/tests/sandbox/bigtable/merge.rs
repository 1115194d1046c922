//! Messages put together again as `google/bigtable/v2/bigtable.proto` and java-bigtable's
//! `ChangeStreamStateMachine` say, and as JSON. Everything that they forbid is a failure.

use base64::{Engine, engine::general_purpose::STANDARD};
use googleapis_tonic_google_bigtable_v2::google::bigtable::v2::{
    Value as Input,
    mutation::Mutation as Kind,
    read_change_stream_response::{DataChange, data_change::Type},
    value::Kind as InputKind,
};
use jiff::Timestamp;
use serde_json::{Value, json};

/// A whole mutation.
#[derive(Clone, Debug)]
pub(crate) struct Merged {
    pub(crate) json: Value,
    pub(crate) row_key: Vec<u8>,
    pub(crate) token: String,
    pub(crate) watermark: Timestamp,
    pub(crate) messages: usize,
}

#[derive(Default)]
pub(crate) struct Merger {
    first: Option<DataChange>,
    messages: usize,
    entries: Vec<Kind>,
    /// Of a cell that is not whole: its size, and what there is of it.
    cell: Option<(usize, Vec<u8>)>,
}

impl Merger {
    pub(crate) fn is_within(&self) -> bool {
        self.first.is_some()
    }

    pub(crate) fn push(&mut self, change: DataChange) -> Option<Merged> {
        self.messages += 1;
        if self.first.is_none() {
            assert!(!change.row_key.is_empty() && change.commit_timestamp.is_some());
            let collected = change.r#type() == Type::GarbageCollection;
            assert!(collected || change.r#type() == Type::User);
            assert_eq!(change.source_cluster_id.is_empty(), collected);
            self.first = Some(change.clone());
        } else {
            assert_eq!(change.r#type(), Type::Continuation);
            assert!(change.row_key.is_empty() && change.commit_timestamp.is_none());
            assert!(change.source_cluster_id.is_empty() && change.tiebreaker == 0);
        }
        let count = change.chunks.len();
        for (index, chunk) in change.chunks.into_iter().enumerate() {
            let kind = chunk.mutation.unwrap().mutation.unwrap();
            let Some(info) = chunk.chunk_info else {
                assert!(self.cell.is_none(), "a cell's pieces are contiguous");
                self.entries.push(kind);
                continue;
            };
            let Kind::SetCell(cell) = kind else {
                panic!("only cells that are set are chunked")
            };
            let (size, offset) = (info.chunked_value_size as usize, info.chunked_value_offset);
            if offset == 0 {
                assert!(self.cell.is_none() && size > 0);
                self.cell = Some((size, Vec::new()));
                self.entries.push(Kind::SetCell(cell.clone()));
            } else {
                assert_eq!(index, 0, "a later piece begins its message");
                assert!(cell.family_name.is_empty() && cell.column_qualifier.is_empty());
            }
            let (whole, pieces) = self.cell.as_mut().unwrap();
            assert_eq!((*whole, pieces.len()), (size, offset as usize));
            pieces.extend_from_slice(&cell.value);
            if info.last_chunk {
                let (_, pieces) = self.cell.take().unwrap();
                assert_eq!(pieces.len(), size);
                match self.entries.last_mut() {
                    Some(Kind::SetCell(cell)) => cell.value = pieces.into(),
                    other => panic!("{other:?}"),
                }
            } else {
                assert_eq!(
                    index + 1,
                    count,
                    "a piece that is not the last ends its message"
                );
            }
        }
        if !change.done {
            assert!(change.token.is_empty() && change.estimated_low_watermark.is_none());
            return None;
        }
        assert!(self.cell.is_none() && !change.token.is_empty());
        let watermark = instant(change.estimated_low_watermark.unwrap());
        let whole = std::mem::take(self);
        let first = whole.first.unwrap();
        Some(Merged {
            json: mutation(&first, &whole.entries),
            row_key: first.row_key.to_vec(),
            token: change.token,
            watermark,
            messages: whole.messages,
        })
    }
}

pub(crate) fn instant(instant: prost_types::Timestamp) -> Timestamp {
    Timestamp::new(instant.seconds, instant.nanos).unwrap()
}

fn mutation(first: &DataChange, entries: &[Kind]) -> Value {
    let at = format!("{:.6}", instant(first.commit_timestamp.unwrap()));
    let (cluster, row) = (&first.source_cluster_id, STANDARD.encode(&first.row_key));
    json!({
        "id": format!("{at}/{}/{cluster}/{row}", first.tiebreaker),
        "row_key": row,
        "mutation_type": first.r#type().as_str_name().to_lowercase(),
        "source_cluster_id": cluster,
        "commit_timestamp": at,
        "tie_breaker": first.tiebreaker,
        "entries": entries.iter().map(entry).collect::<Vec<_>>(),
    })
}

fn entry(kind: &Kind) -> Value {
    match kind {
        Kind::SetCell(cell) => json!({
            "kind": "set_cell", "family": cell.family_name,
            "qualifier": STANDARD.encode(&cell.column_qualifier),
            "timestamp_micros": cell.timestamp_micros, "value": STANDARD.encode(&cell.value),
        }),
        Kind::DeleteFromColumn(deleted) => {
            let range = deleted.time_range.unwrap();
            let end = Some(range.end_timestamp_micros).filter(|end| *end != 0);
            json!({
                "kind": "delete_cells", "family": deleted.family_name,
                "qualifier": STANDARD.encode(&deleted.column_qualifier),
                "start_timestamp_micros": range.start_timestamp_micros,
                "end_timestamp_micros": end,
            })
        }
        Kind::DeleteFromFamily(deleted) => {
            json!({ "kind": "delete_family", "family": deleted.family_name })
        }
        Kind::AddToCell(add) => json!({
            "kind": "add_to_cell", "family": add.family_name,
            "qualifier": input(&add.column_qualifier), "timestamp_micros": input(&add.timestamp),
            "input": input(&add.input),
        }),
        Kind::MergeToCell(merge) => json!({
            "kind": "merge_to_cell", "family": merge.family_name,
            "qualifier": input(&merge.column_qualifier),
            "timestamp_micros": input(&merge.timestamp), "input": input(&merge.input),
        }),
        Kind::DeleteFromRow(_) => panic!("the service turns these into deletions of families"),
    }
}

fn input(value: &Option<Input>) -> Value {
    match value.as_ref().unwrap().kind.as_ref().unwrap() {
        InputKind::RawValue(bytes) => json!(STANDARD.encode(bytes)),
        InputKind::RawTimestampMicros(number) | InputKind::IntValue(number) => json!(number),
        other => panic!("{other:?}"),
    }
}
