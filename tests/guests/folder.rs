//! Where the test guests are. Shared by the test binaries that load them.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The file of a test guest; none for one that this machine cannot build.
///
/// `ACEQUIA_TEST_GUESTS` names a folder of built ones. Without it they are built here, so that plain
/// `cargo test` needs nothing typed before.
pub(crate) fn find(name: &str) -> Option<PathBuf> {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    let folder = FOLDER
        .get_or_init(|| std::env::var_os("ACEQUIA_TEST_GUESTS").map_or_else(built, PathBuf::from));
    Some(folder.join(format!("{name}.wasm"))).filter(|file| file.is_file())
}

fn built() -> PathBuf {
    let status = Command::new(env!("CARGO"))
        .args(["xtask", "guests"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .status()
        .unwrap();
    assert!(status.success(), "`cargo xtask guests` failed");
    Path::new(env!("CARGO_TARGET_TMPDIR"))
        .parent()
        .unwrap()
        .join("test-guests")
}
