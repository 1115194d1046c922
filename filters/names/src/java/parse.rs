//! Alternatives, sequences and quantifiers; what is longer has a file of its own.

use std::collections::BTreeMap;

use super::ast::{Assertion, Greed, LineEnds, Node, Repeat};
use super::case;
use super::charset::CharSet;
use super::cursor::{Cursor, Token};
use super::error::Fault;
use super::escape::Escape;
use super::flags::Flags;
use super::limits::{NESTING_MAX, REPETITIONS_MAX};
use super::measure::{has_line_ending, measure};

/// A pattern as it was read.
#[derive(Debug)]
pub(super) struct Parsed {
    pub(super) node: Node,
    /// How many groups capture.
    pub(super) groups: usize,
}

pub(super) fn parse(pattern: &str) -> Result<Parsed, Fault> {
    let mut parser = Parser {
        cursor: Cursor::new(pattern)?,
        flags: Flags::default(),
        groups: 0,
        names: BTreeMap::new(),
        depth: 0,
        has_comments: false,
    };
    // Under the flag `x` Java leaves out white space even where it splits what belongs together.
    parser.whole().map_err(|f| {
        if parser.has_comments {
            f.into_refusal("the flag `x`")
        } else {
            f
        }
    })
}

pub(super) struct Parser {
    pub(super) cursor: Cursor,
    pub(super) flags: Flags,
    pub(super) groups: usize,
    pub(super) names: BTreeMap<String, usize>,
    depth: usize,
    /// True once the flag `x` was on.
    has_comments: bool,
}

impl Parser {
    fn whole(&mut self) -> Result<Parsed, Fault> {
        let node = self.alternatives()?;
        match self.peek()? {
            Some(token) => Err(Fault::malformed(token.at, "a `)` without its `(`")),
            None => Ok(Parsed {
                node,
                groups: self.groups,
            }),
        }
    }

    /// Reads up to a `)` or the end.
    pub(super) fn alternatives(&mut self) -> Result<Node, Fault> {
        self.enter()?;
        let mut alternatives = vec![self.sequence()?];
        while self.peek()?.is_some_and(|t| t.is('|')) {
            self.cursor.skip(1);
            alternatives.push(self.sequence()?);
        }
        self.leave();
        let only = if alternatives.len() == 1 {
            alternatives.pop()
        } else {
            None
        };
        Ok(only.unwrap_or(Node::Alternate(alternatives)))
    }

    pub(super) fn enter(&mut self) -> Result<(), Fault> {
        self.depth += 1;
        if self.depth > NESTING_MAX {
            let message = format!("groups are nested deeper than {NESTING_MAX}");
            return Err(Fault::too_large(self.cursor.at(), message));
        }
        Ok(())
    }

    pub(super) fn leave(&mut self) {
        self.depth -= 1;
    }

    /// The next token that counts: white space and comments do not under the flag `x`.
    pub(super) fn peek(&mut self) -> Result<Option<Token>, Fault> {
        if self.flags.comments {
            self.has_comments = true;
            self.cursor.skip_comments(self.flags.unix_lines)?;
        }
        Ok(self.cursor.look())
    }

    fn sequence(&mut self) -> Result<Node, Fault> {
        let mut parts = Vec::new();
        while let Some(token) = self.peek()? {
            if token.is('|') || token.is(')') {
                break;
            }
            if let Some(atom) = self.atom(token)? {
                parts.push(self.quantified(atom)?);
            }
        }
        let only = if parts.len() == 1 { parts.pop() } else { None };
        Ok(match only {
            Some(only) => only,
            None if parts.is_empty() => Node::Empty,
            None => Node::Concat(parts),
        })
    }

    /// One unit that a quantifier may follow; none for `(?i)` and the like.
    fn atom(&mut self, token: Token) -> Result<Option<Node>, Fault> {
        if token.quoted {
            self.cursor.skip(1);
            return self.literal(token.ch, token.at).map(Some);
        }
        match token.ch {
            '(' => return self.group(),
            '[' => {
                self.cursor.skip(1);
                return Ok(Some(Node::Set(self.class(token.at)?)));
            }
            '\\' => {
                return Ok(Some(match self.escape(false)? {
                    Escape::Char(c) => self.literal(c, token.at)?,
                    Escape::Set(set) => Node::Set(set),
                    Escape::Node(node) => node,
                }));
            }
            '{' => return self.repetition_of_nothing(token.at).map(Some),
            '*' | '+' | '?' => {
                let message = format!("`{}` has nothing to repeat", token.ch);
                return Err(Fault::malformed(token.at, message));
            }
            _ => {}
        }
        self.cursor.skip(1);
        Ok(Some(match token.ch {
            '^' => Node::Assert(self.caret()),
            '$' => Node::Assert(self.dollar()),
            '.' => Node::Set(self.dot()),
            c => self.literal(c, token.at)?,
        }))
    }

    fn literal(&self, c: char, at: usize) -> Result<Node, Fault> {
        let case = self.flags.case();
        if case::is_read_two_ways(c, case) {
            return Err(Fault::unsupported(
                at,
                format!("`{c}` outside a class under `(?iu)`"),
            ));
        }
        Ok(Node::Set(case::literal(c, case)))
    }

    fn caret(&self) -> Assertion {
        if self.flags.multiline {
            Assertion::LineStart(self.flags.line_ends())
        } else {
            Assertion::InputStart
        }
    }

    fn dollar(&self) -> Assertion {
        if self.flags.multiline {
            Assertion::LineEnd(self.flags.line_ends())
        } else {
            Assertion::FinalLineEnd(self.flags.line_ends())
        }
    }

    /// Source: java.util.regex.Pattern, "Line terminators".
    fn dot(&self) -> CharSet {
        if self.flags.dot_all {
            return CharSet::empty().not();
        }
        match self.flags.line_ends() {
            LineEnds::Unix => CharSet::one('\n').not(),
            LineEnds::All => CharSet::chars(['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}']).not(),
        }
    }

    fn repetition_of_nothing(&mut self, at: usize) -> Result<Node, Fault> {
        match self.cursor.look_ahead(1) {
            Some(digit) if !digit.quoted && digit.ch.is_ascii_digit() => {
                Err(Fault::unsupported(at, "a repetition of nothing"))
            }
            Some(_) | None => Err(Fault::malformed(at, "`{` is not followed by a count")),
        }
    }

    fn quantified(&mut self, atom: Node) -> Result<Node, Fault> {
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
    match atom {
        Node::LineEnding => true,
        Node::Group(_) | Node::Capture(..) if quantifier == '?' => false,
        other => measure(other).one_way && has_line_ending(other),
    }
}
