//! The questions to Spanner: what the stream is and watches, and whether it can be read from where a
//! run would begin.

mod filters;
mod made_records;
pub(super) mod made_rows;
mod made_values;
mod remedy;
mod retention;
mod source;

use jiff::Timestamp;

use self::source::Known;
use super::answer::in_time;
use super::checkpoint::Progress;
use super::components::{self, Guests};
use super::findings::Findings;
use super::{Topic, WouldRead, credentials};
use crate::config::SpannerChangeStream;
use crate::spanner::Client;

/// Asks the service, then the components about what it said.
pub(super) async fn look(
    stream: &SpannerChangeStream,
    progress: &Progress,
    guests: &mut Guests,
    findings: &mut Findings,
    would_read: &mut WouldRead,
) {
    let known = ask_service(stream, progress, findings, would_read).await;
    let Some(watch_list) = known.and_then(|known| known.watch_list) else {
        let why = "what the stream watches is not known";
        components::not_tried(why, "see the findings on credentials and source", findings);
        return;
    };
    filters::look(stream, guests, &watch_list, findings, would_read).await;
    let made = made_records::make(guests.names.as_mut(), &watch_list).await;
    components::try_made_records(guests, made, findings).await;
}

/// What the service says; none where it could not be asked.
async fn ask_service(
    stream: &SpannerChangeStream,
    progress: &Progress,
    findings: &mut Findings,
    would_read: &mut WouldRead,
) -> Option<Known> {
    let client = source::client(stream, findings)?;
    let credentials = &stream.connection.credentials;
    if !credentials::look(credentials, client.authorize(), findings).await {
        credentials::not_asked(findings);
        return None;
    }
    let known = source::look(stream, &client, findings, would_read).await;
    if let Some(known) = &known {
        let asked = retention::Asked {
            client: &client,
            stream,
            described: &known.described,
            now: Timestamp::now(),
        };
        asked.look(progress, findings, would_read).await;
    }
    leave(&client, findings).await;
    known
}

/// Deletes the session that the questions were asked in.
pub(super) async fn leave(client: &Client, findings: &mut Findings) {
    if let Ok(Err(error)) = in_time(client.close()).await {
        findings.warning(
            Topic::Source,
            format!("the session of this check could not be deleted: {error}"),
            "nothing: the service ends a session that is not used for an hour",
        );
    }
}
