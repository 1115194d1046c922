//! What goes wrong, where and how often.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use googleapis_tonic_google_spanner_v1::google::rpc;
use prost::Message;
use tonic::{Code, Status};

/// One fault. It strikes a query that it fits after `after_messages` messages, `times` times in all;
/// a query that ends or is dropped before that leaves it for the next.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// Which calls it fits.
    pub on: On,
    /// How many messages the query has sent when it strikes; 0 strikes before the first. Calls that
    /// do not stream are struck at once.
    pub after_messages: u64,
    /// How many calls it strikes.
    pub times: u32,
    /// What happens.
    pub what: What,
}

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

/// What happens. Calls that do not stream only know `Status`, `Expire` and `Stall`; other kinds
/// leave them alone.
#[derive(Clone, Debug, PartialEq)]
pub enum What {
    /// The call ends with this status.
    Status {
        /// Its code.
        code: Code,
        /// Its text.
        text: String,
        /// A `google.rpc.RetryInfo` with this delay among the details.
        retry_after: Option<Duration>,
    },
    /// The HTTP/2 stream is reset, without a status.
    Reset,
    /// The whole connection is dropped.
    Disconnect,
    /// Nothing more is sent, and the call does not end.
    Stall,
    /// The query ends well, without child records.
    CleanEnd,
    /// Where the child records or the partition's end belong, the query ends well without them.
    /// `after_messages` does not count here.
    LateChildren,
    /// The partition's records have expired.
    Expire,
}

impl What {
    /// A status without details.
    #[must_use]
    pub fn status(code: Code, text: &str) -> Self {
        Self::Status {
            code,
            text: text.to_owned(),
            retry_after: None,
        }
    }

    /// The status that ends the call, if this is such a fault.
    pub(crate) fn to_status(&self) -> Option<Status> {
        match self {
            Self::Status {
                code,
                text,
                retry_after,
            } => Some(status(*code, text, *retry_after)),
            Self::Expire => Some(expired()),
            Self::Reset | Self::Disconnect | Self::Stall | Self::CleanEnd | Self::LateChildren => {
                None
            }
        }
    }
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

/// The faults that are left.
#[derive(Debug)]
pub(crate) struct Faults {
    left: Mutex<Vec<Fault>>,
}

impl Faults {
    pub(crate) fn new(faults: Vec<Fault>) -> Arc<Self> {
        Arc::new(Self {
            left: Mutex::new(faults),
        })
    }

    /// Takes the first fault that fits, so that no second query meets it.
    pub(crate) fn claim(self: &Arc<Self>, fits: impl Fn(&On) -> bool) -> Option<Claim> {
        let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        let (index, fault) = left
            .iter_mut()
            .enumerate()
            .find(|(_, fault)| fault.times > 0 && fits(&fault.on))?;
        fault.times -= 1;
        let (after_messages, what) = (fault.after_messages, fault.what.clone());
        Some(Claim {
            faults: Arc::clone(self),
            index,
            after_messages,
            what,
            struck: false,
        })
    }

    pub(crate) fn push(&self, fault: Fault) {
        self.left
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(fault);
    }
}

/// A fault that one query will meet; given back when the query ends before.
#[derive(Debug)]
pub(crate) struct Claim {
    faults: Arc<Faults>,
    index: usize,
    after_messages: u64,
    what: What,
    struck: bool,
}

impl Claim {
    /// The fault, if it strikes after `sent` messages.
    pub(crate) fn strike(&mut self, sent: u64) -> Option<What> {
        let waits = self.struck || self.what == What::LateChildren || sent < self.after_messages;
        (!waits).then(|| {
            self.struck = true;
            self.what.clone()
        })
    }

    /// Whether the records that end the partition are to be held back.
    pub(crate) fn holds_children(&mut self) -> bool {
        let holds = !self.struck && self.what == What::LateChildren;
        self.struck |= holds;
        holds
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        if !self.struck {
            let mut left = self
                .faults
                .left
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            if let Some(fault) = left.get_mut(self.index) {
                fault.times += 1;
            }
        }
    }
}

fn status(code: Code, text: &str, retry_after: Option<Duration>) -> Status {
    let Some(delay) = retry_after else {
        return Status::new(code, text);
    };
    let info = rpc::RetryInfo {
        retry_delay: prost_types::Duration::try_from(delay).ok(),
    };
    let detail = prost_types::Any {
        type_url: "type.googleapis.com/google.rpc.RetryInfo".to_owned(),
        value: info.encode_to_vec(),
    };
    let details = rpc::Status {
        code: code as i32,
        message: text.to_owned(),
        details: vec![detail],
    };
    Status::with_details(code, text, details.encode_to_vec().into())
}
