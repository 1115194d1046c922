//! What stands between `[` and `]`.
//!
//! Java joins what stands side by side, and `&&` binds less than that. The complement of `[^...]`
//! is taken of the whole. A side of `&&` that starts without `[` goes on to the end of the class.
//! Source: java.util.regex.Pattern, "Character classes", and JDK 9's release note on `&&` and `^`.

use super::case;
use super::charset::CharSet;
use super::cursor::{Token, is_space};
use super::error::Fault;
use super::escape::Escape;
use super::parse::Parser;

impl Parser {
    /// Reads a class whose `[`, at `at`, has been taken.
    pub(super) fn class(&mut self, at: usize) -> Result<CharSet, Fault> {
        let negative = self.cursor.take_if('^');
        let set = self.class_items(at)?;
        self.cursor.skip(1);
        Ok(if negative { set.not() } else { set })
    }

    /// Reads up to the `]`, which it leaves.
    fn class_items(&mut self, at: usize) -> Result<CharSet, Fault> {
        self.enter()?;
        let mut set: Option<CharSet> = None;
        loop {
            let Some(token) = self.peek()? else {
                return Err(Fault::malformed(at, "the class has no `]`"));
            };
            let item = if token.is(']') && set.is_some() {
                break;
            } else if token.is('[') {
                self.cursor.skip(1);
                self.class(token.at)?
            } else if self.looks_at_intersection(token)? {
                let right = self.right_sides(token.at, at)?;
                set = Some(set.map_or(right.clone(), |left| left.and(&right)));
                self.expect_end_of_intersection()?;
                continue;
            } else {
                self.class_item()?
            };
            set = Some(set.map_or(item.clone(), |s| s.or(&item)));
        }
        self.leave();
        Ok(set.unwrap_or_else(CharSet::empty))
    }

    fn looks_at_intersection(&mut self, token: Token) -> Result<bool, Fault> {
        let spaced = self.flags.comments && self.cursor.look_ahead(1).is_some_and(is_left_out);
        if token.is('&') && spaced {
            return Err(Fault::unsupported(
                token.at,
                "`&` before white space in a class",
            ));
        }
        Ok(self.cursor.looks_at("&&"))
    }

    /// What stands on the right of `&&`, up to the `]` or the next `&`.
    fn right_sides(&mut self, at: usize, class_at: usize) -> Result<CharSet, Fault> {
        self.cursor.skip(2);
        let mut right: Option<CharSet> = None;
        while let Some(token) = self.peek()?.filter(|t| !t.is(']') && !t.is('&')) {
            let side = if token.is('[') {
                self.cursor.skip(1);
                self.class(token.at)?
            } else {
                self.class_items(class_at)?
            };
            right = Some(right.map_or(side.clone(), |r| r.or(&side)));
        }
        right.ok_or_else(|| Fault::unsupported(at, "`&&` with nothing on its right"))
    }

    /// Java mixes what follows into both sides.
    fn expect_end_of_intersection(&mut self) -> Result<(), Fault> {
        match self.peek()? {
            Some(t) if !t.is(']') && !self.looks_at_intersection(t)? => Err(Fault::unsupported(
                t.at,
                "a character after the end of `&&`",
            )),
            Some(_) | None => Ok(()),
        }
    }

    /// A character, a range, or a class by name.
    fn class_item(&mut self) -> Result<CharSet, Fault> {
        let at = self.cursor.at();
        let is_vertical = self.cursor.looks_at("\\v");
        let from = match self.class_char()? {
            Escape::Char(c) => c,
            // Java starts a range at `\v`, which it took for U+000B before; after any other class
            // the `-` is a character.
            Escape::Set(_) if is_vertical && self.cursor.looks_at("-") => {
                return Err(Fault::unsupported(at, "`-` after `\\v`"));
            }
            Escape::Set(set) => return Ok(set),
            Escape::Node(_) => return Err(Fault::malformed(at, "this cannot stand in a class")),
        };
        let case = self.flags.case();
        let is_range = self.peek()?.is_some_and(|t| t.is('-')) && self.starts_a_range_end()?;
        if !is_range {
            return Ok(case::literal(from, case));
        }
        self.cursor.skip(1);
        match self.class_char()? {
            Escape::Char(to) if from <= to => Ok(case::range(from, to, case)),
            Escape::Char(_) | Escape::Set(_) | Escape::Node(_) => {
                Err(Fault::malformed(at, "the range ends before it starts"))
            }
        }
    }

    /// False if a `-` before it is a character of its own.
    fn starts_a_range_end(&self) -> Result<bool, Fault> {
        match self.cursor.look_ahead(1) {
            Some(t) if self.flags.comments && is_left_out(t) => {
                Err(Fault::unsupported(t.at, "white space after `-` in a class"))
            }
            Some(t) => Ok(!t.is(']') && !t.is('[')),
            None => Ok(false),
        }
    }

    fn class_char(&mut self) -> Result<Escape, Fault> {
        match self.cursor.look() {
            Some(t) if t.is('\\') => self.escape(true),
            Some(t) => {
                self.cursor.skip(1);
                Ok(Escape::Char(t.ch))
            }
            None => Err(Fault::malformed(self.cursor.at(), "the class has no `]`")),
        }
    }
}

/// True for what the flag `x` leaves out.
fn is_left_out(token: Token) -> bool {
    !token.quoted && (is_space(token.ch) || token.ch == '#')
}
