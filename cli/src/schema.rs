//! `acequia schema`: what a connector's YAML file may hold, as a JSON Schema.

use std::io::{Write as _, stdout};
use std::process::ExitCode;

use acequia_host::config;
use tracing::error;

/// Whose file.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The type of the connector, as `meta.type` names it.
    #[arg(default_value = config::TYPES[0])]
    connector: String,
}

/// Prints the schema. The exit code is 2 for a connector that there is not.
pub(crate) fn print(arguments: &Arguments) -> ExitCode {
    let Some(schema) = config::schema(&arguments.connector) else {
        let known = config::TYPES.join(", ");
        error!(
            "there is no connector {}; there are {known}",
            arguments.connector
        );
        return ExitCode::from(2);
    };
    match writeln!(stdout(), "{schema:#}") {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            error!("the schema cannot be printed: {error}");
            ExitCode::from(1)
        }
    }
}
