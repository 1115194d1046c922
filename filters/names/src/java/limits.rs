//! The bounds of a pattern and of a match, each with its reason.

/// The longest pattern, in bytes. A list of names fits many times over; a longer text is a mistake.
pub const PATTERN_BYTES_MAX: usize = 8 * 1024;

/// The deepest nesting of groups and classes. Parsing and matching recurse once a level, and the
/// stack of a guest is small.
pub const NESTING_MAX: usize = 64;

/// The largest count in `{n,m}`. Names are short; a larger count is a mistake.
pub const REPETITIONS_MAX: u32 = 1000;

/// The farthest that a look-behind looks back, in characters.
pub const LOOK_BEHIND_MAX: u32 = 1000;

/// The most instructions that the counts of a pattern may be unrolled into. A pattern past it is
/// matched with counters, without the memory of places that failed.
pub const UNROLLED_OPS_MAX: usize = 4096;

/// The most steps of one match. A step takes some tens of nanoseconds, so a match ends within the
/// time a host gives a guest; running into it is an error and never an answer.
pub const MATCH_STEPS_MAX: u32 = 1_000_000;
