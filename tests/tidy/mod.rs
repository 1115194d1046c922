//! Rules about the source itself, so that `cargo test` is the whole gate.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Crates of ours that each crate may stand on. An arrow that is not here points the wrong way.
const MAY_USE: &[(&str, &[&str])] = &[
    ("host/core", &[]),
    ("host/decode", &[]),
    ("host/sandbox", &[]),
    ("host/builtins", &[]),
    (
        "host",
        &["acequia-builtins", "acequia-core", "acequia-decode"],
    ),
    ("cli", &["acequia-host", "acequia-sandbox"]),
    ("connectors/bigtable-change-stream", &["acequia-host"]),
    ("connectors/spanner-batch", &["acequia-host"]),
    ("connectors/spanner-change-stream", &["acequia-host"]),
    ("sdk/rust", &[]),
    ("filters/names", &["acequia-guest"]),
    ("deserializers/json", &["acequia-guest"]),
    (
        "deserializers/spanner-json",
        &["acequia-guest", "acequia-json"],
    ),
    (
        "deserializers/bigtable-json",
        &["acequia-guest", "acequia-json"],
    ),
    (
        "bench",
        &[
            "acequia-bigtable-json-deserializer",
            "acequia-core",
            "acequia-decode",
            "acequia-guest",
            "acequia-host",
            "acequia-sandbox",
            "acequia-spanner-json-deserializer",
        ],
    ),
    ("xtask", &[]),
];

/// What must never be under a crate without I/O.
const SHELL: &[&str] = &["tokio", "tonic", "wasmtime", "hyper", "reqwest"];

const FILE_LINES_MAX: usize = 400;

#[test]
fn arrows_between_crates_point_one_way() {
    for (folder, allowed) in MAY_USE {
        let ours: BTreeSet<String> = dependencies(folder)
            .into_iter()
            .filter(|name| name.starts_with("acequia"))
            .collect();
        let allowed: BTreeSet<String> = allowed.iter().map(|name| (*name).to_owned()).collect();
        assert!(
            ours.is_subset(&allowed),
            "{folder} stands on {ours:?} and may stand on {allowed:?}"
        );
    }
}

#[test]
fn core_and_decode_know_nothing_of_the_shell() {
    for folder in ["host/core", "host/decode"] {
        for name in dependencies(folder) {
            assert!(
                !SHELL.iter().any(|shell| name.starts_with(shell)),
                "{folder} stands on {name}"
            );
        }
    }
}

#[test]
fn tasks_are_spawned_by_the_driver_the_guests_and_the_admin_server_only() {
    for (path, text) in rust_files("host/src") {
        let spawns = ["tokio::spawn", "JoinSet", "spawn_blocking", "thread::spawn"]
            .iter()
            .any(|spawn| code(&text).contains(spawn));
        let may = ["host/src/driver", "host/src/guest", "host/src/admin"]
            .iter()
            .any(|room| path.starts_with(room));
        assert!(!spawns || may, "{} spawns", path.display());
    }
}

#[test]
fn bindings_are_generated_in_one_place_a_side() {
    let places = |folder: &str, macro_name: &str| -> Vec<PathBuf> {
        rust_files(folder)
            .into_iter()
            .filter(|(_, text)| code(text).contains(macro_name))
            .map(|(path, _)| path)
            .collect()
    };
    assert_eq!(
        places("host/src", "bindgen!("),
        [PathBuf::from("host/src/guest/bindings.rs")]
    );
    assert_eq!(
        places("sdk/rust/src", "wit_bindgen::generate!("),
        [PathBuf::from("sdk/rust/src/bindings.rs")]
    );
}

#[test]
fn no_file_is_too_long_to_read_in_one_sitting() {
    for (path, text) in rust_files("") {
        let lines = text.lines().count();
        assert!(
            lines <= FILE_LINES_MAX,
            "{} has {lines} lines; find the seam",
            path.display()
        );
    }
}

#[test]
fn no_file_is_a_grab_bag() {
    for (path, _) in rust_files("") {
        let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
        let folder = path.parent().and_then(Path::file_name);
        for name in ["utils", "util", "common", "helpers", "misc"] {
            assert_ne!(stem, name, "{}", path.display());
            assert_ne!(folder, Some(name.as_ref()), "{}", path.display());
        }
    }
}

#[test]
fn every_crate_forbids_unsafe_code_but_the_sdk() {
    for (folder, _) in MAY_USE {
        let root = ["src/lib.rs", "src/main.rs"]
            .into_iter()
            .map(|file| root().join(folder).join(file))
            .find(|path| path.exists())
            .unwrap();
        let text = fs::read_to_string(&root).unwrap();
        let rule = if *folder == "sdk/rust" {
            "unsafe_code"
        } else {
            "#![forbid(unsafe_code)]"
        };
        assert!(text.contains(rule), "{}", root.display());
    }
}

#[test]
fn the_invariants_of_the_page_are_those_of_the_code() {
    let numbers = |path: &str| -> BTreeSet<u32> {
        let text = fs::read_to_string(root().join(path)).unwrap();
        text.split("INV-")
            .skip(1)
            .filter_map(|rest| {
                let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
                digits.parse().ok()
            })
            .collect()
    };
    let expected: BTreeSet<u32> = (1..=14).collect();
    assert_eq!(numbers("host/ARCHITECTURE.md"), expected);
    assert_eq!(numbers("host/core/src/invariant.rs"), expected);
}

#[test]
fn anyhow_stays_out_of_libraries() {
    for (folder, _) in MAY_USE {
        let manifest = dependencies(folder);
        let is_binary = root().join(folder).join("src/main.rs").exists();
        assert!(is_binary || !manifest.contains("anyhow"), "{folder}");
    }
}

/// The names under `[dependencies]` of a crate.
fn dependencies(folder: &str) -> BTreeSet<String> {
    let manifest = root().join(folder).join("Cargo.toml");
    let text = fs::read_to_string(&manifest).unwrap();
    let mut sections: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    let mut section = "";
    for line in text.lines().map(str::trim) {
        if let Some(name) = line
            .strip_prefix('[')
            .and_then(|line| line.strip_suffix(']'))
        {
            section = name;
        } else if let Some(end) = line.find(['.', ' ', '=']) {
            let name = line.get(..end).unwrap_or_default();
            sections.entry(section).or_default().insert(name.to_owned());
        }
    }
    sections.remove("dependencies").unwrap_or_default()
}

/// The code of a file: without comments.
fn code(text: &str) -> String {
    text.lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .collect::<Vec<_>>()
        .join("\n")
}

/// Every Rust file below a folder of the workspace, with its path from the root.
fn rust_files(folder: &str) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if path.is_dir() && name != "target" && !name.starts_with('.') {
                folders.push(path);
            } else if name.ends_with(".rs") {
                let text = fs::read_to_string(&path).unwrap();
                found.push((path.strip_prefix(root()).unwrap().to_owned(), text));
            }
        }
    }
    found.sort();
    found
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .unwrap()
        .to_owned()
}
