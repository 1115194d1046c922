//! The cargo that compiles guests for `wasm32-unknown-unknown`.
//!
//! Two toolchains do: the one that is building us, where it has the target (`rustup target add`),
//! and Debian's `/usr/bin/cargo`, which compiles the library from its own source. Neither is
//! installed here; `cargo xtask guests` does that.
//!
//! The build script of `acequia-builtins` and xtask share this file, so that both build with the
//! same flags in the same folder and nothing is compiled twice. It needs the standard library only.

use std::env;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;

/// What a guest is compiled for. It needs no WASI.
pub(crate) const TARGET: &str = "wasm32-unknown-unknown";

/// The profile of the root `Cargo.toml` that guests are built with.
pub(crate) const PROFILE: &str = "guest";

/// What Debian calls its pair and the library's source.
pub(crate) const DEBIAN_PACKAGES: [&str; 3] = ["rustc-web", "cargo-web", "rust-web-src"];

const DEBIAN_CARGO: &str = "/usr/bin/cargo";
const DEBIAN_RUSTC: &str = "/usr/bin/rustc";

/// A toolchain that can compile guests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum GuestCargo {
    /// The toolchain that is building us has the target.
    WithTarget {
        /// Its cargo.
        cargo: PathBuf,
        /// Its compiler.
        rustc: PathBuf,
    },
    /// Debian's pair, with the library's source.
    Debian {
        /// The linker, which Debian's pair does not bring.
        linker: PathBuf,
    },
}

impl GuestCargo {
    /// The toolchain of this machine, the one with the target first.
    pub(crate) fn find() -> Option<Self> {
        Self::with_target().or_else(Self::debian)
    }

    fn with_target() -> Option<Self> {
        let rustc = current("RUSTC", "rustc");
        let libdir = ask(&rustc, &["--print", "target-libdir", "--target", TARGET])?;
        has_core(Path::new(&libdir)).then(|| Self::WithTarget {
            cargo: current("CARGO", "cargo"),
            rustc: sysroot(&rustc)
                .map(|root| root.join("bin/rustc"))
                .filter(|path| path.is_file())
                .unwrap_or(rustc),
        })
    }

    fn debian() -> Option<Self> {
        let rustc = Path::new(DEBIAN_RUSTC);
        if !Path::new(DEBIAN_CARGO).is_file() || !rustc.is_file() {
            return None;
        }
        // Only the compiler's own source will do, and Debian links it here.
        let library = sysroot(rustc)?.join("lib/rustlib/src/rust/library/Cargo.lock");
        library.is_file().then_some(())?;
        linker().map(|linker| Self::Debian { linker })
    }

    /// A cargo subcommand for the guests' target.
    pub(crate) fn command(&self, subcommand: &str) -> Command {
        let mut command = match self {
            Self::WithTarget { cargo, rustc } => {
                let mut command = clean_cargo(cargo);
                command.env("RUSTC", rustc).arg(subcommand);
                command
            }
            Self::Debian { linker } => {
                let mut command = clean_cargo(Path::new(DEBIAN_CARGO));
                command
                    .env("RUSTC", DEBIAN_RUSTC)
                    // Building the library is an unstable option of a stable compiler.
                    .env("RUSTC_BOOTSTRAP", "1")
                    .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker)
                    .args([subcommand, "-Zbuild-std=std,panic_abort"]);
                command
            }
        };
        command.args(["--locked", "--target", TARGET]);
        command
    }

    /// Builds one guest of the workspace. `guests` is the target folder.
    pub(crate) fn build_package(&self, guests: &Path, package: &str) -> Command {
        let mut command = self.command("rustc");
        command
            .args(["--profile", PROFILE, "--target-dir"])
            .arg(guests);
        // Our guests are Rust libraries too, for tests. Cargo links no library with LTO.
        command.args(["--lib", "--crate-type", "cdylib", "--package", package]);
        command
    }
}

/// Where guests are built: one folder for the build script, the test guests and xtask.
pub(crate) fn guests_dir(root: &Path) -> PathBuf {
    target_dir(root).join("guests")
}

/// The target folder of the workspace.
pub(crate) fn target_dir(root: &Path) -> PathBuf {
    // A relative folder is one of the workspace, wherever cargo was started.
    root.join(env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| OsString::from("target")))
}

/// Where cargo leaves a guest's module.
pub(crate) fn module_path(guests: &Path, package: &str) -> PathBuf {
    let file = format!("{}.wasm", package.replace('-', "_"));
    guests.join(TARGET).join(PROFILE).join(file)
}

/// A cargo that inherits nothing of the cargo that started us: its flags, wrappers and profile
/// would leak into the guests.
fn clean_cargo(cargo: &Path) -> Command {
    let mut command = Command::new(cargo);
    for (name, _) in env::vars_os() {
        if leaks(&name) {
            command.env_remove(name);
        }
    }
    command
}

fn leaks(name: &OsStr) -> bool {
    const KEPT: [&str; 6] = [
        "CARGO_HOME",
        "CARGO_MAKEFLAGS",
        "CARGO_HTTP_",
        "CARGO_NET_",
        "CARGO_REGISTR",
        "CARGO_SOURCE_",
    ];
    const DROPPED: [&str; 4] = ["CARGO", "RUST", "CLIPPY", "LD_LIBRARY_PATH"];
    const DROPPED_WHOLE: [&str; 7] = [
        "TARGET",
        "HOST",
        "PROFILE",
        "OPT_LEVEL",
        "DEBUG",
        "NUM_JOBS",
        "OUT_DIR",
    ];
    let Some(name) = name.to_str() else {
        return false;
    };
    let starts = |prefixes: &[&str]| prefixes.iter().any(|prefix| name.starts_with(prefix));
    DROPPED_WHOLE.contains(&name) || starts(&DROPPED) && !starts(&KEPT)
}

/// A linker for Debian's pair.
pub(crate) fn linker() -> Option<PathBuf> {
    let rust_lld = current_rust_lld();
    let others = ["/usr/bin/rust-lld", "/usr/bin/wasm-ld"].map(PathBuf::from);
    rust_lld
        .into_iter()
        .chain(others)
        .find(|path| path.is_file())
}

/// The linker of the toolchain that is building us.
fn current_rust_lld() -> Option<PathBuf> {
    let rustc = current("RUSTC", "rustc");
    let root = sysroot(&rustc)?;
    let version = ask(&rustc, &["-vV"])?;
    let host = version
        .lines()
        .find_map(|line| line.strip_prefix("host: "))?;
    Some(root.join("lib/rustlib").join(host).join("bin/rust-lld"))
}

fn sysroot(rustc: &Path) -> Option<PathBuf> {
    ask(rustc, &["--print", "sysroot"]).map(PathBuf::from)
}

fn current(variable: &str, name: &str) -> PathBuf {
    env::var_os(variable).map_or_else(|| PathBuf::from(name), PathBuf::from)
}

fn has_core(libdir: &Path) -> bool {
    std::fs::read_dir(libdir).is_ok_and(|entries| {
        entries
            .flatten()
            .any(|entry| entry.file_name().to_string_lossy().starts_with("libcore-"))
    })
}

fn ask(program: &Path, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}
