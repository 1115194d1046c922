//! The guests of the tests: the misbehaving ones, one of another workspace, and one in Python.
//!
//! They are left in `<target>/test-guests/<name>.wasm`, as cargo gives them: the host makes
//! components of them. The tests find the folder there, or where `ACEQUIA_TEST_GUESTS` says.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::steps::{Done, cargo, root, run, target};
use crate::toolchain;
use crate::toolchain::guest_cargo::{PROFILE, guests_dir, module_path};

/// The packages of the test guests in this workspace, `acequia-test-<name>`.
const NAMES: [&str; 9] = [
    "hostile",
    "hostile-mutations",
    "hostile-rows",
    "keep-even",
    "keep-even-mutations",
    "keep-even-rows",
    "shapes",
    "sleep",
    "wrong-world",
];

/// The package in a workspace of its own, and the name of its module here.
const THIRD_PARTY: (&str, &str) = ("tab-separated", "third-party");

const COMPONENTIZE_PY: &str = "componentize-py==0.25.1";

/// The toolchain, the built-in guests and the test guests.
///
/// # Errors
///
/// The first of them that cannot be had, and why.
pub(crate) fn all() -> Done {
    toolchain::ensure()?;
    run(cargo().args(["build", "--locked", "--package", "acequia-builtins"]))?;
    test_guests()
}

/// The test guests. The one in Python is skipped, with the reason, where Python or its packages
/// cannot be had.
///
/// # Errors
///
/// The first other guest that cannot be built, and why.
pub(crate) fn test_guests() -> Done {
    let to = target().join("test-guests");
    fs::create_dir_all(&to).map_err(|error| format!("{}: {error}", to.display()))?;
    build_ours(&to)?;
    build_third_party(&to)?;
    if let Err(reason) = build_python(&to) {
        crate::print(&format!("skipped: the Python guest ({reason})\n"));
    }
    crate::print(&format!("test guests: {}\n", to.display()));
    Ok(())
}

fn build_ours(to: &Path) -> Done {
    let guests = guests_dir(&root());
    let cargo = toolchain::find()?;
    for name in NAMES {
        let package = format!("acequia-test-{name}");
        let mut build = cargo.build_package(&guests, &package);
        run(build.current_dir(root()))?;
        copy(&module_path(&guests, &package), &module(to, name))?;
    }
    Ok(())
}

/// Builds as an author outside does, in the author's own folder with the author's own lock file.
fn build_third_party(to: &Path) -> Done {
    let (package, name) = THIRD_PARTY;
    let guests = guests_dir(&root());
    let mut build = toolchain::find()?.command("build");
    build
        .args(["--profile", PROFILE, "--target-dir"])
        .arg(&guests)
        .current_dir(root().join("tests/guests/third-party"));
    run(&mut build)?;
    copy(&module_path(&guests, package), &module(to, name))
}

fn build_python(to: &Path) -> Done {
    let sources = root().join("tests/guests/python");
    let component = module(to, "python");
    let inputs = [sources, root().join("wit")];
    if is_newer(&component, &inputs) {
        return Ok(());
    }
    let [sources, wit] = &inputs;
    let venv = target().join("componentize-py");
    let tool = venv.join("bin/componentize-py");
    if !tool.is_file() {
        run(Command::new("python3").args(["-m", "venv"]).arg(&venv))?;
        let mut pip = Command::new(venv.join("bin/pip"));
        pip.args(["install", "--quiet", "--disable-pip-version-check"])
            .args(["--retries", "1", "--timeout", "20", COMPONENTIZE_PY]);
        run(&mut pip)?;
    }
    // A half-written component must not look newer than its sources.
    let unfinished = component.with_extension("part");
    let mut componentize = Command::new(tool);
    componentize
        .arg("--wit-path")
        .arg(wit)
        .args(["--world", "spanner-deserializer", "componentize"])
        .arg("--python-path")
        .arg(sources)
        .args(["app", "--output"])
        .arg(&unfinished)
        .stdout(Stdio::null());
    run(&mut componentize)?;
    fs::rename(&unfinished, &component).map_err(|error| error.to_string())
}

fn module(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{name}.wasm"))
}

fn copy(from: &Path, to: &Path) -> Done {
    fs::copy(from, to)
        .map(|_| ())
        .map_err(|error| format!("{} cannot be copied: {error}", from.display()))
}

/// Whether a file is newer than every file in these folders.
fn is_newer(file: &Path, folders: &[PathBuf]) -> bool {
    let modified = |path: &Path| fs::metadata(path).and_then(|data| data.modified());
    let Ok(made) = modified(file) else {
        return false;
    };
    folders.iter().all(|folder| {
        fs::read_dir(folder).is_ok_and(|mut entries| {
            entries.all(|entry| {
                entry.is_ok_and(|entry| modified(&entry.path()).is_ok_and(|time| time < made))
            })
        })
    })
}
