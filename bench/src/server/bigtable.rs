//! A flood of row mutations.

use acequia_sandbox::bigtable::history::Flood;
use acequia_sandbox::bigtable::{History, READER, Sandbox, Script};
use jiff::Timestamp;

use super::{Load, Started, Stream, WHAT};
use crate::Failed;
use crate::error::Of as _;
use crate::record::bigtable;

pub(super) fn start(load: &Load, since: Timestamp) -> Result<Started, Failed> {
    // Source: `google/bigtable/v2/bigtable.proto`, `ReadChangeStreamResponse.stream_record`.
    if load.rows_per_frame > 1 {
        return Err(Failed::new(
            WHAT,
            "a message of Bigtable holds one mutation",
        ));
    }
    let history = History::flood(Flood {
        since,
        partitions: load.partitions,
        mutation: bigtable::mutation(),
        pace: load.pace,
    })
    .of(WHAT)?;
    let sandbox = Sandbox::start(Script::new(history)).of(WHAT)?;
    let address = sandbox.address();
    let stream = Stream::Bigtable {
        table: sandbox.table().to_owned(),
        app_profile: READER.to_owned(),
    };
    Ok((Box::new(sandbox), address, stream))
}
