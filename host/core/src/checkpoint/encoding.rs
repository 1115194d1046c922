//! The bytes of a checkpoint: one line of name, version and checksum, then JSON.

use sha2::{Digest, Sha256};

use super::Checkpoint;

const NAME: &str = "acequia-checkpoint";
/// Version 2 knows row ranges, version 3 snapshots. A checkpoint without either is version 1, as it
/// always was.
const VERSION: u32 = 3;

/// Why bytes are not a checkpoint that can be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CheckpointError {
    /// The bytes do not match their checksum, or are not what the version says.
    #[error("the checkpoint is damaged: {what}; restore it from a copy or start anew")]
    Damaged {
        /// What is wrong.
        what: String,
    },
    /// A later version of this program wrote it.
    #[error(
        "the checkpoint has version {version}, and this program reads up to {VERSION}; use the program that wrote it"
    )]
    Newer {
        /// Its version.
        version: u32,
    },
    /// The value has no encoding.
    #[error("the checkpoint cannot be encoded: {what}")]
    NotEncodable {
        /// Why.
        what: String,
    },
}

impl Checkpoint {
    /// The bytes to store. Equal checkpoints have equal bytes.
    ///
    /// # Errors
    /// [`CheckpointError::NotEncodable`] if the encoder fails, which no value is known to cause.
    pub fn encode(&self) -> Result<Vec<u8>, CheckpointError> {
        let body = serde_json::to_string(self).map_err(|error| CheckpointError::NotEncodable {
            what: error.to_string(),
        })?;
        let version = self.version();
        Ok(format!("{NAME} {version} {}\n{body}\n", checksum(&body)).into_bytes())
    }

    /// The lowest version that knows all that is in it.
    fn version(&self) -> u32 {
        match (self.is_of_snapshot(), self.named) {
            (true, _) => VERSION,
            (false, 1..) => 2,
            (false, 0) => 1,
        }
    }

    /// Reads what [`Checkpoint::encode`] wrote.
    ///
    /// # Errors
    /// [`CheckpointError::Newer`] for a later version, [`CheckpointError::Damaged`] for anything
    /// else that is not exactly what was written.
    pub fn decode(bytes: &[u8]) -> Result<Self, CheckpointError> {
        let text = std::str::from_utf8(bytes).map_err(|_| damaged("it is not text"))?;
        let (header, rest) = text
            .split_once('\n')
            .ok_or_else(|| damaged("its first line does not end"))?;
        let mut words = header.split(' ');
        if words.next() != Some(NAME) {
            return Err(damaged("it does not begin with its name"));
        }
        let version: u32 = words
            .next()
            .and_then(|word| word.parse().ok())
            .ok_or_else(|| damaged("it has no version"))?;
        if version > VERSION {
            return Err(CheckpointError::Newer { version });
        }
        if version == 0 {
            return Err(damaged("no program wrote its version"));
        }
        let body = rest
            .strip_suffix('\n')
            .ok_or_else(|| damaged("its last line does not end"))?;
        if words.next() != Some(checksum(body).as_str()) || words.next().is_some() {
            return Err(damaged("its checksum does not match"));
        }
        serde_json::from_str(body).map_err(|error| damaged(&error.to_string()))
    }
}

fn checksum(body: &str) -> String {
    use std::fmt::Write;

    let mut text = String::with_capacity(64);
    for byte in Sha256::digest(body) {
        // Writing to a String does not fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}

fn damaged(what: &str) -> CheckpointError {
    CheckpointError::Damaged {
        what: what.to_owned(),
    }
}
