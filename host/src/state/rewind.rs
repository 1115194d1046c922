//! Taking saved state back to an earlier instant, and saying first what that means.

use acequia_core::{Checkpoint, RewindError, Timestamp};

use super::table::{columns, labelled, lag};
use super::tokens::Tokens;
use super::{SavedState, StateError};
use crate::config::{ExistingState, Sink};

/// Partitions that the statement of a rewind lists at the most. The full list is in the export.
const LISTED_MAX: usize = 20;

/// Why the state cannot go to an instant.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// It has not come yet.
    #[error("{at} lies in the future (it is {now}); rewind to an instant that is past")]
    Future {
        /// The instant that was asked for.
        at: Timestamp,
        /// The clock.
        now: Timestamp,
    },
    /// Something would be skipped.
    #[error(transparent)]
    Checkpoint(#[from] RewindError),
}

/// A rewind that can be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rewind {
    checkpoint: Checkpoint,
    statement: String,
}

impl Rewind {
    /// What it will do, as text for the person who decides.
    pub fn statement(&self) -> &str {
        &self.statement
    }
}

impl SavedState {
    /// Looks whether the state can go back to `at`, and says what will be repeated. Nothing is
    /// changed.
    ///
    /// # Errors
    /// An instant after `now`, or one after the watermark, behind which something would be skipped.
    pub fn plan_rewind(&self, at: Timestamp, now: Timestamp) -> Result<Rewind, PlanError> {
        if at > now {
            return Err(PlanError::Future { at, now });
        }
        Ok(Rewind {
            checkpoint: self.checkpoint.rewound(at)?,
            statement: self.statement(at, now),
        })
    }

    /// Saves the rewound state. It is durable when this returns.
    ///
    /// # Errors
    /// The store failed. Then either the earlier state is stored or the rewound one.
    pub async fn rewind(mut self, rewind: Rewind) -> Result<(), StateError> {
        let bytes = rewind
            .checkpoint
            .encode()
            .map_err(|source| StateError::Checkpoint {
                directory: self.directory.clone(),
                source,
            })?;
        let generation = rewind.checkpoint.generation.get();
        self.store.save(generation, &bytes).await?;
        Ok(())
    }

    fn statement(&self, at: Timestamp, now: Timestamp) -> String {
        let watermark = self.checkpoint.watermark;
        let span = lag(watermark, at);
        let ago = lag(now, at);
        let mut text = format!(
            "{} goes back to {at} ({ago} ago): everything committed from then on is read again.\n\n",
            self.config.meta.name
        );
        let mut lines = vec![
            (
                "repeated",
                format!(
                    "from {at} to the watermark {watermark} ({span}), where all was delivered, and \
                     past it what single partitions delivered"
                ),
            ),
            ("partitions", self.ledger()),
            (
                "ids",
                "stay the same, so that a consumer can drop what it has".to_owned(),
            ),
            ("sink", sink(&self.config.sink, at)),
            (
                "retention",
                format!(
                    "the source must still hold {at}: where it does not, the next run stops before it \
                     reads, or goes on at resume-fallback and leaves out what lies before that"
                ),
            ),
            (
                "way back",
                format!(
                    "a copy of {}, made before, put back in its place; a rewind goes back only",
                    self.directory.display()
                ),
            ),
        ];
        lines.extend(existing_state(self.config.existing_state));
        text.push_str(&labelled(&lines));
        text.push_str(&repeats(&self.checkpoint, at));
        text
    }

    fn ledger(&self) -> String {
        format!(
            "{} unfinished and {} finished ones make way for one query, which finds those of that \
             instant",
            self.checkpoint.partitions.len(),
            self.checkpoint.tombstones.len()
        )
    }
}

/// What the sink holds afterwards.
fn sink(sink: &Sink, at: Timestamp) -> String {
    match sink {
        Sink::File { path, .. } => format!(
            "{} keeps what it holds, and what is repeated follows: changes since {at} are in it twice",
            path.display()
        ),
        Sink::Stdout { .. } => "standard output gets what is repeated a second time".to_owned(),
    }
}

/// A setting under which the next run does not take the rewound state.
fn existing_state(setting: ExistingState) -> Option<(&'static str, String)> {
    let text = match setting {
        ExistingState::ResumeOrNew | ExistingState::ResumeOrFail => return None,
        ExistingState::FailIfExists => "fail-if-exists in the configuration refuses saved state",
        ExistingState::New => "new in the configuration throws the rewound state away",
    };
    Some(("existing-state", text.to_owned()))
}

/// The unfinished partitions, and what of each is read again.
fn repeats(checkpoint: &Checkpoint, at: Timestamp) -> String {
    let tokens = Tokens::of(checkpoint);
    let mut read: Vec<_> = checkpoint
        .partitions
        .iter()
        .filter(|(id, partition)| partition.opened && !id.is_root())
        .collect();
    if read.is_empty() {
        return String::new();
    }
    read.sort_by_key(|(id, partition)| (partition.position.at, *id));
    let rows: Vec<[String; 3]> = read
        .iter()
        .take(LISTED_MAX)
        .map(|(id, partition)| {
            let from = at.max(partition.start);
            [
                tokens.short(id),
                from.to_string(),
                partition.position.at.to_string(),
            ]
        })
        .collect();
    let table = columns(["PARTITION", "READ AGAIN FROM", "UP TO"], &rows);
    match read.len().saturating_sub(rows.len()) {
        0 => format!("\n{table}"),
        rest => format!("\n{table}and {rest} more\n"),
    }
}
