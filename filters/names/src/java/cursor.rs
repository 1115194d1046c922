//! The pattern as a row of characters, with what stands between `\Q` and `\E` marked as quoted.

use super::error::Fault;

/// One character of a pattern.
#[derive(Debug, Clone, Copy)]
pub(super) struct Token {
    pub(super) ch: char,
    /// Its place in the pattern, in characters from 0.
    pub(super) at: usize,
    /// True between `\Q` and `\E`: it stands for itself.
    pub(super) quoted: bool,
}

impl Token {
    /// True if this is the syntax character `ch`.
    pub(super) fn is(self, ch: char) -> bool {
        !self.quoted && self.ch == ch
    }
}

/// Where a parser stands.
#[derive(Debug)]
pub(super) struct Cursor {
    tokens: Vec<Token>,
    next: usize,
    length: usize,
}

impl Cursor {
    pub(super) fn new(pattern: &str) -> Result<Self, Fault> {
        let chars: Vec<char> = pattern.chars().collect();
        let tokens = unquote(&chars);
        match tokens.iter().find(|t| t.ch == '\0') {
            // Java ends a pattern in its own ways at a NUL.
            Some(nul) => Err(Fault::unsupported(
                nul.at,
                "a NUL character (write `\\x00`)",
            )),
            None => Ok(Self {
                tokens,
                next: 0,
                length: chars.len(),
            }),
        }
    }

    /// The token that comes next, white space and comments too.
    pub(super) fn look(&self) -> Option<Token> {
        self.look_ahead(0)
    }

    /// The token `n` places after the next.
    pub(super) fn look_ahead(&self, n: usize) -> Option<Token> {
        self.tokens.get(self.next + n).copied()
    }

    pub(super) fn take(&mut self) -> Option<Token> {
        let token = self.look();
        self.next += usize::from(token.is_some());
        token
    }

    /// Takes the next token if it is the syntax character `ch`.
    pub(super) fn take_if(&mut self, ch: char) -> bool {
        let found = self.look().is_some_and(|t| t.is(ch));
        self.next += usize::from(found);
        found
    }

    /// True if the syntax characters of `text` come next.
    pub(super) fn looks_at(&self, text: &str) -> bool {
        text.chars()
            .enumerate()
            .all(|(n, ch)| self.look_ahead(n).is_some_and(|t| t.is(ch)))
    }

    pub(super) fn skip(&mut self, n: usize) {
        self.next = (self.next + n).min(self.tokens.len());
    }

    /// The place of the next token, or the end of the pattern.
    pub(super) fn at(&self) -> usize {
        self.look().map_or(self.length, |t| t.at)
    }

    /// Leaves out white space and comments: the flag `x`.
    pub(super) fn skip_comments(&mut self, unix_lines: bool) -> Result<(), Fault> {
        while let Some(token) = self.look().filter(|t| !t.quoted) {
            if is_space(token.ch) {
                self.next += 1;
            } else if token.ch == '#' {
                self.skip_comment(unix_lines)?;
            } else {
                break;
            }
        }
        Ok(())
    }

    fn skip_comment(&mut self, unix_lines: bool) -> Result<(), Fault> {
        while let Some(token) = self.take() {
            if token.quoted {
                // Java unquotes first, and what it adds then ends or lengthens the comment.
                return Err(Fault::unsupported(token.at, "`\\Q` in a comment"));
            }
            if matches!(token.ch, '\u{85}' | '\u{2028}' | '\u{2029}') {
                return Err(Fault::unsupported(token.at, "such a line end in a comment"));
            }
            if token.ch == '\n' || (token.ch == '\r' && !unix_lines) {
                break;
            }
        }
        Ok(())
    }
}

/// White space that the flag `x` leaves out.
/// Source: java.util.regex.Pattern, "Predefined character classes", `\s`.
pub(super) fn is_space(ch: char) -> bool {
    matches!(ch, ' ' | '\t' | '\n' | '\u{B}' | '\u{C}' | '\r')
}

fn unquote(chars: &[char]) -> Vec<Token> {
    let mut tokens = Vec::with_capacity(chars.len());
    let mut quoted = false;
    let mut at = 0;
    while let Some(&ch) = chars.get(at) {
        let following = chars.get(at + 1).copied().filter(|_| ch == '\\');
        match (quoted, following) {
            (false, Some('Q')) | (true, Some('E')) => {
                quoted = !quoted;
                at += 2;
            }
            // An escaped backslash does not start a quotation.
            (false, Some(escaped)) => {
                tokens.push(Token { ch, at, quoted });
                tokens.push(Token {
                    ch: escaped,
                    at: at + 1,
                    quoted,
                });
                at += 2;
            }
            (true, _) | (false, None) => {
                tokens.push(Token { ch, at, quoted });
                at += 1;
            }
        }
    }
    tokens
}
