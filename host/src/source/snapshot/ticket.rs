//! What it takes to read a part of a snapshot.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use bytes::Bytes;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// What it takes to read a part of a snapshot. It is kept in checkpoints.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(in crate::source) struct Ticket {
    /// Which of the reads it is a part of, counted from 0.
    pub(super) read: usize,
    /// The session that planned it.
    pub(super) session: String,
    /// The transaction, in Base64.
    transaction: String,
    /// The partition's token, in Base64.
    token: String,
}

/// Why a ticket is none.
#[derive(Debug, thiserror::Error)]
pub(super) enum NoTicket {
    /// It is not the JSON of one.
    #[error("the ticket of the partition cannot be read: {0}")]
    Json(#[from] serde_json::Error),
    /// A member is not Base64.
    #[error("the ticket of the partition cannot be read: {0}")]
    Base64(#[from] base64::DecodeError),
}

impl Ticket {
    pub(super) fn new(read: usize, session: &str, transaction: &[u8], token: &[u8]) -> Self {
        Self {
            read,
            session: session.to_owned(),
            transaction: BASE64_STANDARD.encode(transaction),
            token: BASE64_STANDARD.encode(token),
        }
    }

    pub(super) fn parse(text: &str) -> Result<Self, NoTicket> {
        Ok(serde_json::from_str(text)?)
    }

    pub(super) fn write(&self) -> Result<Box<str>, NoTicket> {
        Ok(serde_json::to_string(self)?.into())
    }

    pub(super) fn transaction(&self) -> Result<Bytes, NoTicket> {
        Ok(BASE64_STANDARD.decode(&self.transaction)?.into())
    }

    pub(super) fn token(&self) -> Result<Bytes, NoTicket> {
        Ok(BASE64_STANDARD.decode(&self.token)?.into())
    }

    /// What stands for the partition in the ids of rows without a key: 64 bits of the token's SHA-256,
    /// in hexadecimal digits. Tokens are long.
    pub(super) fn hash(&self) -> String {
        let digest = Sha256::digest(self.token.as_bytes());
        digest
            .iter()
            .take(8)
            .map(|byte| format!("{byte:02x}"))
            .collect()
    }
}
