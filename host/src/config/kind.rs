//! What the value of an option may be, for machines.

/// A kind of value. Texts are told as people read them in [`OptionSpec::value`](super::OptionSpec);
/// this is the same for a schema.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// Whatever YAML holds: nothing reads it.
    Anything,
    /// A text.
    Text,
    /// A text that is not blank and has no white space around it.
    Name,
    /// A text that matches a regular expression of ECMA-262, which is anchored at both ends.
    Pattern(&'static str),
    /// One of these words.
    Words(&'static [&'static str]),
    /// Nothing: `null`.
    Null,
    /// `true` or `false`.
    Boolean,
    /// A whole number of 64 bits, which may be negative.
    Integer,
    /// A whole number in this range, both ends included.
    Count {
        /// The smallest.
        min: u64,
        /// The largest.
        max: u64,
    },
    /// A size of at least one byte: a number of bytes, or a text such as `12MiB`.
    Size,
    /// A duration such as `1h30m`.
    Duration,
    /// A duration that is longer than zero.
    PositiveDuration,
    /// An RFC 3339 instant with an offset.
    Instant,
    /// A list without elements.
    EmptyList,
    /// A list of so many values of one kind.
    List {
        /// The fewest.
        min: u64,
        /// The most.
        max: u64,
        /// What each is.
        of: &'static Kind,
    },
    /// A mapping of the option's members, at least so many of them.
    Members {
        /// The fewest.
        min: u64,
    },
    /// A mapping of the option's members; others are taken, too, with a warning.
    OpenMembers,
    /// A mapping with any members.
    Mapping,
    /// A mapping with names that match a regular expression of ECMA-262, which is anchored at both
    /// ends, each with a value of the kind.
    Named(&'static str, &'static Kind),
    /// A mapping with just these members, all of them.
    Exactly(&'static [(&'static str, Kind)]),
    /// A mapping in which at least this path of members leads to a value of the kind.
    Holding(&'static [&'static str], &'static Kind),
    /// A value of one of these kinds.
    Either(&'static [Kind]),
    /// One of the words, or a mapping with exactly one of the option's members.
    WordOrMember(&'static [&'static str]),
    /// One of the words, or a mapping with exactly one of these members.
    WordOr(&'static [&'static str], &'static [(&'static str, Kind)]),
    /// A component: the name of one of these built-in ones, or a mapping of the option's members
    /// with its place.
    Component(&'static [&'static str]),
}

impl Kind {
    /// What `words` say of a value, where they are enough: the kinds that many options share.
    pub(super) fn of_words(words: &str) -> Option<Self> {
        Some(match words {
            "true or false" => Self::Boolean,
            "a number" => Self::Count {
                min: 1,
                max: u64::MAX,
            },
            "a size" => Self::Size,
            "a duration" => Self::Duration,
            "an instant" => Self::Instant,
            "a name" | "a path" | "a version" => Self::Name,
            "a mapping" => Self::Members { min: 0 },
            "a list of Java regular expressions" => Self::List {
                min: 0,
                max: u64::MAX,
                of: &Self::Text,
            },
            _ => return None,
        })
    }
}
