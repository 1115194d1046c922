//! Short names for partition tokens, which are long and alike.

use std::collections::{BTreeMap, BTreeSet};

use acequia_core::{Checkpoint, PartitionId};

/// Characters that a shortened token keeps at least.
const KEPT_MIN: usize = 8;

/// A shared beginning up to this length is not worth leaving out.
const SHARED_MIN: usize = 4;

/// Short names of the partitions of one checkpoint, no two of them equal.
pub(super) struct Tokens(BTreeMap<PartitionId, String>);

impl Tokens {
    /// Of every partition that the checkpoint names.
    pub(super) fn of(checkpoint: &Checkpoint) -> Self {
        let mut ids: BTreeSet<&PartitionId> = BTreeSet::new();
        for (id, partition) in &checkpoint.partitions {
            ids.insert(id);
            ids.extend(partition.parents.iter());
            ids.extend(partition.after.keys());
        }
        for (id, tombstone) in &checkpoint.tombstones {
            ids.insert(id);
            ids.extend(tombstone.parents.iter());
        }
        Self::shorten(&ids)
    }

    /// The short name.
    pub(super) fn short(&self, id: &PartitionId) -> String {
        self.0
            .get(id)
            .cloned()
            .unwrap_or_else(|| id.as_str().to_owned())
    }

    /// Cuts each token behind what it shares with its neighbours in order, and what all share out.
    fn shorten(ids: &BTreeSet<&PartitionId>) -> Self {
        let tokens: Vec<(&PartitionId, Vec<char>)> = ids
            .iter()
            .filter(|id| !id.is_root())
            .map(|id| (*id, id.as_str().chars().collect()))
            .collect();
        let left_out = match (tokens.first(), tokens.last()) {
            (Some((_, first)), Some((_, last))) if tokens.len() > 1 => shared(first, last),
            _ => 0,
        };
        let left_out = if left_out > SHARED_MIN { left_out } else { 0 };
        let mut names = BTreeMap::from([(PartitionId::root(), "(root)".to_owned())]);
        for (index, (id, token)) in tokens.iter().enumerate() {
            let before = index.checked_sub(1).and_then(|before| tokens.get(before));
            let after = tokens.get(index.saturating_add(1));
            let same = before
                .into_iter()
                .chain(after)
                .map(|(_, neighbour)| shared(token, neighbour))
                .max()
                .unwrap_or(0);
            let kept = (same + 1).max(left_out + KEPT_MIN);
            names.insert((*id).clone(), cut(token, left_out, kept));
        }
        Self(names)
    }
}

/// The characters from `start` to `end`, with a mark where others are left out.
fn cut(token: &[char], start: usize, end: usize) -> String {
    // One character is no longer than the mark in its place.
    let end = if token.len() <= end + 1 {
        token.len()
    } else {
        end
    };
    let kept: String = token.iter().take(end).skip(start).collect();
    let mark = |is_cut| if is_cut { "…" } else { "" };
    format!("{}{kept}{}", mark(start > 0), mark(end < token.len()))
}

fn shared(one: &[char], other: &[char]) -> usize {
    one.iter()
        .zip(other)
        .take_while(|(one, other)| one == other)
        .count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn short(tokens: &[&str]) -> Vec<String> {
        let ids: Vec<PartitionId> = tokens.iter().map(|token| PartitionId::new(token)).collect();
        let names = Tokens::shorten(&ids.iter().collect());
        ids.iter().map(|id| names.short(id)).collect()
    }

    #[test]
    fn short_tokens_stay_as_they_are() {
        assert_eq!(short(&["a", "ab", "left0"]), ["a", "ab", "left0"]);
    }

    #[test]
    fn a_long_token_alone_keeps_its_beginning() {
        assert_eq!(short(&["__8BAYEGi5NLmRzA"]), ["__8BAYEG…"]);
    }

    #[test]
    fn what_all_share_is_left_out_and_what_differs_is_kept() {
        let tokens = [
            "__8BAYEGi5NLmRzA-0001-aaaaaaaaaaaa",
            "__8BAYEGi5NLmRzA-0002-aaaaaaaaaaaa",
            "__8BAYEGi5NLmRzA-0002-bbbbbbbbbbbb",
        ];
        assert_eq!(short(&tokens), ["…1-aaaaaa…", "…2-aaaaaa…", "…2-bbbbbb…"]);
    }

    #[test]
    fn tokens_that_differ_at_their_end_only_are_told_apart() {
        let tokens: Vec<String> = (0..200)
            .map(|number| format!("{}{number}", "same".repeat(20)))
            .chain(["other".to_owned(), "same".repeat(20)])
            .collect();
        let tokens: Vec<&str> = tokens.iter().map(String::as_str).collect();
        let names: BTreeSet<String> = short(&tokens).into_iter().collect();
        assert_eq!(names.len(), tokens.len());
    }

    #[test]
    fn the_query_without_a_token_has_a_name() {
        assert_eq!(short(&["", "a"]), ["(root)", "a"]);
    }
}
