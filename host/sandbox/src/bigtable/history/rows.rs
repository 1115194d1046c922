//! The shop's rows: their keys, and what mutations do to them.

use bytes::Bytes;
use rand::{RngExt, rngs::Xoshiro256PlusPlus};

use super::mutation::Entry;

/// Families of cells.
const FAMILIES: [&str; 3] = ["order", "state", "notes"];

/// The family of aggregates.
const SUMS: &str = "sums";

/// All families of the shop.
pub(crate) fn families() -> impl Iterator<Item = &'static str> {
    FAMILIES.into_iter().chain([SUMS])
}

/// Qualifiers, with an empty one, and with some whose Base64 has every character that Base64 has
/// beyond letters and digits.
const QUALIFIERS: [&[u8]; 6] = [
    b"",
    b"paid",
    b"item",
    b"\xfb\xef\xbe",
    b"\xff\xff",
    b"a:b/c",
];

/// So many microseconds are between the timestamps of cells.
const STEP_MICROS: i64 = 1_000;

/// How often a value is a large one.
const LARGE: (u32, u32) = (1, 16);

/// The name of a cluster.
pub(super) fn cluster(index: u32) -> String {
    format!("cluster-{}", index.saturating_add(1))
}

/// A boundary between partitions.
pub(super) fn boundary(place: u32) -> Bytes {
    format!("{place:08x}").into()
}

/// The key of a row. Neighbouring numbers lie far apart; every fifth key is not text.
pub(super) fn key(number: u64) -> Bytes {
    let place = scattered(number);
    if number % 5 == 4 {
        return [&place.to_be_bytes()[..], b"\0\xff"].concat().into();
    }
    format!("{:08x}#{number}", place >> 32).into()
}

/// Something that a user did.
pub(super) fn entry(rng: &mut Xoshiro256PlusPlus, large_bytes: Option<usize>) -> Entry {
    let (family, qualifier) = (pick(rng, &FAMILIES, ""), pick(rng, &QUALIFIERS, &b""[..]));
    let at = timestamp(rng);
    match rng.random_range(0..20) {
        0..12 => Entry::set(family, qualifier, at, value(rng, large_bytes)),
        12 | 13 => Entry::delete_column(family, qualifier),
        14 => Entry::delete_before(family, qualifier, at + STEP_MICROS),
        15 | 16 => Entry::delete_family(family),
        17 | 18 => Entry::add(SUMS, qualifier, at, rng.random()),
        _ => Entry::merge(SUMS, qualifier, at, value(rng, None)),
    }
}

/// Something that garbage collection did.
pub(super) fn collected(rng: &mut Xoshiro256PlusPlus) -> Entry {
    let (family, qualifier) = (pick(rng, &FAMILIES, ""), pick(rng, &QUALIFIERS, &b""[..]));
    if rng.random_ratio(1, 4) {
        Entry::delete_family(family)
    } else {
        Entry::delete_before(family, qualifier, timestamp(rng) + STEP_MICROS)
    }
}

fn pick<T: Copy>(rng: &mut Xoshiro256PlusPlus, from: &[T], otherwise: T) -> T {
    let index = rng.random_range(0..from.len().max(1));
    from.get(index).copied().unwrap_or(otherwise)
}

/// Timestamps of cells have whole milliseconds.
fn timestamp(rng: &mut Xoshiro256PlusPlus) -> i64 {
    STEP_MICROS * rng.random_range(0..=2_000_000_000)
}

fn value(rng: &mut Xoshiro256PlusPlus, large_bytes: Option<usize>) -> Vec<u8> {
    let length = match large_bytes {
        Some(bytes) if rng.random_ratio(LARGE.0, LARGE.1) => bytes,
        Some(_) | None => rng.random_range(0..24),
    };
    (0..length).map(|_| rng.random()).collect()
}

/// Spreads neighbouring numbers over all places (the finaliser of `SplitMix64`).
fn scattered(number: u64) -> u64 {
    let mixed = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}
