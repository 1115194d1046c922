//! The answers of a names filter, kept by name and by name within it: a table and its columns, or a
//! family and its qualifiers.

use std::collections::BTreeMap;

/// Answers by name, bounded in number. One that would go past the bound first removes all others:
/// they are asked for again, which costs time and never a wrong answer.
pub(super) struct NamesKept {
    answers_max: usize,
    answers: usize,
    names: BTreeMap<String, Kept>,
}

#[derive(Default)]
struct Kept {
    itself: Option<bool>,
    within: BTreeMap<Vec<u8>, bool>,
}

impl NamesKept {
    pub(super) fn new(answers_max: usize) -> Self {
        Self {
            answers_max,
            answers: 0,
            names: BTreeMap::new(),
        }
    }

    pub(super) fn name(&self, name: &str) -> Option<bool> {
        self.names.get(name)?.itself
    }

    pub(super) fn within(&self, name: &str, within: &[u8]) -> Option<bool> {
        self.names.get(name)?.within.get(within).copied()
    }

    pub(super) fn keep_name(&mut self, name: &str, passes: bool) {
        if self.entry(name).itself.replace(passes).is_none() {
            self.answers += 1;
        }
    }

    pub(super) fn keep_within(&mut self, name: &str, within: &[u8], passes: bool) {
        if self
            .entry(name)
            .within
            .insert(within.to_owned(), passes)
            .is_none()
        {
            self.answers += 1;
        }
    }

    fn entry(&mut self, name: &str) -> &mut Kept {
        if self.answers >= self.answers_max {
            self.names.clear();
            self.answers = 0;
        }
        self.names.entry(name.to_owned()).or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::NamesKept;

    #[test]
    fn a_name_and_the_names_within_it_are_separate_answers() {
        let mut kept = NamesKept::new(10);
        kept.keep_within("t", b"c", false);
        assert_eq!(kept.name("t"), None);
        assert_eq!(kept.within("t", b"c"), Some(false));
        kept.keep_name("t", true);
        assert_eq!(kept.name("t"), Some(true));
        assert_eq!(kept.within("u", b"c"), None);
    }

    #[test]
    fn answers_past_the_bound_are_asked_for_again() {
        let mut kept = NamesKept::new(2);
        kept.keep_name("a", true);
        kept.keep_name("a", true);
        kept.keep_within("a", b"x", true);
        assert_eq!(kept.name("a"), Some(true));
        kept.keep_name("b", false);
        assert_eq!(kept.name("a"), None);
        assert_eq!(kept.within("a", b"x"), None);
        assert_eq!(kept.name("b"), Some(false));
    }
}
