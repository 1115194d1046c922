//! The toolchain that compiles for `wasm32-unknown-unknown`, and how a fresh machine gets it.

use std::path::Path;
use std::process::{Child, Command, ExitStatus};
use std::thread;
use std::time::{Duration, Instant};

use crate::steps::{Done, root, run};

/// The same file that the build script of the built-in guests uses, so that both find the same
/// toolchain and use the same flags.
#[path = "../../host/builtins/build/guest_cargo.rs"]
pub(crate) mod guest_cargo;

use guest_cargo::{DEBIAN_PACKAGES, GuestCargo, TARGET};

/// How long rustup may take. Its download has 20 MB; a server that does not answer must not hold
/// up the way that works.
const RUSTUP_LIMIT: Duration = Duration::from_secs(180);

/// Sees to it that guests can be compiled: takes what is there, else asks rustup, else Debian.
///
/// # Errors
///
/// Names both ways, where neither works.
pub(crate) fn ensure() -> Done {
    if let Some(cargo) = GuestCargo::find() {
        report(&cargo);
        return Ok(());
    }
    for (way, install) in [
        ("rustup", install_by_rustup as fn() -> Done),
        ("Debian's packages", install_by_apt),
    ] {
        if let Err(reason) = install() {
            crate::print(&format!("guest toolchain by {way}: {reason}\n"));
        }
        if let Some(cargo) = GuestCargo::find() {
            report(&cargo);
            return Ok(());
        }
    }
    Err(missing())
}

/// A cargo subcommand for the guests' target, at the root of the workspace.
///
/// # Errors
///
/// Names both ways to the toolchain, where there is none.
pub(crate) fn wasm_cargo(subcommand: &str) -> Result<Command, String> {
    let mut command = find()?.command(subcommand);
    command.current_dir(root());
    Ok(command)
}

/// The toolchain of this machine.
///
/// # Errors
///
/// Names both ways to it, where there is none.
pub(crate) fn find() -> Result<GuestCargo, String> {
    GuestCargo::find().ok_or_else(missing)
}

fn report(cargo: &GuestCargo) {
    let which = match cargo {
        GuestCargo::WithTarget { cargo, .. } => format!("{} has {TARGET}", cargo.display()),
        GuestCargo::Debian { linker } => {
            format!("Debian's cargo, with the linker {}", linker.display())
        }
    };
    crate::print(&format!("guest toolchain: {which}\n"));
}

fn missing() -> String {
    format!(
        "nothing here compiles for {TARGET}. Do one of:\n  rustup target add {TARGET}\n  apt-get \
         install -y --no-install-recommends {} lld",
        DEBIAN_PACKAGES.join(" ")
    )
}

fn install_by_rustup() -> Done {
    let mut rustup = Command::new("rustup");
    rustup
        .args(["target", "add", TARGET])
        .current_dir(root())
        .env("RUSTUP_MAX_RETRIES", "0");
    let child = rustup
        .spawn()
        .map_err(|error| format!("rustup cannot be started: {error}"))?;
    match wait(child, RUSTUP_LIMIT)? {
        Some(status) if status.success() => Ok(()),
        Some(status) => Err(format!("rustup target add {TARGET}: {status}")),
        None => Err(format!("no answer within {} s", RUSTUP_LIMIT.as_secs())),
    }
}

/// Waits for a child; one that takes too long is ended.
fn wait(mut child: Child, limit: Duration) -> Result<Option<ExitStatus>, String> {
    let started = Instant::now();
    while started.elapsed() < limit {
        if let Some(status) = child.try_wait().map_err(|error| error.to_string())? {
            return Ok(Some(status));
        }
        thread::sleep(Duration::from_millis(100));
    }
    child.kill().map_err(|error| error.to_string())?;
    child.wait().map_err(|error| error.to_string())?;
    Ok(None)
}

fn install_by_apt() -> Done {
    if !Path::new("/usr/bin/apt-get").is_file() {
        return Err("there is no apt-get".to_owned());
    }
    let prefix = as_root()?;
    run(apt(&prefix).arg("update"))?;
    run(apt(&prefix)
        .args(["install", "-y", "--no-install-recommends"])
        .args(DEBIAN_PACKAGES))?;
    if guest_cargo::linker().is_none() {
        run(apt(&prefix).args(["install", "-y", "--no-install-recommends", "lld"]))?;
    }
    Ok(())
}

/// What goes before a command that only root may run.
fn as_root() -> Result<Vec<&'static str>, String> {
    let id = Command::new("id").arg("-u").output();
    if id.is_ok_and(|output| output.stdout.trim_ascii() == b"0") {
        return Ok(Vec::new());
    }
    let sudo = Command::new("sudo").args(["-n", "true"]).status();
    if sudo.is_ok_and(|status| status.success()) {
        return Ok(vec!["sudo", "-n"]);
    }
    Err("apt-get needs root, and sudo asks for a password".to_owned())
}

fn apt(as_root: &[&str]) -> Command {
    let mut words =
        as_root
            .iter()
            .copied()
            .chain(["env", "DEBIAN_FRONTEND=noninteractive", "apt-get"]);
    let mut command = Command::new(words.next().unwrap_or("env"));
    command.args(words);
    command
}
