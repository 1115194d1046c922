//! The `meta` section, as Fluvio's connector files have it.

mod options;
mod read;
mod topic;

pub(super) use options::{API_VERSION, META, TYPE};
pub(super) use read::read;
pub(super) use topic::ApiVersion;

/// Who a connector is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Meta {
    /// The name of this instance. It stands in logs, locks and the default checkpoint directory.
    /// Letters, digits, `.`, `-` and `_`, at most 100.
    pub name: String,
    /// The connector type, such as `spanner-change-stream-source`.
    pub connector_type: String,
    /// The version of the connector package that the file was written for.
    pub version: String,
    /// The topic that a Fluvio sink writes to.
    pub topic: Option<Topic>,
}

/// A Fluvio topic.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Topic {
    /// Its name: lower-case letters, digits and hyphens, at most 63.
    pub name: String,
    /// How to create it, as `apiVersion: 0.2.0` describes it. `None` where the file has only a
    /// name.
    pub settings: Option<serde_json::Value>,
}
