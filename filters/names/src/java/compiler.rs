//! How a pattern becomes instructions, with its counts unrolled or with counters.

use std::collections::BTreeMap;

use super::ast::{Greed, Node, Repeat};
use super::charset::CharSet;
use super::limits::UNROLLED_OPS_MAX;
use super::program::{LoopStep, Op};

/// The program is larger than [`UNROLLED_OPS_MAX`].
pub(super) struct TooLarge;

#[derive(Default)]
pub(super) struct Compiler {
    pub(super) ops: Vec<Op>,
    pub(super) sets: BTreeMap<CharSet, usize>,
    pub(super) loops: usize,
    unrolls: bool,
}

impl Compiler {
    pub(super) fn run(node: &Node, unrolls: bool) -> Result<Self, TooLarge> {
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
