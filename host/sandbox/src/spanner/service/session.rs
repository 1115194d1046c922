//! Sessions of the one database.

use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use googleapis_tonic_google_spanner_v1::google::spanner::v1::{
    BatchCreateSessionsRequest, BatchCreateSessionsResponse, CreateSessionRequest, Session,
};
use tonic::Status;

use super::stats::Counters;

/// The one database.
pub(crate) const DATABASE: &str = "projects/sandbox/instances/sandbox/databases/shop";

/// Sessions that exist, by name.
#[derive(Debug, Default)]
pub(crate) struct Sessions {
    state: Mutex<State>,
    counters: Counters,
}

#[derive(Debug, Default)]
struct State {
    created: u64,
    living: BTreeMap<String, Session>,
}

impl Sessions {
    pub(super) fn new(counters: Counters) -> Self {
        Self {
            state: Mutex::default(),
            counters,
        }
    }

    pub(super) fn create(&self, request: CreateSessionRequest) -> Result<Session, Status> {
        check_database(&request.database)?;
        Ok(self.add(request.session.unwrap_or_default()))
    }

    pub(super) fn batch_create(
        &self,
        request: BatchCreateSessionsRequest,
    ) -> Result<BatchCreateSessionsResponse, Status> {
        check_database(&request.database)?;
        // Source: `google/spanner/v1/spanner.proto`, BatchCreateSessionsRequest.session_count: the
        // service may return fewer than asked for.
        if request.session_count < 1 {
            return Err(Status::invalid_argument("session_count must be at least 1"));
        }
        let template = request.session_template.unwrap_or_default();
        let session = (0..request.session_count.min(100)).map(|_| self.add(template.clone()));
        Ok(BatchCreateSessionsResponse {
            session: session.collect(),
        })
    }

    pub(super) fn get(&self, name: &str) -> Result<Session, Status> {
        self.lock()
            .living
            .get(name)
            .cloned()
            .ok_or_else(|| not_found(name))
    }

    /// Source: `google/spanner/v1/spanner.proto`, Session.multiplexed: such a session cannot be
    /// deleted.
    pub(super) fn delete(&self, name: &str) -> Result<(), Status> {
        let mut state = self.lock();
        let session = state.living.get(name).ok_or_else(|| not_found(name))?;
        if session.multiplexed {
            return Err(Status::failed_precondition(format!(
                "A multiplexed session cannot be deleted: {name}"
            )));
        }
        state.living.remove(name);
        drop(state);
        self.counters.session_deleted();
        Ok(())
    }

    pub(crate) fn forget(&self) {
        self.lock().living.clear();
    }

    fn add(&self, template: Session) -> Session {
        self.counters.session();
        let mut state = self.lock();
        state.created += 1;
        let name = format!("{DATABASE}/sessions/{}", state.created);
        let session = Session {
            name: name.clone(),
            ..template
        };
        state.living.insert(name, session.clone());
        session
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn check_database(database: &str) -> Result<(), Status> {
    if database == DATABASE {
        Ok(())
    } else {
        Err(Status::not_found(format!("Database not found: {database}")))
    }
}

/// Source: Cloud Spanner, "Session not found" in <https://cloud.google.com/spanner/docs/sessions>.
fn not_found(name: &str) -> Status {
    Status::not_found(format!("Session not found: {name}"))
}
