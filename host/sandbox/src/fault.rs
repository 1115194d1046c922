//! What goes wrong, where and how often.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use googleapis_tonic_google_spanner_v1::google::rpc;
use prost::Message;
use tonic::{Code, Status};

/// One fault. It strikes a call that it fits after `after_messages` messages, `times` times in all;
/// a call that ends or is dropped before that leaves it for the next.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault<On> {
    /// Which calls it fits.
    pub on: On,
    /// How many messages the call has sent when it strikes; 0 strikes before the first. Calls that
    /// do not stream are struck at once.
    pub after_messages: u64,
    /// How many calls it strikes.
    pub times: u32,
    /// What happens.
    pub what: What,
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
    /// The call ends well, without a word on what follows its partition.
    CleanEnd,
    /// Where the records belong that end the partition and tell what follows it, the call ends well
    /// without them. `after_messages` does not count here.
    LostSuccessors,
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
    pub(crate) fn to_status(&self, expired: &Status) -> Option<Status> {
        match self {
            Self::Status {
                code,
                text,
                retry_after,
            } => Some(status(*code, text, *retry_after)),
            Self::Expire => Some(expired.clone()),
            Self::Reset
            | Self::Disconnect
            | Self::Stall
            | Self::CleanEnd
            | Self::LostSuccessors => None,
        }
    }
}

/// The faults that are left.
#[derive(Debug)]
pub(crate) struct Faults<On> {
    left: Mutex<Vec<Fault<On>>>,
}

impl<On> Faults<On> {
    pub(crate) fn new(faults: Vec<Fault<On>>) -> Arc<Self> {
        Arc::new(Self {
            left: Mutex::new(faults),
        })
    }

    /// Takes the first fault that fits, so that no second call meets it.
    pub(crate) fn claim(self: &Arc<Self>, fits: impl Fn(&On) -> bool) -> Option<Claim<On>> {
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

    pub(crate) fn push(&self, fault: Fault<On>) {
        self.left
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(fault);
    }
}

/// A fault that one call will meet; given back when the call ends before.
#[derive(Debug)]
pub(crate) struct Claim<On> {
    faults: Arc<Faults<On>>,
    index: usize,
    after_messages: u64,
    what: What,
    struck: bool,
}

impl<On> Claim<On> {
    /// The fault, if it strikes after `sent` messages.
    pub(crate) fn strike(&mut self, sent: u64) -> Option<What> {
        let waits = self.struck || self.what == What::LostSuccessors || sent < self.after_messages;
        (!waits).then(|| {
            self.struck = true;
            self.what.clone()
        })
    }

    /// Whether what tells the partition's successors is to be held back.
    pub(crate) fn loses_successors(&mut self) -> bool {
        let loses = !self.struck && self.what == What::LostSuccessors;
        self.struck |= loses;
        loses
    }
}

impl<On> Drop for Claim<On> {
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
