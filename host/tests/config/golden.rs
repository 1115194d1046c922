//! The folder `tests/golden/config`: files, and exactly what is said of each.
//!
//! `UPDATE_EXPECT=1` rewrites the expectations; review them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use acequia_host::config::{load, parse};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/golden/config")
}

/// The names of the files of the folder that begin with `prefix` and end with `.yaml`, without
/// that ending.
fn cases(prefix: &str) -> BTreeSet<String> {
    std::fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.starts_with(prefix))
        .filter_map(|name| Some(name.strip_suffix(".yaml")?.to_owned()))
        .collect()
}

/// Compares with `<case>.expected.txt`, whose absence is an empty text.
fn differs(case: &str, said: &str) -> Option<String> {
    let path = folder().join(format!("{case}.expected.txt"));
    if std::env::var_os("UPDATE_EXPECT").is_some() && !said.is_empty() {
        std::fs::write(&path, said).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    (expected != said).then(|| format!("== {case}\n-- expected\n{expected}-- said\n{said}"))
}

#[test]
fn every_mistake_of_a_file_is_reported_at_once_with_its_path() {
    let differences: Vec<_> = cases("error-")
        .iter()
        .filter_map(|case| {
            let said = match load(&folder().join(format!("{case}.yaml"))) {
                Ok(_) => "nothing is wrong\n".to_owned(),
                Err(problems) => format!("{problems}\n"),
            };
            differs(case, &said)
        })
        .collect();
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[test]
fn a_right_file_gives_just_its_warnings() {
    let differences: Vec<_> = cases("ok-")
        .iter()
        .filter_map(|case| {
            let said = match load(&folder().join(format!("{case}.yaml"))) {
                Ok(config) => config.warnings.iter().map(|w| format!("{w}\n")).collect(),
                Err(problems) => format!("refused:\n{problems}\n"),
            };
            differs(case, &said)
        })
        .collect();
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[test]
fn a_file_that_is_cut_anywhere_is_read_or_refused_with_a_reason() {
    let text = std::fs::read_to_string(folder().join("ok-everything.yaml")).unwrap();
    let refused = (0..text.len())
        .step_by(29)
        .filter_map(|end| text.get(..end))
        .filter_map(|cut| parse(cut, &folder()).err())
        .inspect(|problems| {
            assert!(
                problems
                    .problems
                    .iter()
                    .all(|problem| !problem.message.is_empty())
            );
        });
    assert!(refused.count() * 29 > text.find("change-stream-name").unwrap());
}

#[test]
fn every_file_of_the_folder_is_a_case_in_its_catalogue() {
    let catalogue = std::fs::read_to_string(folder().join("README.md")).unwrap();
    let errors = cases("error-");
    for case in errors.union(&cases("ok-")) {
        assert!(catalogue.contains(&format!("| `{case}` |")), "{case}");
    }
    assert!(errors.len() >= 25, "{} bad configurations", errors.len());
}
