//! What the machine runs.
//!
//! A pattern without back references and without parts that give nothing back only asks which
//! places can be reached. Its counts are unrolled, and the machine remembers the places that
//! failed, so that no pattern of this kind takes exponential time. Every other pattern keeps
//! counters, and goes through its attempts in Java's order.

use super::ast::{Assertion, BackReference, Greed, Node, Reach};
use super::charset::CharSet;
use super::compiler::Compiler;
use super::measure::has_empty_condition;
use super::place::Words;

/// One instruction. Instructions are named by their place in the program.
#[derive(Debug)]
pub(super) enum Op {
    /// Takes one character of a set.
    Set(usize),
    /// Tries one way, then the other.
    Split {
        first: usize,
        second: usize,
    },
    Jump(usize),
    OpenGroup(usize),
    CloseGroup(usize),
    Assert(Assertion),
    BackReference(BackReference),
    /// Runs the instructions after it as a condition, then goes to `next`.
    Look {
        behind: Option<Reach>,
        negative: bool,
        next: usize,
    },
    /// Runs the instructions after it once, keeps the first way, then goes to `next`.
    Atomic {
        next: usize,
    },
    /// Runs the instructions after it as often as it can, keeping the first way each time.
    Possessive {
        min: u32,
        max: Option<u32>,
        next: usize,
    },
    LoopStart(usize),
    LoopStep(LoopStep),
    /// The end of the program, or of the instructions after a look, atomic or possessive one.
    Accept,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct LoopStep {
    pub(super) number: usize,
    pub(super) min: u32,
    pub(super) max: Option<u32>,
    pub(super) reluctant: bool,
    pub(super) exit: usize,
}

#[derive(Debug)]
pub(super) struct Program {
    pub(super) ops: Vec<Op>,
    pub(super) sets: Vec<CharSet>,
    pub(super) groups: usize,
    pub(super) loops: usize,
    /// True if a place that failed once fails again.
    pub(super) remembers: bool,
    /// True if a look-behind takes characters past U+FFFF, which Java measures in halves.
    pub(super) looks_behind_in_halves: bool,
    pub(super) words: Option<Words>,
    pub(super) unicode_words: Option<Words>,
}

impl Program {
    pub(super) fn new(node: &Node, groups: usize) -> Self {
        let unrolled = if asks_only_for_places(node) {
            Compiler::run(node, true).ok()
        } else {
            None
        };
        let remembers = unrolled.is_some();
        // With counters the size of a program is that of its pattern: nothing is too large.
        let compiler = unrolled
            .or_else(|| Compiler::run(node, false).ok())
            .unwrap_or_default();
        let mut sets: Vec<(CharSet, usize)> = compiler.sets.into_iter().collect();
        sets.sort_by_key(|(_, index)| *index);
        let uses = |unicode| {
            let is_used = |op: &Op| matches!(op, Op::Assert(Assertion::WordBoundary { unicode: u, .. }) if *u == unicode);
            compiler
                .ops
                .iter()
                .any(is_used)
                .then(|| Words::new(unicode))
        };
        Self {
            looks_behind_in_halves: node.any(&looks_behind_in_halves),
            words: uses(false),
            unicode_words: uses(true),
            sets: sets.into_iter().map(|(set, _)| set).collect(),
            ops: compiler.ops,
            groups,
            loops: compiler.loops,
            remembers,
        }
    }
}

fn looks_behind_in_halves(node: &Node) -> bool {
    let takes_long = |n: &Node| matches!(n, Node::Set(set) if set.ranges().last().is_some_and(|(_, to)| *to > '\u{FFFF}'));
    matches!(node, Node::Look(look) if look.behind.is_some() && look.body.any(&takes_long))
}

fn asks_only_for_places(node: &Node) -> bool {
    !node.any(&|n| matches!(n, Node::BackReference(_))) && gives_back(node)
}

/// False if a part keeps its first way, or counts what may be empty under a condition: Java leaves
/// a count at the first empty match.
fn gives_back(node: &Node) -> bool {
    match node {
        Node::Atomic(_) => false,
        Node::Repeat(r) => {
            r.greed != Greed::Possessive
                && !(r.min > 1 && has_empty_condition(&r.body))
                && gives_back(&r.body)
        }
        Node::Concat(parts) | Node::Alternate(parts) => parts.iter().all(gives_back),
        Node::Capture(_, body) | Node::Group(body) => gives_back(body),
        Node::Look(look) => gives_back(&look.body),
        Node::Empty
        | Node::Set(_)
        | Node::Assert(_)
        | Node::BackReference(_)
        | Node::LineEnding => true,
    }
}
