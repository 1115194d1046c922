//! Files of this repository, inside the binary.

/// A file by its path from the root of the repository.
macro_rules! file {
    ($path:expr) => {
        include_str!(concat!("../../../", $path))
    };
}

/// Files with their paths from the root of the repository.
macro_rules! files {
    ($($path:literal),* $(,)?) => {
        &[$(($path, file!($path))),*]
    };
}

/// The contract, the SDK and what a plugin author reads beside them, as they are. They stand in the crate below `acequia/`, in the same
/// places.
pub(super) const SDK: &[(&str, &str)] = files![
    "LICENSE",
    "docs/recording.md",
    "sdk/rust/Cargo.toml",
    "sdk/rust/src/bigtable/batch.rs",
    "sdk/rust/src/bigtable/deserializer.rs",
    "sdk/rust/src/bigtable/entry.rs",
    "sdk/rust/src/bigtable/glue.rs",
    "sdk/rust/src/bigtable/mod.rs",
    "sdk/rust/src/bigtable/mutation.rs",
    "sdk/rust/src/bigtable/record_filter.rs",
    "sdk/rust/src/bigtable/testing.rs",
    "sdk/rust/src/bigtable/tests.rs",
    "sdk/rust/src/bindings.rs",
    "sdk/rust/src/columns.rs",
    "sdk/rust/src/describe.rs",
    "sdk/rust/src/export.rs",
    "sdk/rust/src/glue.rs",
    "sdk/rust/src/json.rs",
    "sdk/rust/src/lib.rs",
    "sdk/rust/src/log.rs",
    "sdk/rust/src/names.rs",
    "sdk/rust/src/output.rs",
    "sdk/rust/src/rows/batch.rs",
    "sdk/rust/src/rows/deserializer.rs",
    "sdk/rust/src/rows/glue.rs",
    "sdk/rust/src/rows/mod.rs",
    "sdk/rust/src/rows/record_filter.rs",
    "sdk/rust/src/rows/row.rs",
    "sdk/rust/src/rows/testing.rs",
    "sdk/rust/src/rows/tests.rs",
    "sdk/rust/src/spanner/batch.rs",
    "sdk/rust/src/spanner/change.rs",
    "sdk/rust/src/spanner/deserializer.rs",
    "sdk/rust/src/spanner/glue.rs",
    "sdk/rust/src/spanner/mod.rs",
    "sdk/rust/src/spanner/record_filter.rs",
    "sdk/rust/src/spanner/tables.rs",
    "sdk/rust/src/spanner/testing.rs",
    "sdk/rust/src/state.rs",
    "sdk/rust/src/testing.rs",
    "sdk/rust/wit/parts.wit",
    "wit/bigtable.wit",
    "wit/log.wit",
    "wit/names.wit",
    "wit/rows.wit",
    "wit/spanner.wit",
    "wit/types.wit",
    "wit/world.wit",
];

/// The workspace that the SDK takes its version, its lints and its dependency from.
pub(super) const WORKSPACE: &str = file!("Cargo.toml");

/// The lock file of a crate that depends on the SDK and on nothing else, which is what a new crate
/// does. The tests build it from this file.
pub(super) const LOCK: &str = file!("tests/guests/third-party/Cargo.lock");

/// The crate in [`LOCK`] itself.
pub(super) const LOCKED_CRATE: &str = "tab-separated";

/// A template, by its paths in a new crate.
pub(super) type Template = &'static [(&'static str, &'static str)];

/// The files of a template that every template has, and those that it has alone.
macro_rules! template {
    ($folder:literal $(, $path:literal)* $(,)?) => {
        &[
            (".gitignore", file!(concat!("cli/templates/", $folder, "/gitignore"))),
            ("Cargo.toml", file!(concat!("cli/templates/", $folder, "/Cargo.toml.in"))),
            $(($path, file!(concat!("cli/templates/", $folder, "/", $path)))),*
        ]
    };
}

/// A deserializer of Spanner.
pub(super) const SPANNER_DESERIALIZER: Template = template![
    "spanner-deserializer",
    "README.md",
    "replay/expected/failures.ndjson",
    "replay/expected/outputs.ndjson",
    "replay/recording.ndjson",
    "sandbox.yaml",
    "src/lib.rs",
    "src/tests.rs",
];

/// A deserializer of Bigtable.
pub(super) const BIGTABLE_DESERIALIZER: Template = template![
    "bigtable-deserializer",
    "README.md",
    "replay/expected/failures.ndjson",
    "replay/expected/outputs.ndjson",
    "replay/recording.ndjson",
    "src/lib.rs",
    "src/tests.rs",
];

/// A deserializer of rows.
pub(super) const ROWS_DESERIALIZER: Template = template![
    "rows-deserializer",
    "README.md",
    "replay/expected/failures.ndjson",
    "replay/expected/outputs.ndjson",
    "replay/recording.ndjson",
    "src/lib.rs",
    "src/tests.rs",
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::{Path, PathBuf};

    use super::*;

    /// The files below a folder, by their paths from `root`.
    fn below(root: &Path, folder: &str) -> BTreeSet<PathBuf> {
        let mut found = BTreeSet::new();
        let mut folders = vec![root.join(folder)];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    found.insert(path.strip_prefix(root).unwrap().to_owned());
                }
            }
        }
        found
    }

    #[test]
    fn every_file_of_the_sdk_and_of_the_contract_is_there() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let mut expected = below(root, "sdk/rust");
        expected.extend(below(root, "wit"));
        expected.extend(["LICENSE", "docs/recording.md"].map(PathBuf::from));
        let embedded: BTreeSet<PathBuf> = SDK.iter().map(|(path, _)| path.into()).collect();
        assert_eq!(embedded, expected);
    }

    #[test]
    fn every_file_of_each_template_is_there() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("templates");
        let count = |folder| below(&root, folder).len();
        assert_eq!(count("spanner-deserializer"), SPANNER_DESERIALIZER.len());
        assert_eq!(count("bigtable-deserializer"), BIGTABLE_DESERIALIZER.len());
        assert_eq!(count("rows-deserializer"), ROWS_DESERIALIZER.len());
    }
}
