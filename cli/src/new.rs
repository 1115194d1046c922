//! `acequia new`: the crate of a component of one's own, ready to be built and replayed.
//!
//! The SDK and the contract are written beside it, from the files of this repository, so that the
//! crate builds wherever it stands.

mod crate_name;
mod embedded;
mod sdk;
mod template;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Subcommand, ValueEnum};
use tracing::{error, info};

use self::crate_name::CrateName;
use self::embedded::{BIGTABLE_DESERIALIZER, ROWS_DESERIALIZER, SPANNER_DESERIALIZER};

/// What stands below the list of what can be written.
const MORE: &str = "\
Examples:
  acequia new deserializer flat-rows --source spanner
  acequia new deserializer flat-cells --source bigtable
  acequia new deserializer tab-rows --source rows

Deserializers are all that it writes. Filters to begin from are in Acequia's repository:
tests/guests/keep-even for records of Spanner, tests/guests/keep-even-mutations for those of Bigtable,
tests/guests/keep-even-rows for rows, filters/names for names.";

/// What is written.
#[derive(Debug, clap::Args)]
#[command(after_help = MORE)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// A component that turns records into the values that the sink writes.
    Deserializer(Deserializer),
}

#[derive(Debug, clap::Args)]
struct Deserializer {
    /// The crate's name: small letters, digits, - and _.
    name: String,
    /// Whose records it will get.
    #[arg(long, value_enum)]
    source: Source,
    /// The directory to make for it. Default: the name, in this directory.
    #[arg(long, value_name = "DIR")]
    directory: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Source {
    /// Change streams of Cloud Spanner.
    Spanner,
    /// The change stream of a Bigtable table.
    Bigtable,
    /// Tables and queries of Cloud Spanner, row by row.
    Rows,
}

/// Writes the crate. Exit code 2 where it cannot be written as asked for, 1 where writing fails.
pub(crate) fn write(arguments: &Arguments) -> ExitCode {
    let What::Deserializer(asked) = &arguments.what;
    match asked.write() {
        Ok(directory) => {
            let next = directory.join("README.md");
            info!(
                "{} is written; {} goes on from here",
                directory.display(),
                next.display()
            );
            ExitCode::SUCCESS
        }
        Err(refused) => {
            error!("{}", refused.reason);
            ExitCode::from(refused.code)
        }
    }
}

/// Why nothing, or not all, was written.
struct Refused {
    reason: String,
    code: u8,
}

impl Deserializer {
    fn write(&self) -> Result<PathBuf, Refused> {
        let wrong = |reason| Refused { reason, code: 2 };
        let name = CrateName::parse(&self.name, &sdk::packages())
            .map_err(|error| wrong(format!("{:?} is no name for the crate: {error}", self.name)))?;
        let template = match self.source {
            Source::Spanner => SPANNER_DESERIALIZER,
            Source::Bigtable => BIGTABLE_DESERIALIZER,
            Source::Rows => ROWS_DESERIALIZER,
        };
        let directory = self
            .directory
            .clone()
            .unwrap_or_else(|| name.as_str().into());
        if directory.symlink_metadata().is_ok() {
            let shown = directory.display();
            return Err(wrong(format!(
                "{shown} is there already; name another with --directory"
            )));
        }
        let files = template::files(template, &name)
            .into_iter()
            .chain(sdk::files());
        for (path, text) in files {
            let path = directory.join(path);
            put(&path, &text).map_err(|error| Refused {
                reason: format!("{} cannot be written: {error}", path.display()),
                code: 1,
            })?;
        }
        Ok(directory)
    }
}

fn put(path: &Path, text: &str) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, text)
}
