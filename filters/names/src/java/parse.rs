//! Alternatives and sequences; what is longer has a file of its own.

use std::collections::BTreeMap;

use super::ast::{Assertion, LineEnds, Node};
use super::case;
use super::charset::CharSet;
use super::cursor::{Cursor, Token};
use super::error::Fault;
use super::escape::Escape;
use super::flags::Flags;
use super::limits::NESTING_MAX;

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
}
