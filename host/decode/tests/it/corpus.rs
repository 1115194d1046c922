//! The committed seeds, and what may happen to their bytes.

use std::path::{Path, PathBuf};

use bytes::{Buf as _, Bytes};

use crate::random::Random;

/// A seed's bytes become larger by ids, by offsets and by escapes, each by a factor of its own.
pub(crate) const GROWTH_MAX: usize = 64;
/// What an empty input may cost.
pub(crate) const BASE_BYTES: usize = 64 << 10;

/// The files of one folder of the corpus, by name.
#[expect(clippy::disallowed_methods, reason = "the corpus is files")]
pub(crate) fn seeds(folder: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/corpus")
        .join(folder);
    let files = std::fs::read_dir(path).unwrap();
    let mut files: Vec<_> = files.map(|file| file.unwrap().path()).collect();
    files.sort();
    assert!(files.len() >= 8, "a corpus of seeds in {folder}");
    let read = |path: PathBuf| {
        let bytes = std::fs::read(&path).unwrap();
        (path, bytes)
    };
    files.into_iter().map(read).collect()
}

/// A stream of frames, each after its length as a varint. What a length cannot have is the rest.
pub(crate) fn stream(bytes: &[u8]) -> Vec<Bytes> {
    let mut rest = Bytes::copy_from_slice(bytes);
    let mut frames = Vec::new();
    while rest.has_remaining() {
        let len = prost::decode_length_delimiter(&mut rest).unwrap_or(usize::MAX);
        frames.push(rest.split_to(len.min(rest.len())));
    }
    frames
}

/// A seed, and the seed with every byte changed and with every length.
pub(crate) fn with_damage(seed: &[u8], mut each: impl FnMut(&[u8])) {
    each(seed);
    let random = &mut Random(seed.len() as u64);
    for at in 0..seed.len() {
        let mut damaged = seed.to_vec();
        each(&seed[..at]);
        for change in [seed[at] ^ 0x80, seed[at] ^ 0x01, 0xff, random.next() as u8] {
            damaged[at] = change;
            each(&damaged);
        }
    }
}

/// Files whose name begins so hold what a service may send.
pub(crate) fn is_good(path: &Path) -> bool {
    path.file_name()
        .unwrap()
        .to_str()
        .unwrap()
        .starts_with("good")
}
