//! `acequia state`: what a stopped connector has saved.

use std::io::{self, BufRead, ErrorKind, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use acequia_host::config::parse_instant;
use acequia_host::state::{PlanError, Rows, SavedState, StateError};
use jiff::Timestamp;
use tracing::error;

/// Partitions that are shown without `--all`.
const ROWS: usize = 50;

/// What to do with saved state. The connector must be stopped.
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Action {
    /// Prints what the state belongs to, how far it is, and its partitions.
    Show {
        /// The connector's YAML file.
        #[arg(long, short)]
        config: PathBuf,
        /// Prints all partitions, not only the 50 that lag most.
        #[arg(long)]
        all: bool,
    },
    /// Writes the whole state as JSON.
    Export {
        /// The connector's YAML file.
        #[arg(long, short)]
        config: PathBuf,
        /// The file to write; without it, standard output.
        #[arg(long, short)]
        output: Option<PathBuf>,
    },
    /// Goes back to an instant, so that everything from there on is read again.
    Rewind {
        /// The connector's YAML file.
        #[arg(long, short)]
        config: PathBuf,
        /// The instant, in RFC 3339; it is read again, too.
        #[arg(long, value_parser = parse_instant)]
        to: Timestamp,
        /// Does it without asking.
        #[arg(long)]
        yes: bool,
    },
}

/// Why an action failed.
#[derive(Debug, thiserror::Error)]
enum Failure {
    #[error("{}", .0.text())]
    State(#[from] StateError),
    #[error(transparent)]
    Plan(#[from] PlanError),
    #[error("{}: cannot write the file: {source}", path.display())]
    Write { path: PathBuf, source: io::Error },
    #[error("standard output: {0}")]
    Output(io::Error),
    #[error("nothing was changed: here is nobody to ask, so give --yes")]
    NobodyToAsk,
    #[error("nothing was changed")]
    Declined,
}

/// Does it. The exit code is 0 when it is done, 1 when it failed, 2 for a wrong configuration.
pub(crate) async fn carry_out(action: Action) -> ExitCode {
    let done = match action {
        Action::Show { config, all } => show(&config, all).await,
        Action::Export { config, output } => export(&config, output).await,
        Action::Rewind { config, to, yes } => rewind(&config, to, yes).await,
    };
    let Err(failure) = done else {
        return ExitCode::SUCCESS;
    };
    for line in failure.to_string().lines() {
        error!("{line}");
    }
    match failure {
        Failure::State(state) => ExitCode::from(state.exit_code()),
        Failure::Plan(_)
        | Failure::Write { .. }
        | Failure::Output(_)
        | Failure::NobodyToAsk
        | Failure::Declined => ExitCode::from(1),
    }
}

async fn show(config: &Path, all: bool) -> Result<(), Failure> {
    let rows = if all { Rows::All } else { Rows::First(ROWS) };
    let state = SavedState::open(config).await?;
    print(&state.table(Timestamp::now(), rows))
}

async fn export(config: &Path, output: Option<PathBuf>) -> Result<(), Failure> {
    let text = SavedState::open(config).await?.export(Timestamp::now())?;
    match output {
        None => print(&text),
        Some(path) => std::fs::write(&path, text).map_err(|source| Failure::Write { path, source }),
    }
}

/// The store is open, and so locked, from before the statement until the rewound state is saved.
async fn rewind(config: &Path, to: Timestamp, yes: bool) -> Result<(), Failure> {
    let state = SavedState::open(config).await?;
    let rewind = state.plan_rewind(to, Timestamp::now())?;
    print(rewind.statement())?;
    if !yes {
        agree()?;
    }
    state.rewind(rewind).await?;
    print(&format!("\nrewound to {to}; the next run begins there\n"))
}

/// Asks the person at the terminal.
fn agree() -> Result<(), Failure> {
    let input = io::stdin();
    if !input.is_terminal() {
        return Err(Failure::NobodyToAsk);
    }
    print("\nRewind? Type yes: ")?;
    let mut answer = String::new();
    let read = input.lock().read_line(&mut answer);
    read.map_err(Failure::Output)?;
    match answer.trim() {
        "yes" => Ok(()),
        _ => Err(Failure::Declined),
    }
}

/// Prints what the command is there for. A reader that went away has seen enough.
fn print(text: &str) -> Result<(), Failure> {
    let mut output = io::stdout().lock();
    let printed = output
        .write_all(text.as_bytes())
        .and_then(|()| output.flush());
    match printed {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(Failure::Output(error)),
        Ok(()) | Err(_) => Ok(()),
    }
}
