//! Calls to a Google service, on our own terms.
//!
//! The generated clients decode every frame into a tree of values and hide the size limit and the
//! routing headers. Here a call hands out bytes ([`frames`]), every connection's windows fit its
//! number of streams ([`channels`]), access tokens are refreshed when the service asks for it
//! ([`credentials`]), and a failed call says what to do about it ([`status`]). What calls cost is measured
//! in one place ([`meter`]) and may be written to Cloud Monitoring ([`monitoring`]). What a service's
//! codes mean, and its messages, are its own: [`spanner`](crate::spanner),
//! [`bigtable`](crate::bigtable).

mod account;
mod call_error;
mod channels;
mod credentials;
mod endpoint;
mod frames;
mod measure;
mod meter;
pub mod monitoring;
mod retry;
mod server_timing;
mod service;
pub mod status;
mod unreached;

pub use account::{Account, TokenEndpointError};
pub use call_error::CallError;
pub use credentials::CredentialsError;
pub use endpoint::ConnectError;
pub use meter::RpcMeter;
pub(crate) use meter::name as code_name;
pub(crate) use retry::{Patience, retrying};
pub(crate) use service::{About, FrameStream, Reach, Service, StreamTimes, decode};
pub use status::Disposition;
