//! Where reading would begin, and whether that can be read and for how long.

use acequia_core::{Checkpoint, PartitionId, SavedPartition};
use jiff::Timestamp;

use super::remedy;
use super::source::silent;
use crate::chain::chain;
use crate::check::answer::in_time;
use crate::check::checkpoint::Progress;
use crate::check::findings::Findings;
use crate::check::retention::{Fresh, Kept, given_up, lost, no_start};
use crate::check::{Topic, WouldRead};
use crate::config::SpannerChangeStream;
use crate::google::CallError;
use crate::source::spanner_stream::{OpenError, Start, resolve, retention};
use crate::spanner::Client;
use crate::spanner::discovery::{self, Described, at_once};
use crate::spanner::request::PartitionQuery;

/// What the questions are asked with.
pub(super) struct Asked<'a> {
    pub(super) client: &'a Client,
    pub(super) stream: &'a SpannerChangeStream,
    pub(super) described: &'a Described,
    pub(super) now: Timestamp,
}

/// The partition that is furthest behind.
struct Last<'a> {
    id: &'a PartitionId,
    partition: &'a SavedPartition,
}

impl Asked<'_> {
    /// Tells where reading begins, and asks for exactly that.
    pub(super) async fn look(
        &self,
        progress: &Progress,
        findings: &mut Findings,
        would_read: &mut WouldRead,
    ) {
        would_read.retention = Some(self.kept().seen(None));
        match progress {
            Progress::Resume(checkpoint) => self.saved(checkpoint, findings, would_read).await,
            Progress::Fresh => self.fresh(findings, would_read).await,
            // What is wrong with it has been told; whether the stream can be read at all has not.
            Progress::Unknown => self.try_root(self.now, findings).await,
        }
    }

    async fn fresh(&self, findings: &mut Findings, would_read: &mut WouldRead) {
        let Some(start) = self.resolve(self.stream.start, findings).await else {
            return;
        };
        let moved_up = start.moved_up;
        let fresh = Fresh {
            at: start.at,
            moved_up: moved_up.map(|moved_up| (moved_up.to_string(), moved_up.asked())),
            end: self.stream.end.map(|end| ("end-position", end)),
        };
        self.kept().fresh(fresh, findings, would_read);
        self.try_root(start.at, findings).await;
    }

    /// The position of a fresh start; what is wrong with it is told.
    async fn resolve(
        &self,
        position: crate::config::StartPosition,
        findings: &mut Findings,
    ) -> Option<Start> {
        let Self {
            client,
            stream,
            described,
            now,
        } = *self;
        match in_time(resolve(client, described, stream, position, now)).await {
            Ok(Ok(start)) => return Some(start),
            Ok(Err(OpenError::Start(error))) => no_start(&error, findings),
            Ok(Err(OpenError::Discover(error))) => findings.failure(
                Topic::Source,
                format!("{} cannot be read: {}", stream.change_stream, chain(&error)),
                remedy::of_discovery(&error, stream),
            ),
            Ok(Err(error @ OpenError::Connect(_))) => {
                findings.failure(
                    Topic::Source,
                    chain(&error),
                    "correct the option that is named",
                );
            }
            Err(_elapsed) => silent(stream, findings),
        }
        None
    }

    /// Asks for the first partitions at an instant, as the first query of a run does.
    async fn try_root(&self, at: Timestamp, findings: &mut Findings) {
        let stream = self.stream;
        match in_time(self.probe(&at_once(at))).await {
            Ok(Ok(Ok(()))) => findings.ok(
                Topic::Source,
                format!("{} can be read at {at}", stream.change_stream),
            ),
            Ok(Ok(Err(refusal))) => findings.failure(
                Topic::Retention,
                format!("the service refuses to begin at {at}: {refusal}"),
                "compare this machine's clock with the service's, then set start-position: earliest",
            ),
            Ok(Err(error)) => findings.failure(
                Topic::Source,
                format!("{} cannot be read: {}", stream.change_stream, chain(&error)),
                remedy::of_discovery(&error, stream),
            ),
            Err(_elapsed) => silent(stream, findings),
        }
    }

    async fn saved(
        &self,
        checkpoint: &Checkpoint,
        findings: &mut Findings,
        would_read: &mut WouldRead,
    ) {
        let partitions = checkpoint.partitions.iter();
        let last = partitions
            .map(|(id, partition)| Last { id, partition })
            .min_by_key(|last| last.partition.position.at);
        let position = last.as_ref().map(|last| last.partition.position.at);
        let kept = self.kept();
        kept.saved(checkpoint, position, would_read);
        match last {
            None => findings.ok(
                Topic::Retention,
                "everything up to the saved end-position is read",
            ),
            Some(last) if last.partition.position.at < kept.oldest_readable() => {
                self.expired(&last, findings).await;
            }
            Some(last) => {
                kept.headroom(last.partition.position.at, findings);
                self.try_saved(&last, findings).await;
            }
        }
    }

    /// The service has dropped what would be read next.
    async fn expired(&self, last: &Last<'_>, findings: &mut Findings) {
        let at = last.partition.position.at;
        let seen = format!(
            "the saved position {at} of partition {} has expired; {}",
            last.id,
            self.kept().told()
        );
        let Some(fallback) = self.stream.resume_fallback else {
            return lost(&seen, findings);
        };
        if let Some(start) = self.resolve(fallback, findings).await {
            given_up(&seen, start.at, findings);
        }
    }

    /// Asks for the partition that is furthest behind, at its position. A position past the
    /// configured end is not opened by a run either.
    async fn try_saved(&self, last: &Last<'_>, findings: &mut Findings) {
        let stream = self.stream;
        let at = last.partition.position.at;
        if stream.end.is_some_and(|end| at > end) {
            return;
        }
        let query = PartitionQuery {
            token: (!last.id.is_root()).then(|| last.id.as_str()),
            ..at_once(at)
        };
        match in_time(self.probe(&query)).await {
            Ok(Ok(Ok(()))) => findings.ok(
                Topic::Source,
                format!("partition {} can be read at {at}", last.id),
            ),
            // Its children are known, so a run takes it for finished.
            Ok(Ok(Err(_ended))) if !last.partition.children.is_empty() => {}
            Ok(Ok(Err(refusal))) => findings.failure(
                Topic::Retention,
                format!(
                    "the service refuses partition {} at {at}: {refusal}",
                    last.id
                ),
                "see whether the stream's retention was lowered; set resume-fallback to go on from \
                 another position",
            ),
            Ok(Err(error)) => findings.failure(
                Topic::Source,
                format!("partition {} cannot be read: {}", last.id, chain(&error)),
                "see whether the stream was dropped and created again: then its saved state is of \
                 no use, and existing-state: new begins anew",
            ),
            Err(_elapsed) => silent(stream, findings),
        }
    }

    async fn probe(
        &self,
        query: &PartitionQuery<'_>,
    ) -> Result<Result<(), CallError>, discovery::DiscoverError> {
        discovery::probe(
            self.client,
            self.described,
            &self.stream.change_stream,
            query,
        )
        .await
    }

    fn kept(&self) -> Kept {
        Kept {
            retention: retention(self.described, self.stream),
            declared: self.described.retention.is_some(),
            said: match self.described.retention {
                Some(_) => "the stream keeps its records",
                None => "the stream declares no retention; absent-retention-fallback is",
            },
            raised: "raise the stream's retention_period",
            now: self.now,
        }
    }
}
