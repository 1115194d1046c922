use sha2::{Digest, Sha256};

use super::StoreError;

/// What a store knows of the checkpoint that it holds, to compare a save with.
#[derive(Clone, Debug, Default)]
pub(super) struct Held(Option<(u64, [u8; 32])>);

/// What to do with a save.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Admission {
    /// It is later than what is held.
    Store,
    /// It is what is held: its first answer was lost.
    Repeated,
}

impl Held {
    pub(super) fn nothing() -> Self {
        Self(None)
    }

    pub(super) fn of(generation: u64, bytes: &[u8]) -> Self {
        Self(Some((generation, Sha256::digest(bytes).into())))
    }

    /// Compares a save with what is held.
    pub(super) fn admit(&self, generation: u64, bytes: &[u8]) -> Result<Admission, StoreError> {
        match self.0 {
            Some((stored, _)) if generation < stored => Err(StoreError::Stale {
                given: generation,
                stored,
            }),
            Some((stored, digest)) if generation == stored => {
                match <[u8; 32]>::from(Sha256::digest(bytes)) == digest {
                    true => Ok(Admission::Repeated),
                    false => Err(StoreError::Stale {
                        given: generation,
                        stored,
                    }),
                }
            }
            Some(_) | None => Ok(Admission::Store),
        }
    }
}
