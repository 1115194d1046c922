//! The one session of a client.

use std::time::Duration;

use googleapis_tonic_google_spanner_v1::google::spanner::v1::{
    CreateSessionRequest, DeleteSessionRequest, Session,
};
use tokio::time::Instant;

use super::Client;
use crate::google::{CallError, decode};

/// A multiplexed session is made anew after this long; the service ends one after 28 days.
///
/// Source: https://cloud.google.com/spanner/docs/sessions#multiplexed_sessions
const SESSION_AGE_MAX: Duration = Duration::from_secs(7 * 24 * 3600);

/// Which session the calls of a client go through.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum SessionKind {
    /// Any number of calls at once; the service ends it, since it cannot be deleted.
    Multiplexed,
    /// One that can be deleted.
    Regular,
}

pub(super) struct OpenSession {
    name: String,
    since: Instant,
}

impl Client {
    /// Deletes the session of a client that was made for a look, if it has one.
    ///
    /// # Errors
    ///
    /// The call failed. The service ends such a session after an hour without calls.
    ///
    /// Source: https://cloud.google.com/spanner/docs/sessions
    pub async fn close(&self) -> Result<(), CallError> {
        if self.0.session_kind == SessionKind::Multiplexed {
            return Ok(());
        }
        let Some(open) = self.0.session.lock().await.take() else {
            return Ok(());
        };
        self.end_session(&open.name).await
    }

    /// Deletes a session, which is no multiplexed one.
    ///
    /// # Errors
    ///
    /// As [`close`](Self::close).
    pub(crate) async fn end_session(&self, name: &str) -> Result<(), CallError> {
        const METHOD: &str = "DeleteSession";
        let request = DeleteSessionRequest {
            name: name.to_owned(),
        };
        self.unary(METHOD, "name", name, request).await.map(drop)
    }

    /// The name of the one session, made when there is none or the last is too old.
    pub(super) async fn session(&self) -> Result<String, CallError> {
        let mut session = self.0.session.lock().await;
        if let Some(open) = session.as_ref()
            && open.since.elapsed() < SESSION_AGE_MAX
        {
            return Ok(open.name.clone());
        }
        let created = self.new_session().await?;
        *session = Some(OpenSession {
            name: created.name.clone(),
            since: Instant::now(),
        });
        Ok(created.name)
    }

    /// A session that is nobody else's.
    pub(in crate::spanner) async fn new_session(&self) -> Result<Session, CallError> {
        const METHOD: &str = "CreateSession";
        let request = CreateSessionRequest {
            database: self.0.database.clone(),
            session: Some(Session {
                multiplexed: self.0.session_kind == SessionKind::Multiplexed,
                creator_role: self.0.requests.database_role.clone().unwrap_or_default(),
                ..Session::default()
            }),
        };
        let database = &self.0.database;
        let frame = self.unary(METHOD, "database", database, request).await?;
        decode(METHOD, frame)
    }
}
