//! A thin client of Cloud Spanner: the few calls that reading needs, on our own terms.
//!
//! The generated client decodes every frame into a tree of values and hides the size limit and
//! the routing headers. Here a streaming call hands out frames as bytes ([`frames`]), every
//! channel's windows fit its number of streams ([`channels`]), tokens and sessions are refreshed
//! when the service asks for it ([`credentials`], [`client`]), and what a status means is one pure
//! function ([`status`]).

mod account;
mod call_error;
mod channels;
mod client;
mod credentials;
pub mod discovery;
mod endpoint;
mod frames;
mod meter;
mod options;
pub mod request;
mod retry;
pub mod status;
pub mod watch_list;

pub use account::{Account, TokenEndpointError};
pub use call_error::CallError;
pub use client::{Client, FrameStream};
pub use credentials::CredentialsError;
pub use endpoint::ConnectError;
pub(crate) use meter::name as code_name;
