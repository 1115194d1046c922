//! Whose series they are: the labels that all of a run share.

use googleapis_tonic_google_monitoring_v3::google::api::{Metric, MonitoredResource};

use super::client_id::ClientId;
use super::family::Family;
use super::ledger::Series;
use crate::config::{self, BigtableChangeStream, DatabaseName};

/// A label's name and its value.
type Label = (&'static str, String);

/// What a run reads from, and which client does it.
#[derive(Debug)]
pub(super) struct Subject {
    pub(super) family: Family,
    pub(super) project: String,
    resource_labels: Vec<Label>,
    metric_labels: Vec<Label>,
}

impl Subject {
    /// What is read from, by this process.
    pub(super) fn of(source: &config::Source, client: &ClientId) -> Self {
        match source {
            config::Source::SpannerChangeStream(stream) => Self::spanner(&stream.database, client),
            config::Source::SpannerBatch(batch) => Self::spanner(&batch.database, client),
            config::Source::BigtableChangeStream(stream) => Self::bigtable(stream, client),
        }
    }

    /// Source: java-spanner, BuiltInMetricsProvider.java and HeaderInterceptor.java. Where the client
    /// runs, and how the instance is configured, is not asked for: it says what Google's clients say
    /// when they do not know. Connections are never DirectPath.
    fn spanner(database: &DatabaseName, client: &ClientId) -> Self {
        let DatabaseName {
            project,
            instance,
            database,
        } = database;
        Self {
            family: Family::Spanner,
            project: project.clone(),
            resource_labels: vec![
                ("project_id", project.clone()),
                ("instance_id", instance.clone()),
                ("location", "global".to_owned()),
                ("instance_config", "unknown".to_owned()),
                ("client_hash", client.hash()),
            ],
            metric_labels: vec![
                ("client_name", client_name()),
                ("client_uid", client.as_str().to_owned()),
                ("database", database.clone()),
                ("directpath_enabled", "false".to_owned()),
                ("directpath_used", "false".to_owned()),
            ],
        }
    }

    /// Source: java-bigtable, TableSchema.java and internal/csm/metrics
    fn bigtable(stream: &BigtableChangeStream, client: &ClientId) -> Self {
        let config::TableName {
            project,
            instance,
            table,
        } = &stream.table;
        Self {
            family: Family::Bigtable,
            project: project.clone(),
            resource_labels: vec![
                ("project_id", project.clone()),
                ("instance", instance.clone()),
                ("table", table.clone()),
            ],
            metric_labels: vec![
                ("client_name", client_name()),
                ("client_uid", client.as_str().to_owned()),
                ("app_profile", stream.app_profile.as_str().to_owned()),
            ],
        }
    }

    /// The metric of a series, with all its labels.
    pub(super) fn metric(&self, series: &Series) -> Metric {
        let family = self.family;
        let method = format!("{}{}", family.service(), series.method);
        let mut labels = self.metric_labels.clone();
        labels.push(("method", method));
        labels.extend(series.status.map(|status| ("status", status.to_owned())));
        if series.metric.has_streaming {
            // Every call of Bigtable's data service that is made here is answered by a stream.
            labels.push(("streaming", "true".to_owned()));
        }
        Metric {
            r#type: format!("{}{}", family.prefix(), series.metric.name),
            labels: owned(labels),
        }
    }

    /// The resource that it is about.
    pub(super) fn resource(&self, series: &Series) -> MonitoredResource {
        let mut labels = self.resource_labels.clone();
        if self.family == Family::Bigtable {
            // Source: java-bigtable, internal/csm/attributes/Util.java
            let or =
                |said: &str, unsaid: &str| if said.is_empty() { unsaid } else { said }.to_owned();
            labels.push(("cluster", or(&series.place.cluster, "<unspecified>")));
            labels.push(("zone", or(&series.place.zone, "global")));
        }
        MonitoredResource {
            r#type: self.family.resource().to_owned(),
            labels: owned(labels),
        }
    }
}

fn client_name() -> String {
    concat!("acequia/", env!("CARGO_PKG_VERSION")).to_owned()
}

fn owned<Labels: FromIterator<(String, String)>>(labels: Vec<Label>) -> Labels {
    let labels = labels.into_iter();
    labels
        .map(|(name, value)| (name.to_owned(), value))
        .collect()
}
