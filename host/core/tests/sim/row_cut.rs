//! Row ranges: who has which keys, and what of them is done.

use acequia_core::{
    Checkpoint, KeyRange, PartitionId, RangeToken, ReaderId, Resume, SavedPartition,
};
use jiff::SignedDuration;

use super::by_token::returned_at;
use super::cut::agrees;
use super::machine::Machine;
use super::reference::Reference;

/// INV-1 and INV-2 at an opening: everything before the position is in the sink, and nobody else reads
/// any of the keys.
pub(super) fn may_open(
    machine: &Machine,
    reader: &ReaderId,
    range: &KeyRange,
    from: &Resume,
) -> Result<(), String> {
    let world = &machine.world;
    for key in world.keys_in(range) {
        let returned = returned_at(world, Some(range), from, key)?;
        let early = world.chains[key][..returned]
            .iter()
            .find(|record| !machine.reference.has(world, **record));
        if let Some(record) = early {
            return Err(format!(
                "INV-1: {reader} was opened behind record {record}, which is not in the sink"
            ));
        }
    }
    let twice = machine.readers.values().find(|query| {
        let keys = query.keys();
        keys.is_some_and(|keys| keys.clone().any(|key| world.keys_in(range).contains(&key)))
    });
    match twice {
        Some(_) => Err(format!("INV-14: {reader} reads keys that another reads")),
        None => Ok(()),
    }
}

/// INV-14 and INV-3: each key has one owner, and what that has behind it is what the sink holds.
pub(super) fn is_one_cut(
    machine: &Machine,
    checkpoint: &Checkpoint,
    cut: &Reference,
) -> Result<(), String> {
    let world = &machine.world;
    let at_root = checkpoint.partitions.get(&PartitionId::root());
    for key in 0..world.keys {
        let returned = match (at_root, &owners(checkpoint, key)[..]) {
            (Some(root), []) => returned_at(world, None, &root.position, key)?,
            // Reading that begins behind the bound has nothing to read.
            (None, []) if checkpoint.partitions.is_empty() => {
                let bound = machine.bound.unwrap_or(u64::MAX);
                world.chains[key].partition_point(|record| world.records[*record].at <= bound)
            }
            (None, [owner]) => returned_at(world, Some(&owner.range), &owner.from, key)?,
            (_, owners) => {
                return Err(format!("INV-14: key {key} has {} owners", owners.len()));
            }
        };
        for (place, record) in world.chains[key].iter().enumerate() {
            agrees(machine, cut, *record, place < returned)?;
        }
    }
    Ok(())
}

struct Owner {
    range: KeyRange,
    from: Resume,
}

/// Who has a key: a range that is read, or a token that waits for others.
fn owners(checkpoint: &Checkpoint, key: usize) -> Vec<Owner> {
    let letter = [b'a' + u8::try_from(key).unwrap()];
    let saved = checkpoint.partitions.values();
    let owned = saved.flat_map(owned_by);
    owned
        .filter(|owner| owner.range.contains(&letter))
        .collect()
}

fn owned_by(saved: &SavedPartition) -> Vec<Owner> {
    let Some(range) = saved.range.clone() else {
        return Vec::new();
    };
    let tokens = saved.position.tokens();
    let rest = range.without_all(tokens.iter().map(|token| &token.range));
    if tokens.is_empty() || rest.is_empty() {
        let from = saved.position.clone();
        return vec![Owner { range, from }];
    }
    let alone = |token: &RangeToken| Owner {
        range: token.range.clone(),
        from: Resume {
            at: saved.position.at,
            covered: acequia_core::Covered::Tokens(vec![token.clone()]),
        },
    };
    tokens.iter().map(alone).collect()
}

/// The keys that begin again: those of the range that the service refused, and those whose low
/// watermark is older than the retention.
pub(super) fn expired(machine: &Machine, refused: &PartitionId) -> impl Iterator<Item = usize> {
    let retention = SignedDuration::try_from(machine.settings.retention()).unwrap();
    let oldest = machine.now().wall - retention;
    let checkpoint = machine.scheduler.checkpoint();
    let gone = checkpoint.partitions.into_iter().filter(|(id, saved)| {
        saved.read_to.is_none() && (id == refused || saved.position.at < oldest)
    });
    let keys = machine.world.keys;
    let ranges: Vec<_> = gone.flat_map(|(_, saved)| owned_by(&saved)).collect();
    (0..keys).filter(move |key| {
        let letter = [b'a' + u8::try_from(*key).unwrap()];
        ranges.iter().any(|owner| owner.range.contains(&letter))
    })
}
