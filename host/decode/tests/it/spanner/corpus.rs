//! The committed seeds, and what becomes of them when bytes change or are missing: an answer or an
//! error, never a panic, and no more memory than the input stands for.

use std::path::{Path, PathBuf};

use acequia_decode::spanner::{Assembler, ChangeBatch, Options, Shape, Step, TablePlan};
use bytes::{Buf as _, Bytes};
use googleapis_tonic_google_spanner_v1::google::spanner::v1::TypeCode;
use prost_types::Value;

use crate::random::Random;
use crate::spanner::frames::{
    data, encode, envelope, frame, google_sql_type, modification, of, text,
};

const SHAPES: [Shape; 3] = [Shape::GoogleSql, Shape::PostgresJson, Shape::MutableProto];

/// A seed's bytes become larger by ids, by offsets and by escapes, each by a factor of its own.
const GROWTH_MAX: usize = 64;
/// What an empty input may cost.
const BASE_BYTES: usize = 64 << 10;

/// The files of one folder of the corpus, by name.
#[expect(clippy::disallowed_methods, reason = "the corpus is files")]
fn seeds(folder: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/corpus/spanner")
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

/// Reads frames to their end or to the first error; whether there was none.
fn read(shape: Shape, frames: &[Bytes]) -> bool {
    let mut batch = ChangeBatch::default();
    let mut assembler = Assembler::new(shape, Options::default());
    let is_read = frames
        .iter()
        .all(|frame| assembler.push(frame.clone()).is_ok() && drain(&mut assembler, &mut batch));
    let sent: usize = frames.iter().map(Bytes::len).sum();
    assert!(batch.bytes() <= BASE_BYTES + GROWTH_MAX * sent);
    assert_eq!(
        batch.mod_ids.len(),
        batch.mod_ends.last().map_or(0, |&end| end as usize)
    );
    is_read && assembler.finish().is_ok()
}

fn drain(assembler: &mut Assembler, batch: &mut ChangeBatch) -> bool {
    loop {
        match assembler.next(batch, &mut |_, _, _| false) {
            Ok(Step::Empty) => return true,
            Ok(Step::Unplanned(described)) => {
                // Every other column is dropped, so that both ways to copy an object are taken.
                let columns = (0..described.columns.len()).map(|index| index % 2 == 0);
                let plan = TablePlan {
                    table: true,
                    columns: columns.collect(),
                };
                assembler.plan(described.id, plan).unwrap();
            }
            Ok(_) => {}
            Err(_) => return false,
        }
    }
}

/// A stream of frames, each after its length as a varint. What a length cannot have is the rest.
fn stream(bytes: &[u8]) -> Vec<Bytes> {
    let mut rest = Bytes::copy_from_slice(bytes);
    let mut frames = Vec::new();
    while rest.has_remaining() {
        let len = prost::decode_length_delimiter(&mut rest).unwrap_or(usize::MAX);
        frames.push(rest.split_to(len.min(rest.len())));
    }
    frames
}

fn one(
    column: googleapis_tonic_google_spanner_v1::google::spanner::v1::Type,
    row: Value,
) -> Vec<Bytes> {
    vec![encode(&frame(column, [row]))]
}

/// A seed, and the seed with every byte changed and with every length.
fn with_damage(seed: &[u8], mut each: impl FnMut(&[u8])) {
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
fn is_good(path: &Path) -> bool {
    path.file_name()
        .unwrap()
        .to_str()
        .unwrap()
        .starts_with("good")
}

#[test]
fn frames_are_read_or_refused() {
    for (path, seed) in seeds("frames") {
        let readings = SHAPES.map(|shape| read(shape, &stream(&seed)));
        assert_eq!(
            readings.contains(&true),
            is_good(&path),
            "{}",
            path.display()
        );
        for shape in SHAPES {
            with_damage(&seed, |bytes| {
                read(shape, &stream(bytes));
            });
        }
    }
}

#[test]
fn objects_are_read_or_refused() {
    let read = |bytes: &[u8]| {
        let record = data([modification("{}", &String::from_utf8_lossy(bytes), "null")]);
        let row = envelope(vec![record], vec![], vec![]);
        read(Shape::GoogleSql, &one(google_sql_type(), row))
    };
    for (path, seed) in seeds("objects") {
        assert_eq!(read(&seed), is_good(&path), "{}", path.display());
        with_damage(&seed, |bytes| {
            read(bytes);
        });
    }
}

#[test]
fn json_rows_are_read_or_refused() {
    let read = |bytes: &[u8]| {
        let row = text(String::from_utf8_lossy(bytes));
        read(Shape::PostgresJson, &one(of(TypeCode::Json), row))
    };
    for (path, seed) in seeds("json") {
        assert_eq!(read(&seed), is_good(&path), "{}", path.display());
        with_damage(&seed, |bytes| {
            read(bytes);
        });
    }
}
