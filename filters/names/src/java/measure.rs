//! How long a match of a part can be, as far as Java tries to know it.

use super::ast::{Node, Repeat};

/// The lengths of a part in characters.
#[derive(Debug, Clone, Copy)]
pub(super) struct Measure {
    pub(super) min: u32,
    /// None if there is no bound, or none that Java sees.
    pub(super) max: Option<u32>,
    /// True if there is one way at most to match the part at a place.
    pub(super) one_way: bool,
}

impl Measure {
    const fn exactly(length: u32) -> Self {
        Self {
            min: length,
            max: Some(length),
            one_way: true,
        }
    }

    fn then(self, next: Self) -> Self {
        Self {
            min: self.min.saturating_add(next.min),
            max: self.max.zip(next.max).map(|(a, b)| a.saturating_add(b)),
            one_way: self.one_way && next.one_way,
        }
    }

    fn or(self, other: Self) -> Self {
        Self {
            min: self.min.min(other.min),
            max: self.max.zip(other.max).map(|(a, b)| a.max(b)),
            one_way: false,
        }
    }
}

pub(super) fn measure(node: &Node) -> Measure {
    match node {
        Node::Empty | Node::Assert(_) | Node::Look(_) => Measure::exactly(0),
        Node::Set(_) => Measure::exactly(1),
        Node::LineEnding => Measure {
            min: 1,
            max: Some(2),
            one_way: true,
        },
        Node::BackReference(_) => Measure {
            min: 0,
            max: None,
            one_way: true,
        },
        Node::Concat(parts) => parts
            .iter()
            .map(measure)
            .fold(Measure::exactly(0), Measure::then),
        Node::Alternate(parts) => parts
            .iter()
            .map(measure)
            .reduce(Measure::or)
            .unwrap_or(Measure::exactly(0)),
        Node::Capture(_, body) | Node::Group(body) | Node::Atomic(body) => measure(body),
        Node::Repeat(repeat) => repeated(repeat),
    }
}

/// Java sees no bound for a group that can match in several ways and has a count, whatever the count.
fn repeated(repeat: &Repeat) -> Measure {
    let body = measure(&repeat.body);
    let is_group = matches!(*repeat.body, Node::Group(_) | Node::Capture(..));
    let bound = if is_group && !body.one_way {
        None
    } else {
        body.max.zip(repeat.max)
    };
    Measure {
        min: body.min.saturating_mul(repeat.min),
        max: bound.map(|(length, times)| length.saturating_mul(times)),
        one_way: body.one_way && repeat.max == Some(repeat.min),
    }
}

/// True if a match of `node` may be empty and depends on what stands around it.
pub(super) fn has_empty_condition(node: &Node) -> bool {
    let is_condition =
        |n: &Node| matches!(n, Node::Assert(_) | Node::Look(_) | Node::BackReference(_));
    measure(node).min == 0 && node.any(&is_condition)
}

pub(super) fn has_line_ending(node: &Node) -> bool {
    node.any(&|n| matches!(n, Node::LineEnding))
}
