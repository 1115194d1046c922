//! The copy of the SDK that stands in a new crate, and what the crate is locked to.

use super::crate_name::CrateName;
use super::embedded::{LOCK, LOCKED_CRATE, SDK, WORKSPACE};

/// Where the copy stands in the crate.
const FOLDER: &str = "acequia";

/// The files of the copy, by their paths in the crate.
pub(super) fn files() -> Vec<(String, String)> {
    let copied = SDK.iter().map(|(path, text)| (*path, (*text).to_owned()));
    let all = copied.chain([("Cargo.toml", workspace())]);
    all.map(|(path, text)| (format!("{FOLDER}/{path}"), text))
        .collect()
}

/// The packages that a crate with the SDK depends on.
pub(super) fn packages() -> Vec<&'static str> {
    let names = LOCK.split("\n\n").filter_map(name_of);
    names.filter(|name| *name != LOCKED_CRATE).collect()
}

/// The lock file of a crate of this name and version 0.1.0, with its packages in cargo's order.
pub(super) fn lock(name: &CrateName) -> String {
    let ours = format!(
        "[[package]]\nname = \"{}\"\nversion = \"0.1.0\"\ndependencies = [\n \"acequia-guest\",\n]",
        name.as_str()
    );
    let blocks = || LOCK.trim_end().split("\n\n");
    let head = blocks().filter(|block| name_of(block).is_none());
    let others = blocks().filter(|block| name_of(block).is_some_and(|name| name != LOCKED_CRATE));
    let mut packages: Vec<&str> = others.chain([ours.as_str()]).collect();
    packages.sort_by_key(|block| name_of(block));
    let blocks: Vec<&str> = head.chain(packages).collect();
    blocks.join("\n\n") + "\n"
}

/// The name of the package that a block of a lock file is about.
fn name_of(block: &str) -> Option<&str> {
    let name = block
        .lines()
        .find_map(|line| line.strip_prefix("name = "))?;
    Some(name.trim_matches('"'))
}

/// The part of this repository's workspace that the SDK's own manifest refers to.
fn workspace() -> String {
    let mut out = String::from(
        "# The workspace of this copy of the Acequia SDK.\n[workspace]\nresolver = \"3\"\nmembers = \
         [\"sdk/rust\"]\n",
    );
    let mut section = "";
    for line in WORKSPACE.lines() {
        let is_header = line.starts_with('[');
        if is_header {
            section = line;
        }
        let is_needed = match section {
            "[workspace.dependencies]" => is_header || is_inherited(line),
            "[workspace.package]" => true,
            lints => lints.starts_with("[workspace.lints."),
        };
        if is_needed && !line.is_empty() && !line.starts_with('#') {
            let space = if is_header { "\n" } else { "" };
            out.push_str(&format!("{space}{line}\n"));
        }
    }
    out
}

/// Whether the SDK takes this dependency from its workspace: to be built, or for its own tests.
fn is_inherited(line: &str) -> bool {
    let manifest = SDK.iter().find(|(path, _)| *path == "sdk/rust/Cargo.toml");
    let (Some((_, manifest)), Some((name, _))) = (manifest, line.split_once(" = ")) else {
        return false;
    };
    manifest
        .lines()
        .any(|line| line.strip_suffix(".workspace = true") == Some(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lock_file_has_the_new_crate_in_its_place() {
        let name = CrateName::parse("flat-rows", &packages()).unwrap();
        let lock = lock(&name);
        let names: Vec<&str> = lock.split("\n\n").filter_map(name_of).collect();
        assert!(
            names.is_sorted() && names.contains(&"flat-rows"),
            "{names:?}"
        );
        assert!(!lock.contains(LOCKED_CRATE) && lock.contains("version = 4"));
        let lines = |text: &str| text.lines().count();
        assert_eq!(lines(&lock), lines(LOCK));
    }

    #[test]
    fn the_workspace_has_what_the_sdk_takes_from_it() {
        let workspace = workspace();
        for part in [
            "[workspace.package]\nversion = ",
            "\nserde_json = ",
            "\nwit-bindgen = ",
            "[workspace.lints.rust]",
            "[workspace.lints.clippy]",
        ] {
            assert!(workspace.contains(part), "{part}: {workspace}");
        }
        assert!(
            !workspace.contains("tokio") && !workspace.contains("[profile"),
            "{workspace}"
        );
    }
}
