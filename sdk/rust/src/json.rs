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
    loop {
        let (plain, tail) = rest.split_at(plain_len(rest));
        out.extend_from_slice(plain);
        let Some((&byte, after)) = tail.split_first() else {
            break;
        };
        escape(out, byte);
        rest = after;
    }
    out.push(b'"');
}

/// Appends a JSON number.
pub fn integer(out: &mut Vec<u8>, number: i64) {
    use std::io::Write as _;
    // Counts and indexes are mostly one digit, which needs no formatting.
    if let Ok(digit @ 0..=9) = u8::try_from(number) {
        return out.push(b'0' + digit);
    }
    // A vector takes every write.
    let _ = write!(out, "{number}");
}

/// Appends `true` or `false`.
pub fn boolean(out: &mut Vec<u8>, value: bool) {
    out.extend_from_slice(if value { b"true" } else { b"false" });
}

/// How many bytes at the beginning need no escape. Eight are looked at together.
fn plain_len(text: &[u8]) -> usize {
    let mut words = text.chunks_exact(8);
    let mut plain = 0;
    for word in &mut words {
        let word = word.try_into().map_or(0, u64::from_le_bytes);
        if may_need_escape(word) {
            break;
        }
        plain += 8;
    }
    let rest = text.get(plain..).unwrap_or_default();
    let place = rest.iter().position(|&byte| needs_escape(byte));
    plain + place.unwrap_or(rest.len())
}

/// Whether one of eight bytes needs an escape; it may say so where none does, if a byte is not ASCII.
fn may_need_escape(word: u64) -> bool {
    const ONES: u64 = u64::from_le_bytes([1; 8]);
    const HIGH: u64 = u64::from_le_bytes([0x80; 8]);
    let quote = word ^ (ONES * 0x22);
    let backslash = word ^ (ONES * 0x5c);
    let below = |word: u64, than: u64| word.wrapping_sub(ONES * than) & !word;
    (below(quote, 1) | below(backslash, 1) | below(word, 0x20)) & HIGH != 0
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
    fn every_byte_at_every_place_is_escaped_or_copied() {
        for special in [
            '"', '\\', '\n', '\u{1f}', ' ', '!', '#', '[', '\u{7f}', 'é', '水',
        ] {
            for place in 0..20 {
                let mut text = "a".repeat(20);
                text.insert(place, special);
                let read: String = serde_json::from_str(&written(&text)).unwrap();
                assert_eq!(read, text, "{special:?} at {place}");
            }
        }
    }

    #[test]
    fn integers_keep_their_sign() {
        let mut out = Vec::new();
        for number in [i64::MIN, 0, 9, 10, -1] {
            integer(&mut out, number);
        }
        assert_eq!(out, b"-92233720368547758080910-1");
    }
}
