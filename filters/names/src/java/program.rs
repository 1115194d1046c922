//! What the machine runs, and how a pattern becomes it.
//!
//! A pattern without back references and without parts that give nothing back only asks which
//! places can be reached. Its counts are unrolled, and the machine remembers the places that
//! failed, so that no pattern of this kind takes exponential time. Every other pattern keeps
//! counters, and goes through its attempts in Java's order.

use std::collections::BTreeMap;

use super::ast::{Assertion, BackReference, Greed, Node, Reach, Repeat};
use super::charset::CharSet;
use super::limits::UNROLLED_OPS_MAX;
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
    let takes_long = |n: &Node| match n {
        Node::Set(set) => set.ranges().last().is_some_and(|(_, to)| *to > '\u{FFFF}'),
        _ => false,
    };
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

/// The program is larger than [`UNROLLED_OPS_MAX`].
struct TooLarge;

#[derive(Default)]
struct Compiler {
    ops: Vec<Op>,
    sets: BTreeMap<CharSet, usize>,
    loops: usize,
    unrolls: bool,
}

impl Compiler {
    fn run(node: &Node, unrolls: bool) -> Result<Self, TooLarge> {
        let mut compiler = Self {
            unrolls,
            ..Self::default()
        };
        compiler.node(node)?;
        compiler.push(Op::Accept)?;
        Ok(compiler)
    }

    fn node(&mut self, node: &Node) -> Result<(), TooLarge> {
        match node {
            Node::Empty => {}
            Node::Set(set) => self.set(set.clone())?,
            Node::Concat(parts) => {
                for part in parts {
                    self.node(part)?;
                }
            }
            Node::Alternate(parts) => self.alternate(parts)?,
            Node::Capture(number, body) => {
                self.push(Op::OpenGroup(*number))?;
                self.node(body)?;
                self.push(Op::CloseGroup(*number))?;
            }
            Node::Group(body) => self.node(body)?,
            Node::Atomic(body) => self.enclosed(body, |next| Op::Atomic { next })?,
            Node::Look(look) => {
                let (behind, negative) = (look.behind, look.negative);
                self.enclosed(&look.body, |next| Op::Look {
                    behind,
                    negative,
                    next,
                })?;
            }
            Node::Assert(assertion) => self.push(Op::Assert(*assertion))?,
            Node::BackReference(reference) => self.push(Op::BackReference(*reference))?,
            Node::LineEnding => self.line_ending()?,
            Node::Repeat(repeat) => self.repeat(repeat)?,
        }
        Ok(())
    }

    fn push(&mut self, op: Op) -> Result<(), TooLarge> {
        if self.unrolls && self.ops.len() >= UNROLLED_OPS_MAX {
            return Err(TooLarge);
        }
        self.ops.push(op);
        Ok(())
    }

    fn set(&mut self, set: CharSet) -> Result<(), TooLarge> {
        let next = self.sets.len();
        let index = *self.sets.entry(set).or_insert(next);
        self.push(Op::Set(index))
    }

    /// Leaves a place for an instruction that names what comes after.
    fn reserve(&mut self) -> Result<usize, TooLarge> {
        self.push(Op::Accept)?;
        Ok(self.ops.len() - 1)
    }

    fn fill(&mut self, place: usize, op: Op) {
        if let Some(reserved) = self.ops.get_mut(place) {
            *reserved = op;
        }
    }

    fn alternate(&mut self, parts: &[Node]) -> Result<(), TooLarge> {
        let Some((last, others)) = parts.split_last() else {
            return Ok(());
        };
        let mut ends = Vec::with_capacity(others.len());
        for part in others {
            let split = self.reserve()?;
            self.node(part)?;
            ends.push(self.reserve()?);
            let second = self.ops.len();
            self.fill(
                split,
                Op::Split {
                    first: split + 1,
                    second,
                },
            );
        }
        self.node(last)?;
        let after = self.ops.len();
        for end in ends {
            self.fill(end, Op::Jump(after));
        }
        Ok(())
    }

    fn enclosed(&mut self, body: &Node, op: impl FnOnce(usize) -> Op) -> Result<(), TooLarge> {
        let place = self.reserve()?;
        self.node(body)?;
        self.push(Op::Accept)?;
        let next = self.ops.len();
        self.fill(place, op(next));
        Ok(())
    }

    /// Source: java.util.regex.Pattern, "Linebreak matcher".
    fn line_ending(&mut self) -> Result<(), TooLarge> {
        let pair = Node::Concat(['\r', '\n'].map(|c| Node::Set(CharSet::one(c))).to_vec());
        let single = CharSet::of([('\n', '\r'), ('\u{85}', '\u{85}'), ('\u{2028}', '\u{2029}')]);
        self.alternate(&[pair, Node::Set(single)])
    }

    fn repeat(&mut self, repeat: &Repeat) -> Result<(), TooLarge> {
        let (min, max) = (repeat.min, repeat.max);
        if repeat.greed == Greed::Possessive {
            return self.enclosed(&repeat.body, |next| Op::Possessive { min, max, next });
        }
        if (min, max) == (0, Some(1)) {
            return self.optional(repeat);
        }
        if self.unrolls {
            self.unrolled(repeat)
        } else {
            self.counted(repeat)
        }
    }

    fn optional(&mut self, repeat: &Repeat) -> Result<(), TooLarge> {
        let split = self.reserve()?;
        self.node(&repeat.body)?;
        let after = self.ops.len();
        self.fill(split, choice(repeat, split + 1, after));
        Ok(())
    }

    fn unrolled(&mut self, repeat: &Repeat) -> Result<(), TooLarge> {
        for _ in 0..repeat.min {
            let before = self.ops.len();
            self.node(&repeat.body)?;
            if self.ops.len() == before {
                // A body without instructions matches nothing, however often.
                return Ok(());
            }
        }
        let Some(max) = repeat.max else {
            let split = self.reserve()?;
            self.node(&repeat.body)?;
            self.push(Op::Jump(split))?;
            let after = self.ops.len();
            self.fill(split, choice(repeat, split + 1, after));
            return Ok(());
        };
        let mut splits = Vec::new();
        for _ in repeat.min..max {
            splits.push(self.reserve()?);
            self.node(&repeat.body)?;
        }
        let after = self.ops.len();
        for split in splits {
            self.fill(split, choice(repeat, split + 1, after));
        }
        Ok(())
    }

    fn counted(&mut self, repeat: &Repeat) -> Result<(), TooLarge> {
        let number = self.loops;
        self.loops += 1;
        self.push(Op::LoopStart(number))?;
        let step = self.reserve()?;
        self.node(&repeat.body)?;
        self.push(Op::Jump(step))?;
        let exit = self.ops.len();
        let reluctant = repeat.greed == Greed::Reluctant;
        let (min, max) = (repeat.min, repeat.max);
        self.fill(
            step,
            Op::LoopStep(LoopStep {
                number,
                min,
                max,
                reluctant,
                exit,
            }),
        );
        Ok(())
    }
}

fn choice(repeat: &Repeat, body: usize, after: usize) -> Op {
    match repeat.greed {
        Greed::Reluctant => Op::Split {
            first: after,
            second: body,
        },
        Greed::Greedy | Greed::Possessive => Op::Split {
            first: body,
            second: after,
        },
    }
}
