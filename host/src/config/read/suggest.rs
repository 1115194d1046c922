//! What somebody may have meant.

use crate::config::option::OptionSpec;

/// What to say of a key that stands in no table.
pub(crate) fn unknown_option(key: &str, table: &[&OptionSpec]) -> String {
    let names = table
        .iter()
        .flat_map(|option| std::iter::once(&option.name).chain(option.aliases))
        .copied();
    let parent = table
        .iter()
        .find(|option| option.members.iter().any(|member| member.is_called(key)));
    match (nearest(key, names), parent) {
        (_, Some(parent)) => format!("unknown option here; it belongs into {}", parent.name),
        (Some(name), None) => format!("unknown option; did you mean {name}?"),
        (None, None) => {
            let known: Vec<_> = table.iter().map(|option| option.name).collect();
            format!("unknown option; known are {}", known.join(", "))
        }
    }
}

/// What to say of a word that is none of the words of a choice.
pub(crate) fn unknown_word(word: &str, known: &[&str]) -> String {
    match nearest(word, known.iter().copied()) {
        Some(name) => format!("unknown value {word:?}; did you mean {name}?"),
        None => format!("unknown value {word:?}; known are {}", known.join(", ")),
    }
}

/// The name that is nearest to `word`, if one is near enough to be a slip: a third of its letters.
/// Case, hyphens and underscores do not count.
fn nearest<'a>(word: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let folded = fold(word);
    names
        .map(|name| (strsim::damerau_levenshtein(&folded, &fold(name)), name))
        .filter(|(distance, name)| distance * 3 <= name.len())
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

fn fold(name: &str) -> String {
    name.chars()
        .filter(|c| !matches!(c, '-' | '_'))
        .flat_map(char::to_lowercase)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_a_letter_is_found() {
        let names = ["heartbeat-interval", "turn"];
        assert_eq!(
            nearest("hartbeat-interval", names.into_iter()),
            Some("heartbeat-interval")
        );
        assert_eq!(
            nearest("heartbeat_interval", names.into_iter()),
            Some("heartbeat-interval")
        );
    }

    #[test]
    fn a_different_word_is_not() {
        assert_eq!(nearest("compression", ["turn", "sink"].into_iter()), None);
    }
}
