//! The questions to Spanner about a snapshot: whether it can be planned, at which instant, and for how
//! long that instant can be read.
//!
//! A plan is made as a run makes it, and thrown away with its session. No partition of it is read, so
//! components are tried on rows of every type, whatever the columns are.

mod plan;
mod remedy;
mod retention;
mod source;

use std::convert::Infallible;

use jiff::Timestamp;

use self::plan::Asked;
use super::checkpoint::Progress;
use super::components::{self, Guests};
use super::findings::Findings;
use super::spanner::{self, made_rows};
use super::{Topic, WouldRead, credentials};
use crate::chain::chain;
use crate::config::{ReadOperation, SpannerBatch};
use crate::spanner::Client;

/// Asks the service, and tries the components.
pub(super) async fn look(
    batch: &SpannerBatch,
    progress: &Progress,
    guests: &mut Guests,
    findings: &mut Findings,
    would_read: &mut WouldRead,
) {
    ask_service(batch, progress, findings, would_read).await;
    let table = match &batch.read_operation {
        ReadOperation::Table(table) => table.table.as_str(),
        ReadOperation::Query(_) => "",
    };
    let made: Result<_, Infallible> = Ok(made_rows::make(table, Timestamp::now()));
    components::try_made_records(guests, made, findings).await;
}

async fn ask_service(
    batch: &SpannerBatch,
    progress: &Progress,
    findings: &mut Findings,
    would_read: &mut WouldRead,
) {
    let Some(client) = client(batch, findings) else {
        return;
    };
    if !credentials::look(&batch.connection.credentials, client.authorize(), findings).await {
        credentials::not_asked(findings);
        return;
    }
    if let Some(described) = source::look(batch, &client, findings).await {
        let asked = Asked {
            client: &client,
            batch,
            described: &described,
            now: Timestamp::now(),
        };
        asked.look(progress, findings, would_read).await;
    }
    spanner::leave(&client, findings).await;
}

/// A client that leaves nothing behind.
fn client(batch: &SpannerBatch, findings: &mut Findings) -> Option<Client> {
    match Client::for_a_look(&batch.database, &batch.connection, &batch.requests) {
        Ok(client) => Some(client),
        Err(error) => {
            let remedy = "correct the option that is named";
            findings.misconfigured(Topic::Source, chain(&error), remedy);
            None
        }
    }
}
