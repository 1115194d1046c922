//! Tokens for people: short, and different where the tokens are.

use sha2::{Digest, Sha256};

/// Characters of a token that are shown as they are.
const PLAIN_CHARS_MAX: usize = 24;

/// The token where it is short; otherwise its beginning and a part of its digest, since tokens of
/// one stream often begin alike. The root query has no token and is called so.
pub(crate) fn short(token: &str) -> String {
    if token.is_empty() {
        return "root".to_owned();
    }
    if token.chars().count() <= PLAIN_CHARS_MAX {
        return token.to_owned();
    }
    let beginning: String = token.chars().take(PLAIN_CHARS_MAX / 2).collect();
    let digest = Sha256::digest(token.as_bytes());
    let digest: String = digest
        .iter()
        .take(4)
        .map(|byte| format!("{byte:02x}"))
        .collect();
    format!("{beginning}…{digest}")
}

#[cfg(test)]
mod tests {
    use super::short;

    #[test]
    fn a_short_token_stays_and_long_ones_differ_where_they_differ() {
        assert_eq!(short(""), "root");
        assert_eq!(short("__8BAYE"), "__8BAYE");
        let (one, other) = (
            format!("{}1", "a".repeat(200)),
            format!("{}2", "a".repeat(200)),
        );
        assert_ne!(short(&one), short(&other));
        assert!(short(&one).chars().count() <= 24);
    }
}
