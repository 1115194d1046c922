//! The file around a checkpoint.
//!
//! ```text
//! acequia-checkpoint 1
//! {"owner":"orders","epoch":3,"generation":17,"length":4096}
//! <SHA-256 of all but this line, in hexadecimal>
//! <the checkpoint>
//! ```
//!
//! The first line is the same in every version, so that an older program can name a newer file. The file
//! that holds the epoch has no generation and no content.

use std::path::Path;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::StoreError;

const MAGIC: &str = "acequia-checkpoint ";
const VERSION: u64 = 1;

/// A file of the store, taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Envelope {
    pub(super) owner: String,
    pub(super) epoch: u64,
    pub(super) generation: Option<u64>,
    pub(super) bytes: Vec<u8>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header<'a> {
    #[serde(borrow)]
    owner: std::borrow::Cow<'a, str>,
    epoch: u64,
    generation: Option<u64>,
    length: usize,
}

/// The file of a checkpoint, or of an epoch alone.
pub(super) fn encode(
    owner: &str,
    epoch: u64,
    content: Option<(u64, &[u8])>,
) -> Result<Vec<u8>, serde_json::Error> {
    let bytes = content.map_or(&[][..], |(_, bytes)| bytes);
    let generation = content.map(|(generation, _)| generation);
    let header = Header {
        owner: owner.into(),
        epoch,
        generation,
        length: bytes.len(),
    };
    let head = format!("{MAGIC}{VERSION}\n{}\n", serde_json::to_string(&header)?);
    let mut file = Vec::with_capacity(head.len() + 65 + bytes.len());
    file.extend_from_slice(head.as_bytes());
    file.extend_from_slice(checksum(head.as_bytes(), bytes).as_bytes());
    file.push(b'\n');
    file.extend_from_slice(bytes);
    Ok(file)
}

/// Reads a file of the store; `path` is for the errors.
pub(super) fn decode(path: &Path, file: &[u8]) -> Result<Envelope, StoreError> {
    let damaged = |reason| StoreError::Damaged {
        path: path.to_path_buf(),
        reason,
    };
    if file.is_empty() {
        return Err(damaged("it is empty"));
    }
    let rest = file
        .strip_prefix(MAGIC.as_bytes())
        .ok_or_else(|| StoreError::Foreign {
            path: path.to_path_buf(),
        })?;
    let (version, rest) = line(rest).ok_or_else(|| damaged("its first line is cut"))?;
    let version: u64 = version
        .parse()
        .map_err(|_| damaged("its version is not a number"))?;
    if version > VERSION {
        return Err(StoreError::Newer {
            path: path.to_path_buf(),
            version,
            newest: VERSION,
        });
    }
    let (header, rest) = line(rest).ok_or_else(|| damaged("its header is cut"))?;
    let head = file.get(..file.len() - rest.len()).unwrap_or_default();
    let (sum, bytes) = line(rest).ok_or_else(|| damaged("its checksum is cut"))?;
    if sum != checksum(head, bytes) {
        return Err(damaged("its checksum does not match its content"));
    }
    let header: Header<'_> =
        serde_json::from_str(header).map_err(|_| damaged("its header is not readable"))?;
    if header.length != bytes.len() {
        return Err(damaged("its length does not match its header"));
    }
    Ok(Envelope {
        owner: header.owner.into_owned(),
        epoch: header.epoch,
        generation: header.generation,
        bytes: bytes.to_vec(),
    })
}

fn line(bytes: &[u8]) -> Option<(&str, &[u8])> {
    let end = bytes.iter().position(|byte| *byte == b'\n')?;
    let (line, rest) = bytes.split_at_checked(end)?;
    Some((std::str::from_utf8(line).ok()?, rest.get(1..)?))
}

fn checksum(head: &[u8], bytes: &[u8]) -> String {
    let digest = Sha256::new()
        .chain_update(head)
        .chain_update(bytes)
        .finalize();
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The checksum was computed with coreutils' `sha256sum` over the two lines and the content.
    const FIRST: &str = "acequia-checkpoint 1\n\
        {\"owner\":\"orders\",\"epoch\":3,\"generation\":17,\"length\":5}\n\
        510d901cbcbd93d09a87a66b9920bb00f9d5e4f948581b2d49f9eff302fcf226\n\
        hello";

    #[test]
    fn version_1_is_written_as_it_always_was() {
        let file = encode("orders", 3, Some((17, b"hello"))).unwrap();
        assert_eq!(String::from_utf8(file).unwrap(), FIRST);
    }

    #[test]
    fn version_1_is_read() {
        let read = decode(Path::new("checkpoint"), FIRST.as_bytes()).unwrap();
        let expected = Envelope {
            owner: "orders".into(),
            epoch: 3,
            generation: Some(17),
            bytes: b"hello".to_vec(),
        };
        assert_eq!(read, expected);
    }

    #[test]
    fn every_changed_byte_and_every_cut_is_refused() {
        for at in 0..FIRST.len() {
            let mut changed = FIRST.as_bytes().to_vec();
            changed[at] ^= 1;
            assert!(
                decode(Path::new("checkpoint"), &changed).is_err(),
                "byte {at} changed"
            );
            assert!(
                decode(Path::new("checkpoint"), &FIRST.as_bytes()[..at]).is_err(),
                "cut at {at}"
            );
        }
    }
}
