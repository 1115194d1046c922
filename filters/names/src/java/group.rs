//! What starts with `(`.
//! Source: java.util.regex.Pattern, "Special constructs" and "Groups and capturing".

use super::ast::{Look, Node, Reach};
use super::error::Fault;
use super::limits::LOOK_BEHIND_MAX;
use super::measure::measure;
use super::parse::Parser;

impl Parser {
    /// Reads a group; none for `(?i)`, which is no group.
    pub(super) fn group(&mut self) -> Result<Option<Node>, Fault> {
        let at = self.cursor.at();
        self.cursor.skip(1);
        if !self.cursor.take_if('?') {
            return self.capture(at).map(Some);
        }
        let outer = self.flags;
        for (head, kind) in HEADS {
            if self.cursor.looks_at(head) {
                self.cursor.skip(head.chars().count());
                let node = self.headed(*kind, at)?;
                self.flags = outer;
                return Ok(Some(node));
            }
        }
        if self.cursor.take_if('<') {
            return self.named_capture(at).map(Some);
        }
        self.inline_flags()?;
        if self.cursor.take_if(')') {
            return Ok(None);
        }
        if !self.cursor.take_if(':') {
            return Err(Fault::malformed(
                self.cursor.at(),
                "an unknown kind of group or flag",
            ));
        }
        let body = self.body(at)?;
        self.flags = outer;
        Ok(Some(Node::Group(Box::new(body))))
    }

    fn capture(&mut self, at: usize) -> Result<Node, Fault> {
        let outer = self.flags;
        self.groups += 1;
        let number = self.groups;
        let body = self.body(at)?;
        self.flags = outer;
        Ok(Node::Capture(number, Box::new(body)))
    }

    fn named_capture(&mut self, at: usize) -> Result<Node, Fault> {
        let name = self.group_name()?;
        if self.names.insert(name.clone(), self.groups + 1).is_some() {
            return Err(Fault::malformed(
                at,
                format!("the group `{name}` is defined twice"),
            ));
        }
        self.capture(at)
    }

    /// A group's name and the `>` after it.
    pub(super) fn group_name(&mut self) -> Result<String, Fault> {
        let at = self.cursor.at();
        let mut name = String::new();
        while let Some(token) = self.cursor.look().filter(|t| !t.quoted) {
            if !token.ch.is_ascii_alphanumeric() {
                break;
            }
            name.push(token.ch);
            self.cursor.skip(1);
        }
        if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
            return Err(Fault::malformed(
                at,
                "a group's name starts with an ASCII letter",
            ));
        }
        if !self.cursor.take_if('>') {
            return Err(Fault::malformed(
                self.cursor.at(),
                "the name of the group has no `>`",
            ));
        }
        Ok(name)
    }

    fn headed(&mut self, kind: Kind, at: usize) -> Result<Node, Fault> {
        let body = self.body(at)?;
        let (negative, behind) = match kind {
            Kind::Plain => return Ok(Node::Group(Box::new(body))),
            Kind::Atomic => return Ok(Node::Atomic(Box::new(body))),
            Kind::Ahead { negative } => (negative, None),
            Kind::Behind { negative } => (negative, Some(reach(&body, at)?)),
        };
        Ok(Node::Look(Look {
            behind,
            negative,
            body: Box::new(body),
        }))
    }

    fn body(&mut self, at: usize) -> Result<Node, Fault> {
        let body = self.alternatives()?;
        if self.peek()?.is_some_and(|t| t.is(')')) {
            self.cursor.skip(1);
            return Ok(body);
        }
        Err(Fault::malformed(at, "the group has no `)`"))
    }

    fn inline_flags(&mut self) -> Result<(), Fault> {
        let mut on = true;
        while let Some(token) = self.cursor.look().filter(|t| !t.is(')') && !t.is(':')) {
            if token.quoted {
                return Err(Fault::unsupported(token.at, "`\\Q` in flags"));
            }
            if token.ch == '-' && on {
                on = false;
            } else if token.ch == 'c' {
                return Err(Fault::unsupported(
                    token.at,
                    "canonical equivalence, the flag `c`,",
                ));
            } else if !self.flags.set(token.ch, on) {
                return Err(Fault::malformed(
                    token.at,
                    "an unknown kind of group or flag",
                ));
            }
            self.cursor.skip(1);
        }
        Ok(())
    }
}

#[derive(Clone, Copy)]
enum Kind {
    Plain,
    Atomic,
    Ahead { negative: bool },
    Behind { negative: bool },
}

const HEADS: &[(&str, Kind)] = &[
    (":", Kind::Plain),
    (">", Kind::Atomic),
    ("=", Kind::Ahead { negative: false }),
    ("!", Kind::Ahead { negative: true }),
    ("<=", Kind::Behind { negative: false }),
    ("<!", Kind::Behind { negative: true }),
];

/// How far back a look-behind may have to start.
fn reach(body: &Node, at: usize) -> Result<Reach, Fault> {
    let length = measure(body);
    let Some(max) = length.max else {
        return Err(Fault::unsupported(
            at,
            "a look-behind without an obvious largest length",
        ));
    };
    if max > LOOK_BEHIND_MAX {
        let message = format!("the look-behind is longer than {LOOK_BEHIND_MAX} characters");
        return Err(Fault::too_large(at, message));
    }
    Ok(Reach {
        min: length.min as usize,
        max: max as usize,
    })
}
