use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::disk::FileId;

/// The names of files: as a process sees them, and as they are on the disk.
#[derive(Debug, Default)]
pub(super) struct Names {
    seen: BTreeMap<PathBuf, FileId>,
    durable: BTreeMap<PathBuf, FileId>,
    /// The changes between the two, in order, by directory.
    pending: BTreeMap<PathBuf, Vec<Change>>,
}

/// A name goes (`from`), a name comes (`to`), or both at once.
#[derive(Clone, Debug)]
struct Change {
    from: Option<PathBuf>,
    to: Option<(PathBuf, FileId)>,
}

impl Names {
    pub(super) fn get(&self, path: &Path) -> Option<FileId> {
        self.seen.get(path).copied()
    }

    pub(super) fn list(&self, directory: &Path) -> Vec<OsString> {
        let inside = self
            .seen
            .keys()
            .filter(|path| path.parent() == Some(directory));
        inside
            .filter_map(|path| path.file_name())
            .map(OsString::from)
            .collect()
    }

    pub(super) fn link(&mut self, path: &Path, id: FileId) {
        self.change(
            path,
            Change {
                from: None,
                to: Some((path.to_path_buf(), id)),
            },
        );
    }

    pub(super) fn unlink(&mut self, path: &Path) {
        self.change(
            path,
            Change {
                from: Some(path.to_path_buf()),
                to: None,
            },
        );
    }

    pub(super) fn rename(&mut self, from: &Path, to: &Path, id: FileId) {
        self.change(
            to,
            Change {
                from: Some(from.to_path_buf()),
                to: Some((to.to_path_buf(), id)),
            },
        );
    }

    pub(super) fn sync(&mut self, directory: &Path) {
        for change in self.pending.remove(directory).unwrap_or_default() {
            apply(&mut self.durable, change);
        }
    }

    /// Keeps, of each directory, the first changes: as many as `arrived` says of so many.
    pub(super) fn crash(&mut self, mut arrived: impl FnMut(usize) -> usize) {
        for changes in std::mem::take(&mut self.pending).into_values() {
            let count = arrived(changes.len());
            changes
                .into_iter()
                .take(count)
                .for_each(|change| apply(&mut self.durable, change));
        }
        self.seen.clone_from(&self.durable);
    }

    pub(super) fn has(&self, id: FileId) -> bool {
        self.seen.values().any(|named| *named == id)
    }

    fn change(&mut self, path: &Path, change: Change) {
        let directory = path.parent().map(Path::to_path_buf).unwrap_or_default();
        apply(&mut self.seen, change.clone());
        self.pending.entry(directory).or_default().push(change);
    }
}

fn apply(names: &mut BTreeMap<PathBuf, FileId>, change: Change) {
    if let Some(from) = change.from {
        names.remove(&from);
    }
    if let Some((to, id)) = change.to {
        names.insert(to, id);
    }
}
