//! A checkpoint store that refuses stale generations, and whose answers get lost.

use acequia_core::{Checkpoint, Generation};

#[derive(Default)]
pub(super) struct Store {
    pub(super) stored: Option<(Generation, Checkpoint)>,
    pub(super) asked: Option<(Generation, Checkpoint)>,
}

impl Store {
    pub(super) fn ask(
        &mut self,
        generation: Generation,
        checkpoint: Checkpoint,
    ) -> Result<(), String> {
        if self.asked.is_some() {
            return Err("INV-4: a save was asked for while another was outstanding".to_owned());
        }
        let stored = self.stored.as_ref().map(|(generation, _)| *generation);
        if stored.is_some_and(|stored| stored >= generation) {
            return Err(format!("INV-4: generation {generation} is stale"));
        }
        self.asked = Some((generation, checkpoint));
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

    /// What a new process reads: bytes that were written and read again.
    pub(super) fn restore(&self) -> Option<Checkpoint> {
        let (_, checkpoint) = self.stored.as_ref()?;
        let bytes = checkpoint.encode().unwrap();
        Some(Checkpoint::decode(&bytes).unwrap())
    }
}
