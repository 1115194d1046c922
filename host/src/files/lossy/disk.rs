use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::io;
use std::path::Path;

use super::content::Content;
use super::names::Names;
use super::random::Random;
use crate::files::Open;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct FileId(u64);

/// Everything on the disk, and everything on its way there.
#[derive(Debug, Default)]
pub(super) struct Disk {
    /// Grows at each crash, so that files opened before it are known as dead.
    life: u64,
    power: Power,
    files: BTreeMap<FileId, Content>,
    names: Names,
    locked: BTreeSet<FileId>,
}

#[derive(Debug, Default)]
enum Power {
    #[default]
    On,
    /// So many changing calls are left.
    Fails(u64),
    Off,
}

impl Disk {
    pub(super) fn life(&self) -> u64 {
        self.life
    }

    pub(super) fn cut_power_after(&mut self, calls: u64) {
        self.power = Power::Fails(calls);
    }

    pub(super) fn lose_locks(&mut self) {
        self.locked.clear();
    }

    pub(super) fn kill(&mut self) {
        self.life += 1;
        self.locked.clear();
    }

    /// One crash in four loses everything that was on its way, one loses nothing, the others lose a part.
    pub(super) fn crash(&mut self, seed: u64) {
        self.kill();
        self.power = Power::On;
        let random = &mut Random::new(seed);
        let fate = random.up_to(3);
        let arrived = |pending: usize, random: &mut Random| match fate {
            0 => 0,
            1 => pending,
            _ => random.up_to(pending),
        };
        for content in self.files.values_mut() {
            let writes = arrived(content.pending(), random);
            content.crash(writes, random);
        }
        self.names.crash(|pending| arrived(pending, random));
        self.files.retain(|id, _| self.names.has(*id));
    }

    pub(super) fn open(&mut self, path: &Path, how: Open) -> io::Result<FileId> {
        self.powered()?;
        let id = match (self.names.get(path), how) {
            (Some(id), _) => id,
            (None, Open::Existing) => return Err(io::ErrorKind::NotFound.into()),
            (None, Open::OrCreate | Open::Replace) => self.create(path)?,
        };
        if how == Open::Replace && self.length(id)? > 0 {
            self.truncate(id, 0)?;
        }
        Ok(id)
    }

    pub(super) fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.powered()?;
        let id = self.names.get(path).ok_or(io::ErrorKind::NotFound)?;
        Ok(self.content(id)?.seen().to_vec())
    }

    pub(super) fn list(&self, directory: &Path) -> io::Result<Vec<OsString>> {
        self.powered()?;
        Ok(self.names.list(directory))
    }

    pub(super) fn rename(&mut self, from: &Path, to: &Path) -> io::Result<()> {
        self.spend()?;
        let id = self.names.get(from).ok_or(io::ErrorKind::NotFound)?;
        self.names.rename(from, to, id);
        Ok(())
    }

    pub(super) fn remove(&mut self, path: &Path) -> io::Result<()> {
        self.spend()?;
        self.names.get(path).ok_or(io::ErrorKind::NotFound)?;
        self.names.unlink(path);
        Ok(())
    }

    pub(super) fn sync_dir(&mut self, directory: &Path) -> io::Result<()> {
        self.spend()?;
        self.names.sync(directory);
        Ok(())
    }

    pub(super) fn append(&mut self, id: FileId, bytes: &[u8]) -> io::Result<()> {
        self.powered()?;
        let spent = self.spend();
        // The write in which the power fails gets half way; the crash decides what is left of that.
        let written = if spent.is_ok() {
            bytes.len()
        } else {
            bytes.len() / 2
        };
        self.content_mut(id)?
            .append(bytes.get(..written).unwrap_or(bytes));
        spent
    }

    pub(super) fn byte_at(&self, id: FileId, offset: u64) -> io::Result<Option<u8>> {
        self.powered()?;
        Ok(self.content(id)?.seen().get(size(offset)).copied())
    }

    pub(super) fn length(&self, id: FileId) -> io::Result<u64> {
        self.powered()?;
        Ok(u64::try_from(self.content(id)?.seen().len()).unwrap_or(u64::MAX))
    }

    pub(super) fn truncate(&mut self, id: FileId, length: u64) -> io::Result<()> {
        self.spend()?;
        self.content_mut(id)?.truncate(size(length));
        Ok(())
    }

    pub(super) fn sync(&mut self, id: FileId) -> io::Result<()> {
        self.spend()?;
        self.content_mut(id)?.sync();
        Ok(())
    }

    pub(super) fn try_lock(&mut self, id: FileId) -> io::Result<bool> {
        self.powered()?;
        Ok(self.locked.insert(id))
    }

    pub(super) fn unlock(&mut self, id: FileId) {
        self.locked.remove(&id);
    }

    pub(super) fn powered(&self) -> io::Result<()> {
        match self.power {
            Power::On | Power::Fails(_) => Ok(()),
            Power::Off => Err(io::Error::other("the power is off")),
        }
    }

    /// Counts a changing call down.
    fn spend(&mut self) -> io::Result<()> {
        self.power = match self.power {
            Power::On => Power::On,
            Power::Fails(left) if left > 0 => Power::Fails(left - 1),
            Power::Fails(_) | Power::Off => Power::Off,
        };
        self.powered()
    }

    fn create(&mut self, path: &Path) -> io::Result<FileId> {
        self.spend()?;
        let id = FileId(self.files.keys().next_back().map_or(0, |last| last.0 + 1));
        self.files.insert(id, Content::default());
        self.names.link(path, id);
        Ok(id)
    }

    fn content(&self, id: FileId) -> io::Result<&Content> {
        self.files
            .get(&id)
            .ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn content_mut(&mut self, id: FileId) -> io::Result<&mut Content> {
        self.files
            .get_mut(&id)
            .ok_or_else(|| io::ErrorKind::NotFound.into())
    }
}

fn size(offset: u64) -> usize {
    usize::try_from(offset).unwrap_or(usize::MAX)
}
