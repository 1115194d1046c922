//! Texts that a component wrote for the operator.

/// Makes a component's text fit for one line: control characters become spaces, and what goes past
/// `bytes_max` is cut and marked.
pub(super) fn clip(text: &str, bytes_max: usize) -> String {
    let end = text.floor_char_boundary(bytes_max);
    let kept = text.get(..end).unwrap_or_default();
    let mut line: String = kept
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    if end < text.len() {
        line.push('…');
    }
    line
}

#[cfg(test)]
mod tests {
    use super::clip;

    #[test]
    fn a_long_text_is_cut_between_characters_and_marked() {
        assert_eq!(clip("aéz", 2), "a…");
        assert_eq!(clip("aéz", 3), "aé…");
        assert_eq!(clip("aéz", 4), "aéz");
    }

    #[test]
    fn a_text_of_several_lines_becomes_one() {
        assert_eq!(clip("a\nb\u{1b}[0m", 100), "a b [0m");
    }
}
