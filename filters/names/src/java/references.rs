//! Which back references have the text that Java gives them.
//!
//! Java does not undo what a group took when it goes back over an atomic part, a look-around, a
//! possessive repetition, or a repetition with one way to match. A reference could then see the text
//! of an attempt that failed. It cannot if the group stands before it on every way to it.

use super::ast::{Greed, Node, Repeat};
use super::measure::measure;

/// The number of a group whose text would be uncertain, if there is one.
pub(super) fn uncertain(node: &Node) -> Option<usize> {
    let mut scan = Scan::default();
    scan.node(node);
    let Scan {
        groups, references, ..
    } = scan;
    references.iter().find_map(|reference| {
        let group = groups.iter().find(|g| g.number == reference.number)?;
        let certain = is_certain(&group.path, &reference.path);
        (!certain).then_some(reference.number)
    })
}

/// A step from a part into one of its own parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Step {
    /// Tells parts apart.
    part: usize,
    index: usize,
    kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Passed whenever what follows is reached, and undone on the way back.
    Sequence,
    /// Passed whenever what follows is reached, and not undone.
    Kept,
    /// May be left out, and is undone on the way back.
    Optional,
    /// May be left out, and is not undone.
    OptionalKept,
}

#[derive(Debug)]
struct Found {
    number: usize,
    path: Vec<Step>,
}

#[derive(Debug, Default)]
struct Scan {
    parts: usize,
    path: Vec<Step>,
    groups: Vec<Found>,
    references: Vec<Found>,
}

impl Scan {
    fn node(&mut self, node: &Node) {
        match node {
            Node::Empty | Node::Set(_) | Node::Assert(_) | Node::LineEnding => {}
            Node::BackReference(reference) => {
                self.references.push(Found {
                    number: reference.group,
                    path: self.path.clone(),
                });
            }
            Node::Concat(parts) => self.parts(parts, Kind::Sequence),
            Node::Alternate(parts) => self.parts(parts, Kind::Optional),
            Node::Capture(number, body) => {
                self.groups.push(Found {
                    number: *number,
                    path: self.path.clone(),
                });
                self.part(body, Kind::Sequence);
            }
            Node::Group(body) => self.part(body, Kind::Sequence),
            Node::Atomic(body) => self.part(body, Kind::Kept),
            Node::Look(look) if look.negative => self.part(&look.body, Kind::OptionalKept),
            Node::Look(look) => self.part(&look.body, Kind::Kept),
            Node::Repeat(repeat) => self.repeat(repeat),
        }
    }

    fn repeat(&mut self, repeat: &Repeat) {
        let possessive = repeat.greed == Greed::Possessive;
        let is_group = matches!(*repeat.body, Node::Group(_) | Node::Capture(..));
        let one_way = measure(&repeat.body).one_way && !(is_group && repeat.is_option);
        let kind = |kept| match (kept, repeat.min) {
            (true, 0) => Kind::OptionalKept,
            (true, _) => Kind::Kept,
            (false, 0) => Kind::Optional,
            (false, _) => Kind::Sequence,
        };
        // Java undoes the repeated group itself, if it cannot be empty, and not the groups inside.
        let is_undone = one_way && !possessive && measure(&repeat.body).min > 0;
        if is_undone && let Node::Capture(number, body) = &*repeat.body {
            self.parts += 1;
            let step = Step {
                part: self.parts,
                index: 0,
                kind: kind(false),
            };
            let path = self.path.iter().copied().chain([step]).collect();
            self.groups.push(Found {
                number: *number,
                path,
            });
            self.part(body, kind(true));
            return;
        }
        self.part(&repeat.body, kind(possessive || one_way));
    }

    fn part(&mut self, node: &Node, kind: Kind) {
        self.parts(std::slice::from_ref(node), kind);
    }

    fn parts(&mut self, nodes: &[Node], kind: Kind) {
        self.parts += 1;
        let part = self.parts;
        for (index, node) in nodes.iter().enumerate() {
            self.path.push(Step { part, index, kind });
            self.node(node);
            self.path.pop();
        }
    }
}

fn is_certain(group: &[Step], reference: &[Step]) -> bool {
    let is_undone = group
        .iter()
        .all(|s| matches!(s.kind, Kind::Sequence | Kind::Optional));
    let shared = group
        .iter()
        .zip(reference)
        .take_while(|(a, b)| a == b)
        .count();
    let own = group.get(shared..).unwrap_or_default();
    let is_passed = own
        .iter()
        .all(|s| matches!(s.kind, Kind::Sequence | Kind::Kept));
    let stands_before = match (group.get(shared), reference.get(shared)) {
        (Some(a), Some(b)) => a.part == b.part && a.index < b.index && a.kind == Kind::Sequence,
        _ => false,
    };
    is_undone || (is_passed && stands_before)
}
