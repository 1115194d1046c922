//! What somebody may have meant.

use crate::config::option::OptionSpec;

/// What to say of a key that stands in no table.
pub(crate) fn unknown_option(key: &str, table: &[&OptionSpec]) -> String {
    let table: Vec<_> = table.iter().filter(|option| !option.is_refused()).collect();
    let parent = table
        .iter()
        .find(|option| option.members.iter().any(|member| member.is_called(key)));
    if let Some(parent) = parent {
        return format!("unknown option here; it belongs in {}", parent.name);
    }
    let spellings = table.iter().flat_map(|option| {
        let spelled = std::iter::once(&option.name).chain(option.aliases);
        spelled.map(|spelled| (option.name, *spelled))
    });
    match nearest(key, spellings) {
        Some(name) => format!("unknown option; did you mean {name}?"),
        None => {
            let known: Vec<_> = table.iter().map(|option| option.name).collect();
            format!("unknown option; known are {}", known.join(", "))
        }
    }
}

/// What to say of a word that is none of the words of a choice.
pub(crate) fn unknown_word(word: &str, known: &[&str]) -> String {
    match nearest(word, known.iter().map(|known| (*known, *known))) {
        Some(name) => format!("unknown value {word:?}; did you mean {name}?"),
        None => format!("unknown value {word:?}; known are {}", known.join(", ")),
    }
}

/// The name with the spelling that is nearest to `word`, if one is near enough to be a slip: a third
/// of its letters differ, or its end is missing. Case, hyphens and underscores do not count. Of two
/// names that are as near, neither is a guess worth making.
fn nearest<'a>(word: &str, spellings: impl Iterator<Item = (&'a str, &'a str)>) -> Option<&'a str> {
    let word = fold(word);
    let near: Vec<_> = spellings
        .map(|(name, spelling)| (distance(&word, &fold(spelling)), name))
        .filter(|(distance, name)| distance * 3 <= name.len())
        .collect();
    let least = near.iter().map(|(distance, _)| *distance).min()?;
    let mut nearest = near
        .iter()
        .filter(|(distance, _)| *distance == least)
        .map(|(_, name)| *name);
    let name = nearest.next()?;
    nearest.all(|other| other == name).then_some(name)
}

/// The letters that differ, or one where only the end is missing.
fn distance(word: &str, spelling: &str) -> usize {
    const BEGINNING_MIN: usize = 5;
    let distance = strsim::damerau_levenshtein(word, spelling);
    if word.len() >= BEGINNING_MIN && spelling.starts_with(word) {
        distance.min(1)
    } else {
        distance
    }
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

    fn among<'a>(word: &str, names: &[&'a str]) -> Option<&'a str> {
        nearest(word, names.iter().map(|name| (*name, *name)))
    }

    #[test]
    fn a_slip_of_a_letter_is_found() {
        let names = ["heartbeat-interval", "turn"];
        assert_eq!(among("hartbeat-interval", &names), Some(names[0]));
        assert_eq!(among("heartbeat_interval", &names), Some(names[0]));
    }

    #[test]
    fn a_beginning_is_found() {
        let names = ["replicas", "auto-failover-disabled"];
        assert_eq!(among("auto-failover", &names), Some(names[1]));
        assert_eq!(among("auto", &names), None);
    }

    #[test]
    fn two_spellings_of_one_name_are_one_guess() {
        let spellings = [("heartbeat-interval", "heartbeat-interval")]
            .into_iter()
            .chain([("heartbeat-interval", "heartbeatInterval")]);
        assert_eq!(
            nearest("heartbeatinterva", spellings),
            Some("heartbeat-interval")
        );
    }

    #[test]
    fn a_beginning_of_two_names_is_no_guess() {
        assert_eq!(among("resume", &["resume-or-new", "resume-or-fail"]), None);
    }

    #[test]
    fn a_different_word_is_no_guess() {
        assert_eq!(among("compression", &["turn", "sink"]), None);
    }
}
