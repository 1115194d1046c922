//! What a check finds, one thing at a time.

use std::sync::mpsc::Sender;

use serde::Serialize;

/// What a finding is about, in the order in which they are told.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Topic {
    /// The configuration file.
    Config,
    /// As whom the service is asked.
    Credentials,
    /// The database and its change stream.
    Source,
    /// The saved progress.
    Checkpoint,
    /// Where reading would begin, and whether that can still be read.
    Retention,
    /// Which watched tables and columns pass.
    Filters,
    /// The components.
    Components,
    /// Where outputs would go.
    Sink,
}

impl Topic {
    /// Its name, as texts and JSON show it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Config => "config",
            Self::Credentials => "credentials",
            Self::Source => "source",
            Self::Checkpoint => "checkpoint",
            Self::Retention => "retention",
            Self::Filters => "filters",
            Self::Components => "components",
            Self::Sink => "sink",
        }
    }
}

/// How a finding bears on a run.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// It is as a run needs it.
    Ok,
    /// A run would start; somebody may have meant something else.
    Warning,
    /// A run would fail.
    Failure,
}

/// One thing that was looked at.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct Finding {
    /// What it is about.
    pub topic: Topic,
    /// How it bears on a run.
    pub level: Level,
    /// What was seen. It holds no secret and no row value.
    pub seen: String,
    /// What to do about it; none where nothing needs to be done.
    pub remedy: Option<String>,
}

/// What a check is doing, as each part of it begins. Some parts take seconds.
pub type Steps = Sender<String>;

/// The findings so far.
#[derive(Debug)]
pub(super) struct Findings {
    list: Vec<Finding>,
    misconfigured: bool,
    steps: Steps,
}

impl Findings {
    pub(super) fn new(steps: Steps) -> Self {
        Self {
            list: Vec::new(),
            misconfigured: false,
            steps,
        }
    }

    /// Says what is being looked at from now on.
    pub(super) fn begin(&self, step: impl Into<String>) {
        // Nobody needs to listen.
        let _deaf = self.steps.send(step.into());
    }

    pub(super) fn ok(&mut self, topic: Topic, seen: impl Into<String>) {
        self.add(topic, Level::Ok, seen.into(), None);
    }

    pub(super) fn warning(
        &mut self,
        topic: Topic,
        seen: impl Into<String>,
        remedy: impl Into<String>,
    ) {
        self.add(topic, Level::Warning, seen.into(), Some(remedy.into()));
    }

    pub(super) fn failure(
        &mut self,
        topic: Topic,
        seen: impl Into<String>,
        remedy: impl Into<String>,
    ) {
        self.add(topic, Level::Failure, seen.into(), Some(remedy.into()));
    }

    /// A failure that a run, too, calls a wrong configuration.
    pub(super) fn misconfigured(
        &mut self,
        topic: Topic,
        seen: impl Into<String>,
        remedy: impl Into<String>,
    ) {
        self.misconfigured = true;
        self.failure(topic, seen, remedy);
    }

    /// All findings in the order of their topics, and whether the configuration is wrong.
    pub(super) fn finish(mut self) -> (Vec<Finding>, bool) {
        self.list.sort_by_key(|finding| finding.topic);
        (self.list, self.misconfigured)
    }

    fn add(&mut self, topic: Topic, level: Level, seen: String, remedy: Option<String>) {
        self.list.push(Finding {
            topic,
            level,
            seen,
            remedy,
        });
    }
}
