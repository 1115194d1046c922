//! Chromium as a process.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

const NAMES: &[&str] = &["chromium", "chromium-browser", "google-chrome"];

/// No visit takes longer; one that would has failed.
const PATIENCE: Duration = Duration::from_secs(120);

/// One at a time: a browser is many processes.
static TURN: Mutex<()> = Mutex::new(());

/// Whether there is a browser. Where there is none, a line says who is skipped for it.
pub(crate) fn installed(asked_by: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let found = std::env::split_paths(&path)
        .flat_map(|folder| NAMES.iter().map(move |name| folder.join(name)))
        .find(|program| program.is_file());
    if found.is_none() {
        let line = format!("skipped: {asked_by}: Chromium is not installed\n");
        std::io::stderr().write_all(line.as_bytes()).unwrap();
    }
    found
}

/// How time passes for a page.
#[derive(Clone, Copy)]
pub(crate) enum Time {
    /// As fast as the page has nothing to do, for so long by its own clock.
    Virtual(Duration),
    /// As it does, until the page is loaded.
    Real,
}

/// Opens an address and gives the document as it is in the end.
pub(crate) fn dump(program: &Path, url: &str, time: Time) -> String {
    let _turn = TURN
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    let folder = tempfile::tempdir().unwrap();
    let dumped = folder.path().join("dumped.html");
    let mut command = Command::new(program);
    command
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"])
        .args(["--disable-dev-shm-usage", "--window-size=1400,1000"])
        .arg(format!(
            "--user-data-dir={}",
            folder.path().join("profile").display()
        ));
    if let Time::Virtual(budget) = time {
        command.arg(format!("--virtual-time-budget={}", budget.as_millis()));
    }
    let mut process = command
        .arg(url)
        .stdin(Stdio::null())
        .stdout(File::create(&dumped).unwrap())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let started = Instant::now();
    while process.try_wait().unwrap().is_none() {
        if started.elapsed() > PATIENCE {
            process.kill().unwrap();
            process.wait().unwrap();
            panic!("Chromium has not read {url} within {PATIENCE:?}");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    fs::read_to_string(&dumped).unwrap()
}
