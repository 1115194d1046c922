//! The insides of JSON strings.

/// How many bytes at the beginning end no string and escape nothing.
///
/// Most bytes of a change record stand in strings, so sixteen are looked at together, which compiles
/// to vector instructions, and then eight.
pub(super) fn plain_len(text: &[u8]) -> usize {
    let mut rest = text;
    while let Some((block, after)) = rest.split_first_chunk::<16>() {
        if block
            .iter()
            .fold(false, |any, byte| any | is_special(*byte))
        {
            break;
        }
        rest = after;
    }
    while let Some((word, after)) = rest.split_first_chunk::<8>() {
        let special = special(u64::from_le_bytes(*word));
        if special != 0 {
            let before = special.trailing_zeros() / u8::BITS;
            return text.len() - rest.len() + before as usize;
        }
        rest = after;
    }
    let before = rest.iter().position(|byte| is_special(*byte));
    text.len() - rest.len() + before.unwrap_or(rest.len())
}

fn is_special(byte: u8) -> bool {
    byte < 0x20 || byte == b'"' || byte == b'\\'
}

/// Sets the high bit of the lowest byte that is a quote, a backslash or a control character; higher
/// bytes may be set too.
fn special(word: u64) -> u64 {
    const ONES: u64 = u64::from_le_bytes([1; 8]);
    const HIGH: u64 = u64::from_le_bytes([0x80; 8]);
    const QUOTES: u64 = u64::from_le_bytes([b'"'; 8]);
    const BACKSLASHES: u64 = u64::from_le_bytes([b'\\'; 8]);
    const SPACES: u64 = u64::from_le_bytes([0x20; 8]);
    let zero_byte = |word: u64| word.wrapping_sub(ONES) & !word;
    let quote = zero_byte(word ^ QUOTES);
    let backslash = zero_byte(word ^ BACKSLASHES);
    let control = word.wrapping_sub(SPACES) & !word;
    (quote | backslash | control) & HIGH
}

/// The text that an escaped one stands for; none if a surrogate has no partner.
pub(super) fn unescape(escaped: &str) -> Option<String> {
    let mut text = String::with_capacity(escaped.len());
    let mut chars = escaped.chars();
    while let Some(char) = chars.next() {
        if char != '\\' {
            text.push(char);
            continue;
        }
        text.push(match chars.next()? {
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'u' => scalar(&mut chars)?,
            plain => plain,
        });
    }
    Some(text)
}

/// The character of a `\uXXXX` or of two that make a pair, after the first `\u`.
fn scalar(chars: &mut std::str::Chars<'_>) -> Option<char> {
    let high = unit(chars)?;
    if !(0xd800..0xdc00).contains(&high) {
        return char::from_u32(high);
    }
    if chars.next() != Some('\\') || chars.next() != Some('u') {
        return None;
    }
    let low = unit(chars)?;
    if !(0xdc00..0xe000).contains(&low) {
        return None;
    }
    char::from_u32(0x1_0000 + ((high - 0xd800) << 10) + (low - 0xdc00))
}

fn unit(chars: &mut std::str::Chars<'_>) -> Option<u32> {
    (0..4).try_fold(0, |unit, _| Some(unit * 16 + chars.next()?.to_digit(16)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_at_every_place_ends_a_plain_run_or_does_not() {
        for byte in 0..=u8::MAX {
            let is_special = is_special(byte);
            for place in 0..20 {
                for fill in [b'a', 0x7f, 0x80, 0xff, b'!', b'#', b'[', b']'] {
                    let mut text = [fill; 20];
                    text[place] = byte;
                    let expected = if is_special { place } else { 20 };
                    assert_eq!(plain_len(&text), expected, "{byte} at {place} in {fill}");
                }
            }
        }
    }

    #[test]
    fn surrogate_pairs_make_one_character() {
        assert_eq!(unescape(r"\ud83d\ude00").as_deref(), Some("\u{1f600}"));
        assert_eq!(unescape(r"a\u00e9\/\\\n").as_deref(), Some("a\u{e9}/\\\n"));
        for lone in [
            r"\ud83d",
            r"\ud83dx",
            r"\ud83d\n",
            r"\ude00",
            r"\ud83d\u0041",
        ] {
            assert_eq!(unescape(lone), None, "{lone}");
        }
    }
}
