//! The server, seen from the process that starts it.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use super::{Target, WHAT};
use crate::Failed;
use crate::error::Of as _;

/// A server process that runs until this is dropped.
pub(crate) struct Server {
    process: Child,
    pub(crate) target: Target,
}

impl Server {
    pub(crate) fn spawn(arguments: &[String]) -> Result<Self, Failed> {
        let mut process = Command::new(std::env::current_exe().of(WHAT)?)
            .arg("serve")
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .of(WHAT)?;
        let mut line = String::new();
        if let Some(output) = process.stdout.take() {
            BufReader::new(output).read_line(&mut line).of(WHAT)?;
        }
        match serde_json::from_str(&line) {
            Ok(target) => Ok(Self { process, target }),
            Err(_silent) => {
                end(&mut process);
                Err(Failed::new(WHAT, "it did not start"))
            }
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        end(&mut self.process);
    }
}

fn end(process: &mut Child) {
    let _gone_already = process.kill();
    let _reaped = process.wait();
}
