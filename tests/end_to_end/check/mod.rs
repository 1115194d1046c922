//! `acequia check` against the sandbox: what it finds, what it advises, and that it changes nothing.

mod bigtable;
mod components;
mod credentials;
mod places;
mod snapshot;
mod source;
mod state;
mod works;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use acequia_sandbox::spanner::{History, Sandbox, Script};
use jiff::Timestamp;
use serde_json::Value;
use tokio::process::Command;

use super::place::Place;
use super::process::{self, ACEQUIA};
use super::shop::{after, an_hour_ago, customer, serve_script};

/// What a check told, after it was seen that nothing is changed.
pub(super) struct Told {
    pub(super) code: i32,
    pub(super) report: Value,
    stderr: String,
}

/// Two changes an hour ago, and a place to read them into.
pub(super) fn two_changes(adjust: impl FnOnce(&mut Script)) -> (Sandbox, Place) {
    let start = an_hour_ago();
    let mut script = Script::new(history(start));
    adjust(&mut script);
    let sandbox = serve_script(script);
    let place = Place::new(&sandbox, start, after(start, 60_000));
    (sandbox, place)
}

fn history(start: Timestamp) -> History {
    History::starting_at(start)
        .partition("a")
        .commit(after(start, 1), "a", [customer(1)])
        .commit(after(start, 2), "a", [customer(2)])
        .build()
        .unwrap()
}

/// `acequia check --json -c FILE`.
pub(super) fn command(config: &Path) -> Command {
    let mut command = Command::new(ACEQUIA);
    command.args(["check", "--json", "-c"]).arg(config);
    command
}

/// Checks a place whose service is `sandbox`. Nothing there is changed and no session is left.
pub(super) async fn check(place: &Place, sandbox: &Sandbox) -> Told {
    let left = sandbox.stats().sessions_left;
    let told = check_with(place, command(&place.config())).await;
    assert_eq!(sandbox.stats().sessions_left, left, "{}", told.report);
    told
}

/// Checks a place with a command of its own. Nothing there is changed.
pub(super) async fn check_with(place: &Place, mut command: Command) -> Told {
    let caches = tempfile::tempdir().unwrap();
    command.env("XDG_CACHE_HOME", caches.path());
    let before = picture(&place.path(""));
    let ended = process::spawn(command).ended().await;
    assert_eq!(picture(&place.path("")), before, "something was changed");
    let cached = picture(caches.path());
    assert!(cached.is_empty(), "something was kept: {cached:?}");
    let report: Value = serde_json::from_str(&ended.stdout)
        .unwrap_or_else(|error| panic!("{error}: {} {}", ended.stdout, ended.stderr));
    let code = ended.code.unwrap();
    assert_eq!(report["exit_code"], code);
    Told {
        code,
        report,
        stderr: ended.stderr,
    }
}

/// Every file below a folder, with what it holds and when it was changed last; of a directory,
/// when a name in it was.
fn picture(folder: &Path) -> BTreeMap<PathBuf, (SystemTime, Vec<u8>)> {
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let modified = std::fs::metadata(&path).unwrap().modified().unwrap();
        let content = if path.is_dir() {
            found.append(&mut picture(&path));
            Vec::new()
        } else {
            std::fs::read(&path).unwrap()
        };
        found.insert(path, (modified, content));
    }
    found
}

impl Told {
    /// What was seen of a topic at a level, one finding a line.
    #[track_caller]
    pub(super) fn seen(&self, topic: &str, level: &str) -> String {
        let findings = self.report["findings"].as_array().unwrap();
        let wanted = findings
            .iter()
            .filter(|finding| finding["topic"] == topic && finding["level"] == level);
        let seen: Vec<_> = wanted
            .map(|finding| finding["seen"].as_str().unwrap())
            .collect();
        seen.join("\n")
    }

    /// Checks that a finding of this kind says this and advises that.
    #[track_caller]
    pub(super) fn says(&self, topic: &str, level: &str, said: &[&str], advice: &str) {
        let findings = self.report["findings"].as_array().unwrap();
        let found = findings.iter().any(|finding| {
            let seen = finding["seen"].as_str().unwrap();
            let remedy = finding["remedy"].as_str().unwrap_or_default();
            finding["topic"] == topic
                && finding["level"] == level
                && said.iter().all(|said| seen.contains(said))
                && remedy.contains(advice)
        });
        assert!(
            found,
            "{topic} {level} {said:?} {advice:?}: {:#}",
            self.report
        );
    }

    /// Checks that a run would fail, and that this is why.
    #[track_caller]
    pub(super) fn fails(&self, topic: &str, said: &[&str], advice: &str) {
        assert_eq!(self.code, 1, "{:#}", self.report);
        assert_eq!(self.report["outcome"], "failure");
        self.says(topic, "failure", said, advice);
    }

    /// Checks that a run would start.
    #[track_caller]
    pub(super) fn starts(&self) {
        assert_eq!(self.code, 0, "{:#} {}", self.report, self.stderr);
        assert_ne!(self.report["outcome"], "failure");
    }
}
