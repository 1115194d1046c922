//! What an option is: the one table that reading, suggestions, documents and schemas are made from.

use super::Kind;

/// One option of a section.
#[derive(Debug)]
pub struct OptionSpec {
    /// Its name, kebab-case.
    pub name: &'static str,
    /// Other names that mean the same, such as the ones of a builder API.
    pub aliases: &'static [&'static str],
    /// What its value looks like.
    pub value: &'static str,
    /// What leaving it out means.
    pub presence: Presence,
    /// What it does, and its rule.
    pub doc: &'static str,
    /// The options inside it, where it is (or may be) a mapping.
    pub members: &'static [&'static OptionSpec],
    /// What its value may be, for machines, where `value` is not enough.
    pub kind: Option<Kind>,
    /// The options beside it that cannot be given together with it. Told at this one.
    pub not_with: &'static [&'static str],
}

/// What leaving an option out means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Presence {
    /// It cannot be left out.
    Required,
    /// It has this value, in YAML.
    Default(&'static str),
    /// What is done without it, in words.
    Optional(&'static str),
    /// It cannot be given, for this reason. It stands in the table so that whoever knows it from
    /// elsewhere is told, and is in no document and no schema.
    Refused(&'static str),
}

impl OptionSpec {
    /// An option without other names and without members.
    pub(super) const fn new(
        name: &'static str,
        value: &'static str,
        presence: Presence,
        doc: &'static str,
    ) -> Self {
        Self {
            name,
            aliases: &[],
            value,
            presence,
            doc,
            members: &[],
            kind: None,
            not_with: &[],
        }
    }

    /// An option that cannot be given.
    pub(super) const fn refused(name: &'static str, reason: &'static str) -> Self {
        let presence = Presence::Refused(reason);
        Self::new(name, "nothing", presence, reason).of_kind(Kind::Anything)
    }

    /// The same with other names.
    pub(super) const fn or_called(mut self, aliases: &'static [&'static str]) -> Self {
        self.aliases = aliases;
        self
    }

    /// The same with members.
    pub(super) const fn with_members(mut self, members: &'static [&'static OptionSpec]) -> Self {
        self.members = members;
        self
    }

    /// The same with a kind that its words do not tell.
    pub(super) const fn of_kind(mut self, kind: Kind) -> Self {
        self.kind = Some(kind);
        self
    }

    /// The same with options that it excludes.
    pub(super) const fn not_with(mut self, options: &'static [&'static str]) -> Self {
        self.not_with = options;
        self
    }

    /// The same, told in other words: what it does in one section.
    pub(super) const fn doing(mut self, doc: &'static str) -> Self {
        self.doc = doc;
        self
    }

    /// The same with another meaning of leaving it out.
    pub(super) const fn left_out(mut self, presence: Presence) -> Self {
        self.presence = presence;
        self
    }

    /// What its value may be.
    #[must_use]
    pub fn kind(&self) -> Option<Kind> {
        self.kind.or_else(|| Kind::of_words(self.value))
    }

    /// Whether it cannot be given.
    #[must_use]
    pub fn is_refused(&self) -> bool {
        matches!(self.presence, Presence::Refused(_))
    }

    /// Whether `key` is its name or one of its other names.
    pub(super) fn is_called(&self, key: &str) -> bool {
        self.name == key || self.aliases.contains(&key)
    }
}
