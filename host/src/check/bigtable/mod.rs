//! The questions to Bigtable: whether table and application profile are such that a change stream is
//! read through them, what it would be read of, and from where on.
//!
//! A read is not begun. Asking for the partitions of this moment needs the same service, table and
//! profile, and is what a run begins with.

mod admin;
mod data;
mod filters;
mod made_mutations;
mod remedy;
mod retention;

use std::collections::BTreeSet;

use self::admin::Known;
use super::checkpoint::Progress;
use super::components::{self, Guests};
use super::findings::Findings;
use super::{BigtableSeen, SourceSeen, Topic, WouldRead, credentials};
use crate::bigtable::Client;
use crate::chain::chain;
use crate::config::BigtableChangeStream;

/// Asks the services, then the components about what they said.
pub(super) async fn look(
    stream: &BigtableChangeStream,
    progress: &Progress,
    guests: &mut Guests,
    findings: &mut Findings,
    would_read: &mut WouldRead,
) {
    let known = match client(stream, findings).await {
        Some(client) => ask_services(stream, &client, progress, findings, would_read).await,
        None => Known::default(),
    };
    let Some(described) = &known.described else {
        not_tried(stream, findings);
        return;
    };
    try_components(
        stream,
        &known,
        &described.families,
        guests,
        findings,
        would_read,
    )
    .await;
}

/// A client that has a token.
async fn client(stream: &BigtableChangeStream, findings: &mut Findings) -> Option<Client> {
    let client = match Client::for_a_look(stream) {
        Ok(client) => client,
        Err(error) => {
            let remedy = "correct the option that is named";
            findings.misconfigured(Topic::Source, chain(&error), remedy);
            return None;
        }
    };
    let credentials = &stream.connection.credentials;
    if !credentials::look(credentials, client.authorize(), findings).await {
        credentials::not_asked(findings);
        return None;
    }
    Some(client)
}

/// Asks the admin service, unless it is not to be asked, then the data service.
async fn ask_services(
    stream: &BigtableChangeStream,
    client: &Client,
    progress: &Progress,
    findings: &mut Findings,
    would_read: &mut WouldRead,
) -> Known {
    let known = if stream.without_validation {
        admin::not_asked(findings);
        Known::default()
    } else {
        admin::look(stream, client, findings).await
    };
    let is_same_server = stream.admin_endpoint == stream.connection.endpoint;
    let partitions = if known.is_silent && is_same_server {
        None
    } else {
        data::look(stream, client, known.is_unfit, findings).await
    };
    if known.described.is_some() || known.cluster.is_some() || partitions.is_some() {
        would_read.source = Some(SourceSeen::Bigtable(BigtableSeen {
            table: stream.table.to_string(),
            app_profile: stream.app_profile.as_str().to_owned(),
            cluster: known.cluster.clone(),
            partitions,
        }));
    }
    if let Some(kept) = retention::kept(stream, known.described.as_ref()) {
        retention::look(stream, &kept, progress, findings, would_read);
    }
    known
}

async fn try_components(
    stream: &BigtableChangeStream,
    known: &Known,
    families: &BTreeSet<String>,
    guests: &mut Guests,
    findings: &mut Findings,
    would_read: &mut WouldRead,
) {
    let names = guests.names.as_mut();
    filters::look(stream, names, families, findings, would_read).await;
    let made = made_mutations::make(
        guests.names.as_mut(),
        stream,
        families,
        known.cluster.as_deref(),
    )
    .await;
    components::try_made_records(guests, made, findings).await;
}

fn not_tried(stream: &BigtableChangeStream, findings: &mut Findings) {
    let remedy = if stream.without_validation {
        "leave without-validation out for a check by an account that has bigtable.tables.get"
    } else {
        "see the findings on credentials and source"
    };
    let why = "which column families the table has is not known";
    components::not_tried(why, remedy, findings);
}
