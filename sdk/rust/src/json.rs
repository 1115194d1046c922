//! Writing JSON text straight into a buffer.

/// Appends a JSON string with its quotes. Only what must be escaped is: the quote, the backslash
/// and the control characters, the latter by their short escapes where there are any and by
/// `\u00xx` in lower case otherwise. So a text has one form.
///
/// Source: RFC 8785, section 3.2.2.2
///
/// ```
/// let mut out = Vec::new();
/// acequia_guest::json::string(&mut out, "a\"b\n");
/// assert_eq!(out, br#""a\"b\n""#);
/// ```
pub fn string(out: &mut Vec<u8>, text: &str) {
    out.push(b'"');
    let mut rest = text.as_bytes();
    while let Some(place) = rest.iter().position(|&byte| needs_escape(byte)) {
        let (plain, tail) = rest.split_at(place);
        out.extend_from_slice(plain);
        if let Some((&byte, after)) = tail.split_first() {
            escape(out, byte);
            rest = after;
        }
    }
    out.extend_from_slice(rest);
    out.push(b'"');
}

/// Appends a JSON number.
pub fn integer(out: &mut Vec<u8>, number: i64) {
    use std::io::Write as _;
    // A vector takes every write.
    let _ = write!(out, "{number}");
}

/// Appends `true` or `false`.
pub fn boolean(out: &mut Vec<u8>, value: bool) {
    out.extend_from_slice(if value { b"true" } else { b"false" });
}

fn needs_escape(byte: u8) -> bool {
    byte < 0x20 || byte == b'"' || byte == b'\\'
}

fn escape(out: &mut Vec<u8>, byte: u8) {
    let short = match byte {
        b'"' | b'\\' => byte,
        0x08 => b'b',
        b'\t' => b't',
        b'\n' => b'n',
        0x0c => b'f',
        b'\r' => b'r',
        _ => {
            out.extend_from_slice(b"\\u00");
            out.push(hex(byte >> 4));
            out.push(hex(byte & 0x0f));
            return;
        }
    };
    out.extend_from_slice(&[b'\\', short]);
}

fn hex(nibble: u8) -> u8 {
    match nibble {
        0..=9 => b'0' + nibble,
        _ => b'a' + nibble - 10,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str) -> String {
        let mut out = Vec::new();
        string(&mut out, text);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn strings_are_escaped_as_rfc_8785_says() {
        assert_eq!(written(""), r#""""#);
        assert_eq!(written("plain é 水"), r#""plain é 水""#);
        assert_eq!(
            written("\u{20ac}$\u{0f}\nA'\u{42}\u{22}\u{5c}\\\"/"),
            r#""€$\u000f\nA'B\"\\\\\"/""#
        );
        assert_eq!(
            written("\u{8}\t\u{c}\r\u{1f}\u{7f}"),
            "\"\\b\\t\\f\\r\\u001f\u{7f}\""
        );
    }

    #[test]
    fn integers_keep_their_sign() {
        let mut out = Vec::new();
        integer(&mut out, i64::MIN);
        integer(&mut out, 0);
        assert_eq!(out, b"-92233720368547758080");
    }
}
