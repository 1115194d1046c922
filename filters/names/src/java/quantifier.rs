//! What says how often.
//! Source: java.util.regex.Pattern, "Greedy quantifiers" and the two after it.

use super::ast::{Greed, Node, Repeat};
use super::error::Fault;
use super::limits::REPETITIONS_MAX;
use super::measure::{has_line_ending, measure};
use super::parse::Parser;

impl Parser {
    pub(super) fn repetition_of_nothing(&mut self, at: usize) -> Result<Node, Fault> {
        match self.cursor.look_ahead(1) {
            Some(digit) if !digit.quoted && digit.ch.is_ascii_digit() => {
                Err(Fault::unsupported(at, "a repetition of nothing"))
            }
            Some(_) | None => Err(Fault::malformed(at, "`{` is not followed by a count")),
        }
    }

    pub(super) fn quantified(&mut self, atom: Node) -> Result<Node, Fault> {
        let Some(token) = self.peek()?.filter(|t| !t.quoted) else {
            return Ok(atom);
        };
        let (min, max) = match token.ch {
            '?' => (0, Some(1)),
            '*' => (0, None),
            '+' => (1, None),
            '{' => self.counts(token.at)?,
            _ => return Ok(atom),
        };
        if token.ch != '{' {
            self.cursor.skip(1);
        }
        let greed = match self.peek()? {
            Some(t) if t.is('?') => Greed::Reluctant,
            Some(t) if t.is('+') => Greed::Possessive,
            Some(_) | None => Greed::Greedy,
        };
        if greed != Greed::Greedy {
            self.cursor.skip(1);
        }
        let body = if gives_nothing_back(&atom, token.ch) {
            Node::Atomic(Box::new(atom))
        } else {
            atom
        };
        let is_option = token.ch == '?';
        let body = Box::new(body);
        Ok(Node::Repeat(Repeat {
            body,
            min,
            max,
            greed,
            is_option,
        }))
    }

    /// `{n}`, `{n,}` or `{n,m}`.
    fn counts(&mut self, at: usize) -> Result<(u32, Option<u32>), Fault> {
        self.cursor.skip(1);
        let Some(min) = self.count()? else {
            return Err(Fault::malformed(at, "`{` is not followed by a count"));
        };
        let max = if self.cursor.take_if(',') {
            if self.cursor.look().is_some_and(|t| t.is('}')) {
                None
            } else {
                Some(self.count()?)
            }
        } else {
            Some(Some(min))
        };
        if !self.cursor.take_if('}') {
            return Err(Fault::malformed(self.cursor.at(), "the count has no `}`"));
        }
        match max {
            None => Ok((min, None)),
            Some(Some(max)) if max >= min => Ok((min, Some(max))),
            Some(_) => Err(Fault::malformed(
                at,
                "the largest count is less than the smallest",
            )),
        }
    }

    fn count(&mut self) -> Result<Option<u32>, Fault> {
        let at = self.cursor.at();
        let mut count = None;
        while let Some(token) = self.cursor.look().filter(|t| !t.quoted) {
            let Some(digit) = token.ch.to_digit(10) else {
                break;
            };
            self.cursor.skip(1);
            let next = count.unwrap_or(0) * 10 + digit;
            if next > REPETITIONS_MAX {
                let message = format!("a count is larger than {REPETITIONS_MAX}");
                return Err(Fault::too_large(at, message));
            }
            count = Some(next);
        }
        Ok(count)
    }
}

/// Java takes `\R` for a part with one way to match, and so does not go back into an iteration of it;
/// but a group under `?` is an alternative and no iteration.
fn gives_nothing_back(atom: &Node, quantifier: char) -> bool {
    let is_group = matches!(atom, Node::Group(_) | Node::Capture(..));
    let is_alternative = is_group && quantifier == '?';
    !is_alternative && has_line_ending(atom) && measure(atom).one_way
}
