//! Runs a program over a name by trying and going back, as Java does.

use std::collections::HashSet;

use super::ast::{Assertion, BackReference, Reach};
use super::case;
use super::limits::MATCH_STEPS_MAX;
use super::place::anchor_holds;
use super::program::{LoopStep, Op, Program};

/// The match took [`MATCH_STEPS_MAX`] steps.
#[derive(Debug)]
pub(super) struct OutOfSteps;

/// True if the program matches the whole name.
pub(super) fn matches(program: &Program, name: &[char]) -> Result<bool, OutOfSteps> {
    let registers = vec![UNSET; (program.groups + 1) * 3 + program.loops * 2];
    let mut machine = Machine {
        program,
        name,
        registers,
        trail: Vec::new(),
        steps: 0,
    };
    let end = machine.run(Thread { op: 0, at: 0 }, Some(name.len()))?;
    Ok(end.is_some())
}

/// A register without a value.
const UNSET: usize = usize::MAX;

struct Machine<'a> {
    program: &'a Program,
    name: &'a [char],
    /// Of each group where it opened, started and ended; of each loop its count and where its
    /// iteration started.
    registers: Vec<usize>,
    trail: Vec<Frame>,
    steps: u32,
}

/// The next instruction, and the place in the name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Thread {
    op: usize,
    at: usize,
}

/// What going back finds.
enum Frame {
    Choice(Thread),
    Restore { register: usize, value: usize },
}

enum Next {
    Go(Thread),
    Fail,
    Accept,
}

impl Machine<'_> {
    /// Runs to the next `Accept`, at `end` if one is asked for, and keeps that way. Says where it
    /// ended.
    fn run(&mut self, start: Thread, end: Option<usize>) -> Result<Option<usize>, OutOfSteps> {
        let base = self.trail.len();
        let mut failed = HashSet::new();
        let mut thread = start;
        loop {
            let next = match self.step(thread, &mut failed)? {
                Next::Accept if end.is_none_or(|end| end == thread.at) => {
                    self.keep(base);
                    return Ok(Some(thread.at));
                }
                Next::Accept | Next::Fail => self.go_back(base),
                Next::Go(next) => Some(next),
            };
            match next {
                Some(next) => thread = next,
                None => return Ok(None),
            }
        }
    }

    fn step(&mut self, t: Thread, failed: &mut HashSet<Thread>) -> Result<Next, OutOfSteps> {
        self.steps += 1;
        if self.steps > MATCH_STEPS_MAX {
            return Err(OutOfSteps);
        }
        let program = self.program;
        let Some(op) = program.ops.get(t.op) else {
            return Ok(Next::Fail);
        };
        let following = Thread {
            op: t.op + 1,
            at: t.at,
        };
        Ok(match op {
            Op::Set(set) => self.take(*set, t),
            Op::Split { first, second } => {
                if program.remembers && !failed.insert(t) {
                    return Ok(Next::Fail);
                }
                self.trail.push(Frame::Choice(Thread {
                    op: *second,
                    at: t.at,
                }));
                Next::Go(Thread {
                    op: *first,
                    at: t.at,
                })
            }
            Op::Jump(op) => Next::Go(Thread { op: *op, at: t.at }),
            Op::OpenGroup(group) => {
                self.set(group * 3, t.at);
                Next::Go(following)
            }
            Op::CloseGroup(group) => {
                self.set(group * 3 + 1, self.get(group * 3));
                self.set(group * 3 + 2, t.at);
                Next::Go(following)
            }
            Op::Assert(assertion) => go_if(self.holds(*assertion, t.at), following),
            Op::BackReference(reference) => self.again(*reference, t),
            Op::Look {
                behind,
                negative,
                next,
            } => {
                let found = self.looks(*behind, following)?;
                go_if(
                    found != *negative,
                    Thread {
                        op: *next,
                        at: t.at,
                    },
                )
            }
            Op::Atomic { next } => match self.run(following, None)? {
                Some(at) => Next::Go(Thread { op: *next, at }),
                None => Next::Fail,
            },
            Op::Possessive { min, max, next } => match self.possess(*min, *max, following)? {
                Some(at) => Next::Go(Thread { op: *next, at }),
                None => Next::Fail,
            },
            Op::LoopStart(number) => {
                self.set(self.count_of(*number), 0);
                self.set(self.count_of(*number) + 1, UNSET);
                Next::Go(following)
            }
            Op::LoopStep(step) => Next::Go(self.loop_step(*step, following)),
            Op::Accept => Next::Accept,
        })
    }

    fn take(&self, set: usize, t: Thread) -> Next {
        let c = self.name.get(t.at);
        let taken = c
            .zip(self.program.sets.get(set))
            .is_some_and(|(c, set)| set.contains(*c));
        go_if(
            taken,
            Thread {
                op: t.op + 1,
                at: t.at + 1,
            },
        )
    }

    fn holds(&self, assertion: Assertion, at: usize) -> bool {
        let Assertion::WordBoundary { unicode, negative } = assertion else {
            return anchor_holds(assertion, self.name, at);
        };
        let words = if unicode {
            &self.program.unicode_words
        } else {
            &self.program.words
        };
        words
            .as_ref()
            .is_some_and(|words| words.is_boundary(self.name, at) != negative)
    }

    /// A group that has no text yet, or that there is not, fails.
    fn again(&self, reference: BackReference, t: Thread) -> Next {
        if reference.group > self.program.groups {
            return Next::Fail;
        }
        let (start, end) = (
            self.get(reference.group * 3 + 1),
            self.get(reference.group * 3 + 2),
        );
        let Some(text) = self.name.get(start..end) else {
            return Next::Fail;
        };
        let after = t.at + text.len();
        let Some(here) = self.name.get(t.at..after) else {
            return Next::Fail;
        };
        let same = text
            .iter()
            .zip(here)
            .all(|(a, b)| case::same(*a, *b, reference.case));
        go_if(
            same,
            Thread {
                op: t.op + 1,
                at: after,
            },
        )
    }

    fn looks(&mut self, behind: Option<Reach>, body: Thread) -> Result<bool, OutOfSteps> {
        let Some(reach) = behind else {
            return Ok(self.run(body, None)?.is_some());
        };
        for back in reach.min..=reach.max.min(body.at) {
            let start = Thread {
                op: body.op,
                at: body.at - back,
            };
            if self.run(start, Some(body.at))?.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn possess(
        &mut self,
        min: u32,
        max: Option<u32>,
        body: Thread,
    ) -> Result<Option<usize>, OutOfSteps> {
        let mut at = body.at;
        let mut count = 0;
        while max.is_none_or(|max| count < max) {
            match self.run(Thread { op: body.op, at }, None)? {
                None if count < min => return Ok(None),
                None => break,
                Some(end) if end == at && count >= min => break,
                Some(end) => at = end,
            }
            count += 1;
        }
        Ok(Some(at))
    }

    /// An iteration that took nothing is the last, whatever the count.
    fn loop_step(&mut self, step: LoopStep, body: Thread) -> Thread {
        let register = self.count_of(step.number);
        let count = self.get(register);
        let exit = Thread {
            op: step.exit,
            at: body.at,
        };
        if self.get(register + 1) == body.at {
            return exit;
        }
        if count < step.min as usize {
            self.iterate(register, count, body.at);
            return body;
        }
        if step.max.is_some_and(|max| count >= max as usize) {
            return exit;
        }
        if step.reluctant {
            // The iteration starts before the choice, so that coming back finds it started; after
            // the exit nothing reads these registers.
            self.iterate(register, count, body.at);
            self.trail.push(Frame::Choice(body));
            return exit;
        }
        self.trail.push(Frame::Choice(exit));
        self.iterate(register, count, body.at);
        body
    }

    fn iterate(&mut self, register: usize, count: usize, at: usize) {
        self.set(register, count + 1);
        self.set(register + 1, at);
    }

    fn count_of(&self, number: usize) -> usize {
        (self.program.groups + 1) * 3 + number * 2
    }

    fn get(&self, register: usize) -> usize {
        self.registers.get(register).copied().unwrap_or(UNSET)
    }

    fn set(&mut self, register: usize, value: usize) {
        if let Some(place) = self.registers.get_mut(register) {
            let old = std::mem::replace(place, value);
            self.trail.push(Frame::Restore {
                register,
                value: old,
            });
        }
    }

    /// Goes back to the last choice after `base`, if there is one.
    fn go_back(&mut self, base: usize) -> Option<Thread> {
        while self.trail.len() > base {
            match self.trail.pop()? {
                Frame::Choice(thread) => return Some(thread),
                Frame::Restore { register, value } => {
                    if let Some(place) = self.registers.get_mut(register) {
                        *place = value;
                    }
                }
            }
        }
        None
    }

    /// Drops the choices after `base`. What they would restore stays, for choices before.
    fn keep(&mut self, base: usize) {
        let mut kept = self.trail.split_off(base);
        kept.retain(|frame| matches!(frame, Frame::Restore { .. }));
        self.trail.append(&mut kept);
    }
}

fn go_if(condition: bool, thread: Thread) -> Next {
    if condition {
        Next::Go(thread)
    } else {
        Next::Fail
    }
}
