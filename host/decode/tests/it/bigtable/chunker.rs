//! Cuts mutations into messages, and cells into pieces, as the service does.

use googleapis_tonic_google_bigtable_v2::google::bigtable::v2::mutation::Mutation as Kind;
use googleapis_tonic_google_bigtable_v2::google::bigtable::v2::read_change_stream_response::{
    DataChange, MutationChunk, data_change::Type, mutation_chunk::ChunkInfo,
};

use crate::random::Random;

/// The messages of a mutation that stands in one.
pub(crate) fn cut(random: &mut Random, change: &DataChange) -> Vec<DataChange> {
    let mut messages = vec![DataChange {
        chunks: vec![],
        done: false,
        token: String::new(),
        estimated_low_watermark: None,
        ..change.clone()
    }];
    for chunk in &change.chunks {
        let pieces = pieces(random, chunk);
        let last = pieces.len() - 1;
        for (index, piece) in pieces.into_iter().enumerate() {
            messages.last_mut().unwrap().chunks.push(piece);
            if index < last || random.once_in(4) {
                messages.push(DataChange {
                    r#type: Type::Continuation.into(),
                    ..DataChange::default()
                });
            }
        }
    }
    let last = messages.last_mut().unwrap();
    last.done = true;
    last.token.clone_from(&change.token);
    last.estimated_low_watermark = change.estimated_low_watermark;
    messages
}

/// A cell in pieces, or an entry as it is.
fn pieces(random: &mut Random, chunk: &MutationChunk) -> Vec<MutationChunk> {
    let Some(Kind::SetCell(cell)) = chunk.mutation.as_ref().unwrap().mutation.as_ref() else {
        return vec![chunk.clone()];
    };
    if cell.value.is_empty() || random.once_in(2) {
        return vec![chunk.clone()];
    }
    let mut cuts = vec![0, cell.value.len()];
    while random.once_in(2) {
        cuts.push(1 + random.below(cell.value.len()));
    }
    cuts.sort_unstable();
    cuts.dedup();
    let piece = |ends: &[usize]| {
        let mut piece = chunk.clone();
        piece.chunk_info = Some(ChunkInfo {
            chunked_value_size: cell.value.len() as i32,
            chunked_value_offset: ends[0] as i32,
            last_chunk: ends[1] == cell.value.len(),
        });
        let mutation = piece.mutation.as_mut().unwrap();
        if let Some(Kind::SetCell(own)) = &mut mutation.mutation {
            own.value = cell.value.slice(ends[0]..ends[1]);
            if ends[0] > 0 {
                // Nothing but the value counts.
                own.family_name.clear();
                own.column_qualifier.clear();
            }
        }
        piece
    };
    cuts.windows(2).map(piece).collect()
}
