//! What starts with `\`.
//! Source: java.util.regex.Pattern, "Summary of regular-expression constructs".

use super::ast::{Assertion, BackReference, Node};
use super::charset::CharSet;
use super::cursor::Token;
use super::error::Fault;
use super::parse::Parser;
use super::predefined;

/// What an escape stands for.
pub(super) enum Escape {
    Char(char),
    Set(CharSet),
    Node(Node),
}

impl Parser {
    /// Reads an escape, the backslash included.
    pub(super) fn escape(&mut self, in_class: bool) -> Result<Escape, Fault> {
        let at = self.cursor.at();
        self.cursor.skip(1);
        let Some(token) = self.cursor.take() else {
            return Err(Fault::malformed(at, "`\\` has nothing to escape"));
        };
        if token.quoted {
            return Err(Fault::unsupported(at, "`\\` before `\\Q`"));
        }
        if matches!(token.ch, 'p' | 'P') {
            let set = self.property(at)?;
            return Ok(Escape::Set(if token.ch == 'P' { set.not() } else { set }));
        }
        if let Some(set) = predefined::by_letter(token.ch, self.flags) {
            return Ok(Escape::Set(set));
        }
        if let Some(c) = self.character(token)? {
            return Ok(Escape::Char(c));
        }
        if in_class {
            return Err(unknown(token));
        }
        self.condition(token).map(Escape::Node)
    }

    /// An escape that stands for one character.
    fn character(&mut self, token: Token) -> Result<Option<char>, Fault> {
        Ok(Some(match token.ch {
            't' => '\t',
            'n' => '\n',
            'r' => '\r',
            'f' => '\u{C}',
            'a' => '\u{7}',
            'e' => '\u{1B}',
            '0' => self.octal(token.at)?,
            'x' => self.hexadecimal(token.at)?,
            'u' => self.utf_16(token.at)?,
            'c' => self.control(token.at)?,
            'N' => return Err(Fault::unsupported(token.at, "`\\N{name}`")),
            c if c.is_ascii_alphanumeric() => return Ok(None),
            c => c,
        }))
    }

    fn condition(&mut self, token: Token) -> Result<Node, Fault> {
        let word = |negative| Assertion::WordBoundary {
            unicode: self.flags.unicode_classes,
            negative,
        };
        Ok(match token.ch {
            'A' => Node::Assert(Assertion::InputStart),
            // Where the match before ended: a whole match has none before it.
            'G' => Node::Assert(Assertion::InputStart),
            'z' => Node::Assert(Assertion::InputEnd),
            'Z' => Node::Assert(Assertion::FinalLineEnd(self.flags.line_ends())),
            'b' if self.cursor.looks_at("{") => {
                return Err(Fault::unsupported(token.at, "`\\b{g}`"));
            }
            'b' => Node::Assert(word(false)),
            'B' => Node::Assert(word(true)),
            'R' => Node::LineEnding,
            'X' => return Err(Fault::unsupported(token.at, "`\\X`, a grapheme cluster,")),
            'k' => self.named_reference(token.at)?,
            '1'..='9' => self.numbered_reference(token)?,
            _ => return Err(unknown(token)),
        })
    }

    fn named_reference(&mut self, at: usize) -> Result<Node, Fault> {
        if !self.cursor.take_if('<') {
            return Err(Fault::malformed(at, "`\\k` is not followed by `<`"));
        }
        let name = self.group_name()?;
        match self.names.get(&name) {
            Some(group) => Ok(self.reference(*group)),
            None => Err(Fault::malformed(
                at,
                format!("there is no group `{name}` before this"),
            )),
        }
    }

    /// Takes as many digits as name a group that has been opened.
    fn numbered_reference(&mut self, first: Token) -> Result<Node, Fault> {
        let mut group = first.ch.to_digit(10).unwrap_or(0) as usize;
        while let Some(token) = self.peek()?.filter(|t| !t.quoted) {
            let Some(digit) = token.ch.to_digit(10) else {
                break;
            };
            let longer = group * 10 + digit as usize;
            if longer > self.groups {
                break;
            }
            group = longer;
            self.cursor.skip(1);
        }
        Ok(self.reference(group))
    }

    fn reference(&self, group: usize) -> Node {
        Node::BackReference(BackReference {
            group,
            case: self.flags.case(),
        })
    }

    /// `\0n`, `\0nn` or `\0mnn` with m up to 3.
    fn octal(&mut self, at: usize) -> Result<char, Fault> {
        let Some(first) = self.digit(8) else {
            return Err(Fault::malformed(
                at,
                "`\\0` is not followed by an octal digit",
            ));
        };
        let Some(second) = self.digit(8) else {
            return character(at, first);
        };
        let third = if first <= 3 { self.digit(8) } else { None };
        let two = first * 8 + second;
        character(at, third.map_or(two, |third| two * 8 + third))
    }

    /// `\xhh` or `\x{h...h}`.
    fn hexadecimal(&mut self, at: usize) -> Result<char, Fault> {
        let braced = self.cursor.take_if('{');
        let mut code = 0_u32;
        let mut digits = 0;
        while let Some(digit) = if braced || digits < 2 {
            self.digit(16)
        } else {
            None
        } {
            code = code.saturating_mul(16).saturating_add(digit);
            digits += 1;
        }
        let complete = if braced {
            digits > 0 && self.cursor.take_if('}')
        } else {
            digits == 2
        };
        if !complete {
            return Err(Fault::malformed(
                at,
                "`\\x` is followed by two hexadecimal digits or `{h}`",
            ));
        }
        character(at, code)
    }

    /// `\uhhhh`, or two of them that make a surrogate pair.
    fn utf_16(&mut self, at: usize) -> Result<char, Fault> {
        let first = self.utf_16_unit(at)?;
        if !(0xD800..0xDC00).contains(&first) || !self.cursor.looks_at("\\u") {
            return character(at, first);
        }
        self.cursor.skip(2);
        let second = self.utf_16_unit(at)?;
        if !(0xDC00..0xE000).contains(&second) {
            return character(at, first);
        }
        character(at, 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00))
    }

    fn utf_16_unit(&mut self, at: usize) -> Result<u32, Fault> {
        (0..4).try_fold(0, |code, _| match self.digit(16) {
            Some(digit) => Ok(code * 16 + digit),
            None => Err(Fault::malformed(
                at,
                "`\\u` is followed by four hexadecimal digits",
            )),
        })
    }

    /// `\cX`: the character 64 away from X.
    fn control(&mut self, at: usize) -> Result<char, Fault> {
        match self.cursor.take() {
            Some(t) if !t.quoted && t.ch.is_ascii_graphic() => character(at, u32::from(t.ch) ^ 64),
            Some(_) => Err(Fault::unsupported(at, "`\\c` before such a character")),
            None => Err(Fault::malformed(at, "`\\c` is not followed by a character")),
        }
    }

    fn digit(&mut self, radix: u32) -> Option<u32> {
        let digit = self
            .cursor
            .look()
            .filter(|t| !t.quoted)?
            .ch
            .to_digit(radix)?;
        self.cursor.skip(1);
        Some(digit)
    }
}

fn character(at: usize, code: u32) -> Result<char, Fault> {
    match char::from_u32(code) {
        Some(c) => Ok(c),
        None if code > 0x10_FFFF => Err(Fault::malformed(at, "the code is past U+10FFFF")),
        None => Err(Fault::unsupported(
            at,
            "a lone surrogate, which no UTF-8 name holds,",
        )),
    }
}

fn unknown(token: Token) -> Fault {
    Fault::malformed(
        token.at,
        format!("there is no escape `\\{}` here", token.ch),
    )
}
