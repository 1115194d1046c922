//! How a fault strikes a call.

use std::{sync::Arc, time::Duration};

use tonic::{Extensions, Status};

use crate::{
    fault::{Claim, Faults, What},
    line::{Cutter, Reset},
};

/// How long a call waits before it is reset or cut, so that what it sent has left: HTTP/2 throws
/// away what is still queued on a stream that is reset.
const FLUSH: Duration = Duration::from_millis(50);

/// The fault that one streaming call meets, and the means to carry it out.
#[derive(Debug)]
pub(crate) struct Strike<On> {
    claim: Option<Claim<On>>,
    reset: Reset,
    cutter: Option<Cutter>,
    /// What the service answers to a position whose records are gone.
    expired: Status,
}

impl<On> Strike<On> {
    pub(crate) fn new(claim: Option<Claim<On>>, extensions: &Extensions, expired: Status) -> Self {
        Self {
            claim,
            reset: extensions.get::<Reset>().cloned().unwrap_or_default(),
            cutter: extensions.get::<Cutter>().cloned(),
            expired,
        }
    }

    /// The fault, if it strikes after `sent` messages.
    pub(crate) fn due(&mut self, sent: u64) -> Option<What> {
        self.claim.as_mut()?.strike(sent)
    }

    /// Whether what tells the partition's successors is to be held back.
    pub(crate) fn loses_successors(&mut self) -> bool {
        self.claim.as_mut().is_some_and(Claim::loses_successors)
    }

    /// Carries the fault out: the call ends with this status, well, or not at all.
    pub(crate) async fn carry_out(&self, what: &What) -> Option<Status> {
        match what {
            What::Stall => std::future::pending().await,
            What::Reset => {
                tokio::time::sleep(FLUSH).await;
                self.reset.set();
            }
            What::Disconnect => {
                tokio::time::sleep(FLUSH).await;
                if let Some(cutter) = &self.cutter {
                    cutter.cut();
                }
                std::future::pending::<()>().await;
            }
            What::CleanEnd | What::LostSuccessors | What::Status { .. } | What::Expire => {}
        }
        what.to_status(&self.expired)
    }
}

impl<On> Faults<On> {
    /// Meets a fault for calls that do not stream.
    pub(crate) async fn strike_at_once(
        self: &Arc<Self>,
        fits: impl Fn(&On) -> bool,
        expired: Status,
    ) -> Result<(), Status> {
        let Some(mut claim) = self.claim(fits) else {
            return Ok(());
        };
        match claim.strike(u64::MAX) {
            Some(What::Stall) => std::future::pending().await,
            Some(what) => what.to_status(&expired).map_or(Ok(()), Err),
            None => Ok(()),
        }
    }
}
