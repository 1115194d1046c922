//! Whether the configuration file is right.

use std::path::Path;

use super::Topic;
use super::findings::Findings;
use crate::config::{self, Config, Rejected};
use crate::guest::CodeCache;
use crate::run::guests;

/// Reads the file. Of a wrong one all mistakes are told, with what the components find wrong with
/// their parts of it.
pub(super) async fn look(path: &Path, findings: &mut Findings) -> Option<Config> {
    match config::load(path) {
        Ok(config) => {
            findings.ok(Topic::Config, format!("{} is right", path.display()));
            for warning in &config.warnings {
                findings.warning(
                    Topic::Config,
                    warning,
                    "leave the option out if this is not meant",
                );
            }
            Some(config)
        }
        Err(rejected) => {
            wrong(rejected, findings).await;
            None
        }
    }
}

async fn wrong(rejected: Rejected, findings: &mut Findings) {
    let Rejected {
        problems,
        guests,
        shape,
    } = rejected;
    findings.begin("compiling the components");
    let complaints = match guests::complaints(shape, &guests, &CodeCache::Off).await {
        Ok(complaints) => complaints,
        Err(error) => {
            findings.failure(
                Topic::Components,
                error.to_string(),
                "run it on a machine that WebAssembly code can be compiled for",
            );
            Vec::new()
        }
    };
    for problem in problems.and(complaints).iter() {
        let remedy = if problem.path.is_empty() {
            "correct the file, or name another; `acequia schema` prints what a file may hold"
        } else {
            "correct this option; `acequia schema` prints what a file may hold"
        };
        findings.misconfigured(Topic::Config, problem.to_string(), remedy);
    }
}
