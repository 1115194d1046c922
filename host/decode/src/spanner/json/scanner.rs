//! One pass over a JSON text.

use std::borrow::Cow;

use super::strings::{plain_len, unescape};
use crate::Malformed;

/// Levels of arrays and objects in one text. Spanner itself nests at most 100.
///
/// Source: https://cloud.google.com/spanner/quotas, "JSON nesting depth".
pub(super) const JSON_DEPTH_MAX: u32 = 128;

/// Reads a text from its beginning to its end and checks its grammar on the way.
pub(crate) struct Scanner<'a> {
    text: &'a str,
    at: usize,
    depth: u32,
}

/// The name of a member: still escaped, and where it stands with its quotes.
#[derive(Clone, Copy)]
pub(crate) struct Name<'a> {
    /// The text between the quotes.
    escaped: &'a str,
    has_escapes: bool,
    /// Where the opening quote is.
    pub(crate) start: usize,
}

impl<'a> Name<'a> {
    /// The name itself.
    pub(crate) fn unescaped(&self) -> Result<Cow<'a, str>, Malformed> {
        if self.has_escapes {
            unescape(self.escaped)
                .map(Cow::Owned)
                .ok_or_else(|| Malformed::expected("a name in Unicode").offset(self.start))
        } else {
            Ok(Cow::Borrowed(self.escaped))
        }
    }
}

impl<'a> Scanner<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self {
            text,
            at: 0,
            depth: JSON_DEPTH_MAX,
        }
    }

    /// The first byte of what stands next, white space skipped; 0 at the end.
    pub(crate) fn peek(&mut self) -> u8 {
        while let Some(byte) = self.text.as_bytes().get(self.at) {
            match byte {
                b' ' | b'\t' | b'\n' | b'\r' => self.at += 1,
                byte => return *byte,
            }
        }
        0
    }

    /// Where the scanner stands in the text.
    pub(crate) fn position(&self) -> usize {
        self.at
    }

    /// Checks that nothing but white space is left.
    pub(crate) fn finish(&mut self) -> Result<(), Malformed> {
        match self.peek() {
            0 if self.at == self.text.len() => Ok(()),
            _ => Err(self.expected("the end of the JSON text")),
        }
    }

    /// Passes over one value and gives its text.
    pub(crate) fn value(&mut self) -> Result<&'a str, Malformed> {
        let first = self.peek();
        let start = self.at;
        match first {
            b'"' => self.quoted().map(|_| ())?,
            b'{' => self.object(|scanner, _| scanner.value().map(|_| ()))?,
            b'[' => self.array(|scanner, _| scanner.value().map(|_| ()))?,
            b't' => self.literal("true")?,
            b'f' => self.literal("false")?,
            b'n' => self.literal("null")?,
            b'-' | b'0'..=b'9' => self.number()?,
            _ => return Err(self.expected("a JSON value")),
        }
        Ok(self.text.get(start..self.at).unwrap_or_default())
    }

    /// Reads a string.
    pub(crate) fn string(&mut self) -> Result<Cow<'a, str>, Malformed> {
        self.name()?.unescaped()
    }

    /// Reads an object. For each member `each` is called with its name; it must read the value.
    pub(crate) fn object(
        &mut self,
        mut each: impl FnMut(&mut Self, Name<'a>) -> Result<(), Malformed>,
    ) -> Result<(), Malformed> {
        self.members(|scanner| {
            let name = scanner.member()?;
            each(scanner, name)
        })
    }

    /// Reads an object. For each member `each` is called; it must read the name and the value.
    #[inline]
    pub(crate) fn members(
        &mut self,
        mut each: impl FnMut(&mut Self) -> Result<(), Malformed>,
    ) -> Result<(), Malformed> {
        self.enter(b'{', "an object")?;
        if self.peek() != b'}' {
            loop {
                each(self)?;
                match self.peek() {
                    b',' => self.at += 1,
                    _ => break,
                }
            }
        }
        self.leave(b'}', "a comma or the end of the object")
    }

    /// Reads an array. For each element `each` is called with its index; it must read the element.
    pub(crate) fn array(
        &mut self,
        mut each: impl FnMut(&mut Self, usize) -> Result<(), Malformed>,
    ) -> Result<(), Malformed> {
        self.enter(b'[', "an array")?;
        if self.peek() != b']' {
            for index in 0.. {
                each(self, index)?;
                match self.peek() {
                    b',' => self.at += 1,
                    _ => break,
                }
            }
        }
        self.leave(b']', "a comma or the end of the array")
    }

    /// Passes over this text if it is what stands next, byte for byte.
    #[inline]
    pub(crate) fn take(&mut self, text: &[u8]) -> bool {
        let rest = self.text.as_bytes().get(self.at..);
        let is_next = rest.is_some_and(|rest| rest.starts_with(text));
        self.at += if is_next { text.len() } else { 0 };
        is_next
    }

    /// Reads the name of a member and the colon after it.
    pub(crate) fn member(&mut self) -> Result<Name<'a>, Malformed> {
        let name = self.name()?;
        self.byte(b':', "a colon")?;
        Ok(name)
    }

    /// Reads a string and leaves it escaped.
    fn name(&mut self) -> Result<Name<'a>, Malformed> {
        self.peek();
        let start = self.at;
        let has_escapes = self.quoted()?;
        let escaped = self.text.get(start + 1..self.at - 1).unwrap_or_default();
        Ok(Name {
            escaped,
            has_escapes,
            start,
        })
    }

    /// Passes over a string and says whether it has escapes.
    fn quoted(&mut self) -> Result<bool, Malformed> {
        self.byte(b'"', "a string")?;
        let mut has_escapes = false;
        let bytes = self.text.as_bytes();
        loop {
            self.at += plain_len(bytes.get(self.at..).unwrap_or_default());
            match bytes.get(self.at) {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(has_escapes);
                }
                Some(b'\\') => {
                    has_escapes = true;
                    self.escape()?;
                }
                _ => return Err(self.expected("the end of the string")),
            }
        }
    }

    /// Passes over one escape. Whether surrogates are paired matters to names only.
    fn escape(&mut self) -> Result<(), Malformed> {
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        match rest {
            [
                _,
                b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't',
                ..,
            ] => self.at += 2,
            [_, b'u', a, b, c, d, ..] if [a, b, c, d].iter().all(|hex| hex.is_ascii_hexdigit()) => {
                self.at += 6;
            }
            _ => return Err(self.expected("an escape")),
        }
        Ok(())
    }

    fn literal(&mut self, word: &str) -> Result<(), Malformed> {
        if !self.rest().starts_with(word) {
            return Err(self.expected("a JSON value"));
        }
        self.at += word.len();
        Ok(())
    }

    fn number(&mut self) -> Result<(), Malformed> {
        self.skip(b"-");
        if !self.skip(b"0") {
            self.digits()?;
        }
        if self.skip(b".") {
            self.digits()?;
        }
        if self.skip(b"eE") {
            self.skip(b"+-");
            self.digits()?;
        }
        Ok(())
    }

    fn digits(&mut self) -> Result<(), Malformed> {
        let digits = self.rest().bytes().take_while(u8::is_ascii_digit).count();
        self.at += digits;
        if digits == 0 {
            return Err(self.expected("a digit"));
        }
        Ok(())
    }

    /// Passes over one byte if it is one of these.
    fn skip(&mut self, any: &[u8]) -> bool {
        let next = self.text.as_bytes().get(self.at);
        let is_any = next.is_some_and(|next| any.contains(next));
        self.at += usize::from(is_any);
        is_any
    }

    fn byte(&mut self, byte: u8, expected: &'static str) -> Result<(), Malformed> {
        if self.peek() != byte {
            return Err(self.expected(expected));
        }
        self.at += 1;
        Ok(())
    }

    fn enter(&mut self, byte: u8, expected: &'static str) -> Result<(), Malformed> {
        self.byte(byte, expected)?;
        match self.depth.checked_sub(1) {
            Some(depth) => self.depth = depth,
            None => return Err(self.expected("at most 128 levels of JSON")),
        }
        Ok(())
    }

    fn leave(&mut self, byte: u8, expected: &'static str) -> Result<(), Malformed> {
        self.depth += 1;
        self.byte(byte, expected)
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn expected(&self, expected: &'static str) -> Malformed {
        Malformed::expected(expected).offset(self.at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accepts(text: &str) -> bool {
        let mut scanner = Scanner::new(text);
        let value = scanner.value();
        value.is_ok() && scanner.finish().is_ok()
    }

    #[test]
    fn what_a_json_parser_takes_is_taken_and_nothing_else() {
        let texts = [
            "0",
            "-0",
            "-0.0e+1",
            "1E5",
            "12.5",
            " [ ] ",
            "{}",
            "\"\"",
            "true",
            "[1, 2 ,3]",
            "{\"a\" : {\"b\":[null]}}",
            "\"\\u00e9\\n\\\"\"",
            "\"\\ud800\"",
            "\u{a0}1",
            "01",
            "1.",
            ".5",
            "-",
            "+1",
            "1e",
            "[1,]",
            "[,1]",
            "{\"a\"}",
            "{\"a\":1,}",
            "{a:1}",
            "'a'",
            "\"\t\"",
            "\"\\x\"",
            "\"\\u12g4\"",
            "\"open",
            "[",
            "{",
            "tru",
            "truex",
            "1 2",
            "",
            " ",
            "NaN",
            "\"\u{7f}\u{e9}\"",
            "\0",
        ];
        for text in texts {
            let expected = serde_json::from_str::<&serde_json::value::RawValue>(text).is_ok();
            assert_eq!(accepts(text), expected, "{text:?}");
        }
    }

    #[test]
    fn nesting_has_a_limit() {
        let nested = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
        assert!(accepts(&nested(128)));
        assert!(!accepts(&nested(129)));
        assert!(!accepts(&nested(1_000_000)));
    }
}
