//! The file of a run of the connector.

use jiff::Timestamp;

use crate::server::{Stream, Target};
use crate::service::Service;

/// The lists of names of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lists {
    /// None.
    Without,
    /// Lists that the measured record passes whole.
    EverythingPasses,
    /// A list by which one column of every record is left out.
    OneColumnDoesNot,
}

/// A configuration that reads a target from `start` to `end`. `options` are lines of the connector's
/// section.
pub(crate) fn of(
    target: &Target,
    (start, end): (&str, Timestamp),
    lists: Lists,
    options: &str,
) -> String {
    let (connector, stream) = stream(target, end);
    let lists = names(target.stream.service(), lists);
    format!(
        "\
apiVersion: 0.1.0
meta:
  name: bench
  type: {connector}-source
  version: 0.1.0
{connector}:
  emulator-endpoint: {address}
  start-position: {start}
  deserializer: json
{stream}{lists}{options}",
        address = target.address,
    )
}

/// What the connector is called, and which stream it reads.
fn stream(target: &Target, end: Timestamp) -> (&'static str, String) {
    let partitions = target.partitions;
    match &target.stream {
        Stream::Spanner { database, name } => (
            "spanner-change-stream",
            format!(
                "  database: {database}
  change-stream-name: {name}
  end-position: {end}
  max-concurrent-queries: {partitions}
"
            ),
        ),
        Stream::Bigtable { table, app_profile } => (
            "bigtable-change-stream",
            format!(
                "  table: {table}
  app-profile-id: {app_profile}
  bounded-timestamp: {end}
  max-concurrent-streams: {partitions}
"
            ),
        ),
    }
}

/// Qualifiers are matched in Base64: `c2VjcmV0` is `secret`, `Tm90ZQ==` is `Note`.
fn names(service: Service, lists: Lists) -> &'static str {
    match (lists, service) {
        (Lists::Without, _) => "",
        (Lists::EverythingPasses, Service::Spanner) => {
            "  table-include-list: ['Ord.*|Customers']
  column-exclude-list: ['.*[.](Secret|Photo)']
"
        }
        (Lists::EverythingPasses, Service::Bigtable) => {
            "  family-include-list: ['ord.*|customer']
  qualifier-exclude-list: ['.*:(c2VjcmV0|cGhvdG8=)']
"
        }
        (Lists::OneColumnDoesNot, Service::Spanner) => {
            "  column-exclude-list: ['Orders[.]Note']
"
        }
        (Lists::OneColumnDoesNot, Service::Bigtable) => {
            "  qualifier-exclude-list: ['order:Tm90ZQ==']
"
        }
    }
}
