//! The entries of a whole mutation into the columns of a batch.

use bytes::Bytes;

use super::MutationBatch;
use super::answers::Sieve;
use super::data_change::Chunks;
use super::whole::Whole;
use crate::Malformed;

/// Appends the entries that pass. The pieces of a value follow one another, which was checked when
/// the messages came.
pub(super) fn append<'a>(
    batch: &mut MutationBatch,
    whole: &'a Whole,
    sieve: &mut Sieve<'a>,
) -> Result<(), Malformed> {
    let mut under_way = UnderWay::default();
    for message in whole.messages() {
        append_message(batch, message, sieve, &mut under_way)?;
    }
    Ok(())
}

/// The entry before: whether more pieces of it come, and whether it passed.
#[derive(Default)]
struct UnderWay {
    is_open: bool,
    passes: bool,
}

fn append_message<'a>(
    batch: &mut MutationBatch,
    message: &'a Bytes,
    sieve: &mut Sieve<'a>,
    entry: &mut UnderWay,
) -> Result<(), Malformed> {
    let mut chunks = Chunks::new(message);
    while let Some(chunk) = chunks.next()? {
        let appended = if !entry.is_open {
            chunk.entry().and_then(|read| {
                entry.passes = sieve.passes(&read);
                if entry.passes {
                    batch.open_entry(&read)
                } else {
                    Ok(())
                }
            })
        } else if entry.passes {
            chunk.piece().and_then(|piece| batch.extend_value(piece))
        } else {
            Ok(())
        };
        appended.map_err(|error| chunks.place(error))?;
        entry.is_open = chunk.is_open();
        if entry.passes && !entry.is_open {
            batch.close_entry();
        }
    }
    Ok(())
}
