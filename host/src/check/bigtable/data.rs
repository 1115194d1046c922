//! Whether the data service lets the change stream be read, as far as it says before a read.

use tonic::Code;

use super::remedy;
use crate::bigtable::Client;
use crate::chain::chain;
use crate::check::Topic;
use crate::check::answer::{in_time, silent};
use crate::check::findings::Findings;
use crate::config::BigtableChangeStream;
use crate::google::retrying;

/// Asks for the partitions of this moment, as a run does first, and says how many there are. A refusal
/// of what is known to be unfit is told already.
pub(super) async fn look(
    stream: &BigtableChangeStream,
    client: &Client,
    is_unfit: bool,
    findings: &mut Findings,
) -> Option<usize> {
    let server = remedy::data_server(stream);
    let asked = format!("the change stream of {} at {server}", stream.table);
    findings.begin(format!("asking {asked}"));
    match in_time(retrying(client.patience(), || client.partitions())).await {
        Ok(Ok(ranges)) => {
            let partitions = ranges.len();
            findings.ok(
                Topic::Source,
                format!("{asked} has {partitions} partitions now"),
            );
            return Some(partitions);
        }
        Ok(Err(error)) if is_unfit && is_about_what_is_asked_for(error.code()) => {}
        Ok(Err(error)) => findings.failure(
            Topic::Source,
            format!("{asked}: {}", chain(&error)),
            remedy::of_partitions(&error, stream),
        ),
        Err(_elapsed) => silent(&asked, findings),
    }
    None
}

fn is_about_what_is_asked_for(code: Code) -> bool {
    matches!(
        code,
        Code::NotFound | Code::FailedPrecondition | Code::InvalidArgument
    )
}
