//! What the database says of itself and of the table.

use std::time::Duration;

use super::remedy;
use crate::chain::chain;
use crate::check::Topic;
use crate::check::answer::{self, in_time};
use crate::check::findings::Findings;
use crate::config::{ReadOperation, SpannerBatch};
use crate::spanner::Client;
use crate::spanner::discovery::{self, DiscoverError};
use crate::spanner::request::Dialect;

/// What a run asks for before it plans.
pub(super) struct Described {
    pub(super) dialect: Dialect,
    /// How long the database keeps old versions of rows.
    pub(super) kept: Duration,
    /// The primary key of the table; empty for a query, and where there is no such table.
    pub(super) key: Vec<String>,
}

/// Asks the database; none where it gave no answer.
pub(super) async fn look(
    batch: &SpannerBatch,
    client: &Client,
    findings: &mut Findings,
) -> Option<Described> {
    findings.begin(format!("asking {}", asked(batch)));
    match in_time(describe(batch, client)).await {
        Ok(Ok(described)) => Some(described),
        Ok(Err(error)) => {
            let (cause, remedy) = match &error {
                DiscoverError::Call(error) => (chain(error), remedy::of_call(error, batch)),
                DiscoverError::NoStream { .. }
                | DiscoverError::Option { .. }
                | DiscoverError::NothingReadable(_) => (
                    chain(&error),
                    "use a later version of this program".to_owned(),
                ),
            };
            findings.failure(Topic::Source, format!("{}: {cause}", asked(batch)), remedy);
            None
        }
        Err(_elapsed) => {
            silent(batch, findings);
            None
        }
    }
}

async fn describe(batch: &SpannerBatch, client: &Client) -> Result<Described, DiscoverError> {
    let dialect = discovery::dialect(client).await?;
    Ok(Described {
        dialect,
        kept: discovery::version_retention(client, dialect).await?,
        key: match &batch.read_operation {
            ReadOperation::Table(of) => discovery::primary_key(client, dialect, &of.table).await?,
            ReadOperation::Query(_) => Vec::new(),
        },
    })
}

/// Tells that an answer did not come.
pub(super) fn silent(batch: &SpannerBatch, findings: &mut Findings) {
    answer::silent(&asked(batch), findings);
}

/// Who is asked about which database.
pub(super) fn asked(batch: &SpannerBatch) -> String {
    format!("{} at {}", batch.database, remedy::server(batch))
}
