//! The two file systems agree, and the one for tests forgets what it should.

use std::io;
use std::path::Path;

use acequia_host::files::{Files, Lossy, Open, RealFiles};

/// What every file system does, as far as sinks and stores rely on it.
fn behaves(files: &dyn Files, directory: &Path) {
    let (first, second) = (directory.join("first"), directory.join("second"));
    files.create_dir(directory).unwrap();
    files.may_write_in(directory).unwrap();
    assert_eq!(
        files.open(&first, Open::Existing).unwrap_err().kind(),
        io::ErrorKind::NotFound
    );
    let mut file = files.open(&first, Open::OrCreate).unwrap();
    file.append(b"one").unwrap();
    file.append(b"two").unwrap();
    assert_eq!(file.length().unwrap(), 6);
    assert_eq!(file.byte_at(3).unwrap(), Some(b't'));
    assert_eq!(file.byte_at(6).unwrap(), None);
    file.truncate(4).unwrap();
    file.append(b"!").unwrap();
    file.sync().unwrap();
    assert_eq!(files.read(&first).unwrap(), b"onet!");

    assert!(file.try_lock().unwrap());
    assert!(
        !files
            .open(&first, Open::Existing)
            .unwrap()
            .try_lock()
            .unwrap()
    );
    drop(file);
    assert!(
        files
            .open(&first, Open::Existing)
            .unwrap()
            .try_lock()
            .unwrap()
    );

    files
        .open(&second, Open::Replace)
        .unwrap()
        .append(b"new")
        .unwrap();
    files.rename(&second, &first).unwrap();
    files.sync_dir(directory).unwrap();
    assert_eq!(files.read(&first).unwrap(), b"new");
    assert_eq!(files.list(directory).unwrap(), ["first"]);
    assert_eq!(
        files.open(&first, Open::Replace).unwrap().length().unwrap(),
        0
    );
    files.remove(&first).unwrap();
    assert_eq!(
        files.read(&first).unwrap_err().kind(),
        io::ErrorKind::NotFound
    );
    assert_eq!(
        files.remove(&first).unwrap_err().kind(),
        io::ErrorKind::NotFound
    );
}

#[test]
fn the_operating_system_behaves() {
    let directory = tempfile::tempdir().unwrap();
    behaves(&RealFiles, &directory.path().join("made/on/the/way"));
}

#[test]
fn a_directory_that_is_missing_or_none_cannot_be_written_in() {
    let directory = tempfile::tempdir().unwrap();
    let (missing, file) = (
        directory.path().join("missing"),
        directory.path().join("file"),
    );
    std::fs::write(&file, "x").unwrap();
    let refusal = |path: &Path| RealFiles.may_write_in(path).unwrap_err().kind();
    assert_eq!(refusal(&missing), io::ErrorKind::NotFound);
    assert_eq!(refusal(&file), io::ErrorKind::NotADirectory);
    assert_eq!(refusal(&file.join("below")), io::ErrorKind::NotADirectory);
}

#[test]
fn the_file_system_for_tests_behaves() {
    behaves(&Lossy::new(), Path::new("/data"));
}

/// Over many crashes: all that was seen of one file afterwards.
fn after_crashes(prepare: impl Fn(&Lossy)) -> Vec<Option<Vec<u8>>> {
    let mut seen: Vec<_> = (0..200)
        .map(|seed| {
            let files = Lossy::new();
            prepare(&files);
            files.crash(seed);
            files.read(Path::new("/d/f")).ok()
        })
        .collect();
    seen.sort();
    seen.dedup();
    seen
}

fn durable(files: &Lossy) -> Box<dyn acequia_host::files::OpenFile> {
    let mut file = files.open(Path::new("/d/f"), Open::OrCreate).unwrap();
    file.append(b"ab").unwrap();
    file.sync().unwrap();
    files.sync_dir(Path::new("/d")).unwrap();
    file
}

#[test]
fn an_unsynced_write_is_lost_torn_zeroed_or_kept() {
    let seen = after_crashes(|files| durable(files).append(b"cd").unwrap());
    let expected: Vec<Option<Vec<u8>>> = [&b"ab"[..], b"ab\0", b"ab\0\0", b"abc", b"abcd"]
        .iter()
        .map(|text| Some(text.to_vec()))
        .collect();
    assert_eq!(seen, expected);
}

#[test]
fn an_unsynced_cut_may_be_undone() {
    let seen = after_crashes(|files| durable(files).truncate(1).unwrap());
    assert_eq!(seen, [Some(b"a".to_vec()), Some(b"ab".to_vec())]);
}

#[test]
fn a_name_that_was_not_synced_may_be_lost_though_the_content_was_synced() {
    let seen = after_crashes(|files| {
        let mut file = files.open(Path::new("/d/f"), Open::OrCreate).unwrap();
        file.append(b"ab").unwrap();
        file.sync().unwrap();
    });
    assert_eq!(seen, [None, Some(b"ab".to_vec())]);
}

#[test]
fn a_new_name_may_outlive_its_content() {
    let seen = after_crashes(|files| {
        drop(durable(files));
        let mut file = files.open(Path::new("/d/g"), Open::Replace).unwrap();
        file.append(b"x").unwrap();
        files.rename(Path::new("/d/g"), Path::new("/d/f")).unwrap();
    });
    assert_eq!(
        seen,
        [&b""[..], b"\0", b"ab", b"x"].map(|text| Some(text.to_vec()))
    );
}

#[test]
fn the_death_of_a_process_loses_nothing_and_gives_its_locks_back() {
    let files = Lossy::new();
    let mut file = durable(&files);
    assert!(file.try_lock().unwrap());
    file.append(b"c").unwrap();
    files.kill();
    assert!(file.append(b"from the dead").is_err());
    assert_eq!(files.read(Path::new("/d/f")).unwrap(), b"abc");
    assert!(
        files
            .open(Path::new("/d/f"), Open::Existing)
            .unwrap()
            .try_lock()
            .unwrap()
    );
}

#[test]
fn a_power_cut_fails_every_call_until_the_machine_is_back() {
    let files = Lossy::new();
    let mut file = durable(&files);
    files.cut_power_after(1);
    file.append(b"c").unwrap();
    assert!(file.sync().is_err());
    assert!(files.read(Path::new("/d/f")).is_err());
    files.crash(0);
    assert!(files.read(Path::new("/d/f")).unwrap().starts_with(b"ab"));
}
