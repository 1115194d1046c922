//! Where a component comes from, and how its bytes become a component.

use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};
use thiserror::Error;
use wit_component::ComponentEncoder;

use super::limits::COMPONENT_BYTES_MAX;
use super::world::World;
use crate::config::Origin;

/// Why there are no bytes of a component.
#[derive(Debug, Error)]
pub enum OriginError {
    /// No built-in for this place has this name.
    #[error("there is no built-in {name}; there are {}", known.join(", "))]
    UnknownBuiltin {
        /// The name asked for.
        name: String,
        /// The names that there are.
        known: Vec<String>,
    },
    /// The file cannot be read.
    #[error("{} cannot be read", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system says.
        #[source]
        source: io::Error,
    },
    /// The file is larger than any component is.
    #[error("{} has {bytes} bytes; a component has at most {COMPONENT_BYTES_MAX}", path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// Its size.
        bytes: u64,
    },
    /// The digest is not the one that the configuration pins.
    #[error(
        "the sha256 is {}, and the configuration pins {}",
        hex(found),
        hex(pinned)
    )]
    Digest {
        /// The digest of the bytes.
        found: [u8; 32],
        /// The digest that the configuration names.
        pinned: [u8; 32],
    },
    /// The bytes are no WebAssembly binary.
    #[error(
        "it is not a WebAssembly binary: the first bytes are neither a component's nor a module's"
    )]
    NotWasm,
    /// A core module does not become a component.
    #[error(
        "the core module does not become a component: {0}; build it for wasm32-unknown-unknown with \
         the Acequia SDK or wit-bindgen"
    )]
    Module(String),
}

/// How logs and errors call a component before it has said its own name.
pub(super) fn label(origin: &Origin) -> String {
    match origin {
        Origin::Builtin(name) => name.clone(),
        Origin::Path(path) => path.display().to_string(),
    }
}

/// The bytes of a component and the digest of what they were made from.
pub(super) struct Bytes {
    pub(super) component: Vec<u8>,
    pub(super) sha256: [u8; 32],
}

/// Reads an origin, checks its digest, and makes a component of a core module. A built-in is found by
/// its name and the worlds that fit its place.
pub(super) fn read(
    origin: &Origin,
    pinned: Option<[u8; 32]>,
    worlds: &[World],
) -> Result<Bytes, OriginError> {
    let bytes = match origin {
        Origin::Builtin(name) => builtin(name, worlds)?.to_vec(),
        Origin::Path(path) => file(path)?,
    };
    let sha256: [u8; 32] = Sha256::digest(&bytes).into();
    if let Some(pinned) = pinned
        && pinned != sha256
    {
        return Err(OriginError::Digest {
            found: sha256,
            pinned,
        });
    }
    Ok(Bytes {
        component: component(bytes)?,
        sha256,
    })
}

/// The built-in of a name that has one of these worlds.
fn builtin(name: &str, worlds: &[World]) -> Result<&'static [u8], OriginError> {
    let get = |world: &World| acequia_builtins::get(name, world.name());
    let names = |world: &World| acequia_builtins::names(world.name());
    worlds.iter().find_map(get).ok_or_else(|| {
        let mut known: Vec<String> = worlds.iter().flat_map(names).map(str::to_owned).collect();
        known.sort();
        OriginError::UnknownBuiltin {
            name: name.to_owned(),
            known,
        }
    })
}

fn file(path: &Path) -> Result<Vec<u8>, OriginError> {
    let failed = |source| OriginError::Read {
        path: path.to_owned(),
        source,
    };
    let bytes = std::fs::metadata(path).map_err(failed)?.len();
    if bytes > COMPONENT_BYTES_MAX {
        return Err(OriginError::TooLarge {
            path: path.to_owned(),
            bytes,
        });
    }
    std::fs::read(path).map_err(failed)
}

fn component(bytes: Vec<u8>) -> Result<Vec<u8>, OriginError> {
    match bytes.get(..8) {
        Some(COMPONENT) => Ok(bytes),
        Some(MODULE) => encode(&bytes).map_err(|error| OriginError::Module(format!("{error:#}"))),
        Some(_) | None => Err(OriginError::NotWasm),
    }
}

fn encode(module: &[u8]) -> Result<Vec<u8>, Box<dyn std::error::Error + Send + Sync>> {
    Ok(ComponentEncoder::default()
        .module(module)?
        .validate(true)
        .encode()?)
}

/// `\0asm`, then the version and the layer.
///
/// Source: <https://github.com/WebAssembly/component-model/blob/main/design/mvp/Binary.md>
const COMPONENT: &[u8] = b"\0asm\x0d\x00\x01\x00";
/// Source: <https://webassembly.github.io/spec/core/binary/modules.html#binary-module>
const MODULE: &[u8] = b"\0asm\x01\x00\x00\x00";

fn hex(digest: &[u8; 32]) -> String {
    digest
        .iter()
        .fold(String::with_capacity(64), |mut text, byte| {
            // Writing to a String does not fail.
            let _ = write!(text, "{byte:02x}");
            text
        })
}
