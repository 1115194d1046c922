//! Where faults strike a Spanner service.

use tonic::Status;

use crate::fault::What;

/// A fault of a Spanner service.
pub type Fault = crate::fault::Fault<On>;

impl Fault {
    /// Strikes one query of `token` after `after_messages` messages.
    #[must_use]
    pub fn on_token(token: &str, after_messages: u64, what: What) -> Self {
        Self {
            on: On::Token(token.to_owned()),
            after_messages,
            times: 1,
            what,
        }
    }

    /// Strikes the first `times` change-stream queries, whatever they read.
    #[must_use]
    pub fn on_any(after_messages: u64, times: u32, what: What) -> Self {
        Self {
            on: On::AnyQuery,
            after_messages,
            times,
            what,
        }
    }
}

/// Which calls a fault fits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum On {
    /// Every change-stream query.
    AnyQuery,
    /// The query for the first partitions.
    Root,
    /// Queries of this partition.
    Token(String),
    /// Queries of INFORMATION_SCHEMA.
    Catalog,
    /// Calls that create, get or delete sessions.
    Sessions,
}

/// The answer to a query of a partition whose records are all gone.
///
/// Source: Cloud Spanner emulator 1.5.28, `READ_<stream>` on an expired token.
pub(crate) fn expired() -> Status {
    Status::out_of_range(
        "This partition is no longer valid. All Change Stream records associated with this \
         partition have expired",
    )
}
