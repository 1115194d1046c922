//! A checkpoint store that refuses stale generations, and whose answers get lost.

use acequia_core::{Checkpoint, Generation};

#[derive(Default)]
pub(super) struct Store {
    pub(super) stored: Option<(Generation, Vec<u8>)>,
    pub(super) asked: Option<(Generation, Vec<u8>)>,
}

impl Store {
    pub(super) fn ask(&mut self, generation: Generation, bytes: Vec<u8>) -> Result<(), String> {
        if self.asked.is_some() {
            return Err("INV-4: a save was asked for while another was outstanding".to_owned());
        }
        let stored = self.stored.as_ref().map(|(generation, _)| *generation);
        if stored.is_some_and(|stored| stored >= generation) {
            return Err(format!("INV-4: generation {generation} is stale"));
        }
        self.asked = Some((generation, bytes));
        Ok(())
    }

    /// Takes the outstanding save, storing it or not.
    pub(super) fn resolve(&mut self, stored: bool) -> Option<Generation> {
        let asked = self.asked.take()?;
        let generation = asked.0;
        if stored {
            self.stored = Some(asked);
        }
        Some(generation)
    }

    pub(super) fn restore(&self) -> Option<Checkpoint> {
        let (_, bytes) = self.stored.as_ref()?;
        Some(Checkpoint::decode(bytes).unwrap())
    }
}
