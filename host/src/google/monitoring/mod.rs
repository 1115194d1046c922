//! What the client's calls cost, written to Cloud Monitoring.
//!
//! Google's own clients of Spanner and Bigtable write metrics of their calls, and Google's dashboards
//! show them. What is written here has their names, labels and buckets ([`family`]) and is about the
//! same resources ([`subject`]); a dashboard cannot tell the difference but by the client's name. The
//! numbers are those of the [meter](super::RpcMeter), kept in a [`Ledger`] from the first call on: every
//! value counts from the start of the run and only grows, so that a write that failed loses nothing.
//!
//! Writing is on the side ([`exporter`]): every minute and once at the end. It may fail for as long as it
//! likes; that is a warning now and then ([`complaint`]) and no more.

mod client_id;
mod complaint;
mod distribution;
mod exporter;
mod family;
mod ledger;
mod place;
mod request;
mod subject;

pub use exporter::Exporter;
pub use ledger::Ledger;
pub(super) use place::Place;
