//! What a run tells of itself over HTTP while it runs: the real binary against the sandbox, asked
//! with plain sockets.

mod hostile;
pub(crate) mod metrics;
pub(crate) mod run;
mod status;
mod waits;
