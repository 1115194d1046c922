//! What the admin service says of the table and the application profile.

use super::remedy;
use crate::bigtable::Client;
use crate::bigtable::discovery::{Described, DiscoverError, Profile, check_profile, describe};
use crate::chain::chain;
use crate::check::Topic;
use crate::check::answer::{in_time, silent};
use crate::check::findings::Findings;
use crate::config::BigtableChangeStream;
use crate::google::CallError;

/// What is known of the table and the profile.
#[derive(Default)]
pub(super) struct Known {
    /// The table; none where it could not be looked at, or has no change stream.
    pub(super) described: Option<Described>,
    /// The cluster that the profile routes to; none where it could not be looked at, or does not fit.
    pub(super) cluster: Option<String>,
    /// Table or profile is missing or of the wrong kind, which has been told.
    pub(super) is_unfit: bool,
    /// Nothing answered.
    pub(super) is_silent: bool,
}

/// Asks for the table and, if anything answers, for the profile.
pub(super) async fn look(
    stream: &BigtableChangeStream,
    client: &Client,
    findings: &mut Findings,
) -> Known {
    let mut known = Known::default();
    known.ask_table(stream, client, findings).await;
    if !known.is_silent {
        known.ask_profile(stream, client, findings).await;
    }
    known
}

/// Tells that nothing was asked, as in a run.
pub(super) fn not_asked(findings: &mut Findings) {
    findings.warning(
        Topic::Source,
        "without-validation: which families the table has, how long it keeps changes and where the \
         application profile routes is not looked at",
        "leave without-validation out unless the account may only read data",
    );
}

impl Known {
    async fn ask_table(
        &mut self,
        stream: &BigtableChangeStream,
        client: &Client,
        findings: &mut Findings,
    ) {
        let table = stream.table.to_string();
        let asked = format!("{table} at {}", remedy::admin_server(stream));
        findings.begin(format!("asking {asked}"));
        match in_time(describe(client, &table)).await {
            Ok(Ok(described)) => {
                tell_table(&asked, &described, findings);
                self.described = Some(described);
            }
            Ok(Err(error)) => self.failed(&asked, &error, stream, findings),
            Err(_elapsed) => {
                self.is_silent = true;
                silent(&asked, findings);
            }
        }
    }

    async fn ask_profile(
        &mut self,
        stream: &BigtableChangeStream,
        client: &Client,
        findings: &mut Findings,
    ) {
        let id = stream.app_profile.as_str();
        let asked = format!("the application profile {id}");
        match in_time(check_profile(client, id)).await {
            Ok(Ok(Profile::OfCluster(cluster))) => {
                let seen = format!("{asked} routes to the cluster {cluster}");
                findings.ok(Topic::Source, seen);
                self.cluster = Some(cluster);
            }
            // A run goes on, too.
            Ok(Ok(Profile::Unseen(unseen))) => {
                let seen = format!("{asked} cannot be looked at: {}", chain(&unseen.0));
                findings.warning(
                    Topic::Source,
                    seen,
                    remedy::of_unseen_profile(&unseen.0, stream),
                );
            }
            Ok(Err(error)) => self.failed(&asked, &error, stream, findings),
            Err(_elapsed) => silent(&asked, findings),
        }
    }

    fn failed(
        &mut self,
        asked: &str,
        error: &DiscoverError,
        stream: &BigtableChangeStream,
        findings: &mut Findings,
    ) {
        let seen = match error {
            DiscoverError::Table(error) => {
                self.is_silent = is_unreached(error);
                chain(error)
            }
            DiscoverError::NoTable { .. } => "there is no such table".to_owned(),
            DiscoverError::NoChangeStream { .. } => "the table has no change stream".to_owned(),
            DiscoverError::NoProfile { .. } => "there is no such profile".to_owned(),
            DiscoverError::ManyClusters { .. } => {
                "it routes to any of several clusters, and a change stream is read through one"
                    .to_owned()
            }
        };
        self.is_unfit |= !matches!(error, DiscoverError::Table(_));
        let remedy = remedy::of_discovery(error, stream);
        findings.failure(Topic::Source, format!("{asked}: {seen}"), remedy);
    }
}

/// Whether asking the same server again would be in vain: the call was tried several times.
fn is_unreached(error: &CallError) -> bool {
    matches!(
        error.code(),
        tonic::Code::Unavailable | tonic::Code::DeadlineExceeded
    )
}

fn tell_table(asked: &str, described: &Described, findings: &mut Findings) {
    let families = described.families.len();
    if families == 0 {
        findings.warning(
            Topic::Source,
            format!(
                "{asked} has a change stream and no column family: nothing can be written to it"
            ),
            "create the families, or name another table",
        );
    } else {
        let seen = format!("{asked} has a change stream and {families} column families");
        findings.ok(Topic::Source, seen);
    }
}
