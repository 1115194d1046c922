//! `acequia replay`: a recording fed to a component, and what came out.

use std::io::{self, BufWriter, Stdout, Write, stderr, stdout};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;

use acequia_host::config::GuestRef;
use acequia_host::replay::{
    Difference, Expected, Lines, Replay, ReplayError, Summary, Take, replay,
};
use tracing::error;

/// What is replayed, into what, and what should come out.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The recording, as `acequia record` writes it.
    recording: PathBuf,
    /// The component: a file, or builtin:NAME. Its exports say what it is.
    #[arg(long)]
    component: String,
    /// The component's parameters, a JSON object.
    #[arg(long, value_name = "JSON")]
    parameters: Option<String>,
    /// Compares with outputs.ndjson and failures.ndjson in this directory, instead of printing what
    /// came out. A difference gives exit code 1.
    #[arg(long, value_name = "DIR")]
    expect: Option<PathBuf>,
    /// Writes those files instead of comparing.
    #[arg(long, requires = "expect")]
    bless: bool,
    /// Cuts batches anew, at so many records.
    #[arg(long, value_name = "N")]
    batch_records: Option<NonZeroUsize>,
}

/// What is done with what comes out.
enum Then {
    Print,
    Compare(Expected),
    Bless(Expected),
}

/// Replays, and says what came out and what it cost.
pub(crate) async fn run(arguments: Arguments) -> ExitCode {
    let component = GuestRef::of_argument(&arguments.component, arguments.parameters.as_deref());
    let component = match component {
        Ok(component) => component,
        Err(problem) => return failed(&problem.to_string(), 2),
    };
    let then = match arguments.expect.map(Expected::of) {
        None => Then::Print,
        Some(expected) if arguments.bless => Then::Bless(expected),
        Some(expected) => Then::Compare(expected),
    };
    let what = Replay {
        recording: arguments.recording,
        component,
        batch_records: arguments.batch_records,
    };
    let mut lines = Lines::default();
    let replayed = match then {
        Then::Print => print(&what).await,
        Then::Compare(_) | Then::Bless(_) => replay(&what, &mut lines).await,
    };
    let summary = match replayed {
        Ok(summary) => summary,
        // Who reads has seen enough.
        Err(ReplayError::Take(error)) if error.kind() == io::ErrorKind::BrokenPipe => {
            return ExitCode::SUCCESS;
        }
        Err(error) => return failed(&error.text(), error.exit_code()),
    };
    let code = match then {
        Then::Print => ExitCode::SUCCESS,
        Then::Compare(expected) => match expected.compare(&lines) {
            Ok(differences) => tell(&differences),
            Err(error) => failed(&error.text(), 1),
        },
        Then::Bless(expected) => match expected.bless(&lines) {
            Ok(()) => say("this is what is expected from here on", ExitCode::SUCCESS),
            Err(error) => failed(&error.text(), 1),
        },
    };
    // Nobody may be listening any more, and the code says it all.
    let _closed = writeln!(stderr(), "{summary}");
    code
}

/// Prints every line as it comes.
async fn print(what: &Replay) -> Result<Summary, ReplayError> {
    let mut printer = Printer(BufWriter::new(stdout()));
    let summary = replay(what, &mut printer).await?;
    printer.0.flush()?;
    Ok(summary)
}

struct Printer(BufWriter<Stdout>);

impl Take for Printer {
    fn output(&mut self, line: String) -> io::Result<()> {
        writeln!(self.0, "{line}")
    }

    fn failure(&mut self, line: String) -> io::Result<()> {
        writeln!(self.0, "{line}")
    }
}

fn tell(differences: &[Difference]) -> ExitCode {
    if differences.is_empty() {
        return say("as expected", ExitCode::SUCCESS);
    }
    let mut told: Vec<String> = differences.iter().map(ToString::to_string).collect();
    told.push("if this is right, --bless makes it what is expected".to_owned());
    say(&told.join("\n"), ExitCode::from(1))
}

/// Says it to whoever listens, and ends with the code.
fn say(text: &str, code: ExitCode) -> ExitCode {
    let _closed = writeln!(stdout(), "{text}");
    code
}

fn failed(text: &str, code: u8) -> ExitCode {
    for line in text.lines() {
        error!("{line}");
    }
    ExitCode::from(code)
}
