//! Named steps with their times.

use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

/// What a step, or a whole command, comes to.
pub(crate) type Done = Result<(), String>;

/// Runs steps in order and remembers how long each took.
#[derive(Default)]
pub(crate) struct Steps(Vec<(String, Duration)>);

impl Steps {
    /// Runs one step.
    pub(crate) fn run(&mut self, name: &str, step: impl FnOnce() -> Done) -> Done {
        crate::print(&format!("\n== {name}\n"));
        let started = Instant::now();
        let done = step();
        self.0.push((name.to_owned(), started.elapsed()));
        done.map_err(|reason| format!("{name}: {reason}"))
    }

    /// Prints the seconds of each step.
    pub(crate) fn print(&self) {
        crate::print("\nseconds  step\n");
        for (name, took) in &self.0 {
            crate::print(&format!("{:7.1}  {name}\n", took.as_secs_f64()));
        }
        let total: Duration = self.0.iter().map(|(_, took)| *took).sum();
        crate::print(&format!("{:7.1}  in all\n", total.as_secs_f64()));
    }
}

/// Runs a command to its end.
pub(crate) fn run(command: &mut Command) -> Done {
    let status = command
        .status()
        .map_err(|error| format!("{} cannot be started: {error}", program(command)))?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("{} failed: {status}", program(command)))
    }
}

fn program(command: &Command) -> String {
    let arguments = command
        .get_args()
        .map(|argument| argument.to_string_lossy().into_owned());
    std::iter::once(command.get_program().to_string_lossy().into_owned())
        .chain(arguments)
        .collect::<Vec<_>>()
        .join(" ")
}

/// The cargo that runs us, at the root of the workspace.
pub(crate) fn cargo() -> Command {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.current_dir(root());
    command
}

/// The root of the workspace that cargo runs us in. Several clones may share one target folder and
/// with it this program, so where it was compiled says nothing.
pub(crate) fn root() -> PathBuf {
    let here = std::env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    here.parent().map_or(here.clone(), PathBuf::from)
}

/// Where cargo puts what it builds.
pub(crate) fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(
        || root().join("target"),
        |target| root().join(PathBuf::from(target)),
    )
}
