//! Which of the table's column families pass, asked of the component that decides it in a run.

use std::collections::BTreeSet;

use crate::check::components;
use crate::check::findings::Findings;
use crate::check::{FamilySeen, Topic, WouldRead};
use crate::config::BigtableChangeStream;
use crate::guest::NamesFilter;

/// Asks about every family.
pub(super) async fn look(
    stream: &BigtableChangeStream,
    names: Option<&mut NamesFilter>,
    families: &BTreeSet<String>,
    findings: &mut Findings,
    would_read: &mut WouldRead,
) {
    let passes = match names {
        Some(names) => plan(names, families, findings).await,
        None => None,
    };
    if let Some(passes) = passes.as_ref().filter(|passes| !passes.is_empty()) {
        tell(stream, passes, findings);
    }
    let mut passes = passes.into_iter().flatten();
    let seen = families.iter().map(|family| FamilySeen {
        name: family.clone(),
        passes: passes.next(),
    });
    would_read.families = seen.collect();
}

async fn plan(
    names: &mut NamesFilter,
    families: &BTreeSet<String>,
    findings: &mut Findings,
) -> Option<Vec<bool>> {
    let asked: Vec<&str> = families.iter().map(String::as_str).collect();
    match names.families(&asked).await {
        Ok(passes) => Some(passes),
        Err(error) => {
            components::names_filter_stopped(names, "the table's families", &error, findings);
            None
        }
    }
}

fn tell(stream: &BigtableChangeStream, passes: &[bool], findings: &mut Findings) {
    const REMEDY: &str = "correct family-include-list, family-exclude-list, or the names filter: \
                          patterns match a whole name";
    let passing = passes.iter().filter(|passes| **passes).count();
    let counted = format!("{passing} of {} column families pass", passes.len());
    if passing > 0 {
        let seen = format!(
            "{counted}; which qualifiers pass is not known before they come: a table does not list \
             them"
        );
        return findings.ok(Topic::Filters, seen);
    }
    let seen = if stream.skip_messages_without_change {
        format!("nothing is left: {counted}; skip-messages-without-change drops every mutation")
    } else {
        format!("nothing passes: {counted}; every mutation would come without entries")
    };
    findings.failure(Topic::Filters, seen, REMEDY);
}
