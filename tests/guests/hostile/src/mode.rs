//! The rules that can be broken.

use acequia_guest::ConfigError;

/// How the guest behaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Every record gives one output: its id.
    Honest,
    /// `configure` refuses, with two errors.
    Refuse,
    /// `configure` misbehaves.
    Configure(Act),
    /// `deserialize` misbehaves.
    Call(Act),
    /// `deserialize` misbehaves if a record of the batch is marked.
    Poison(Act),
    /// `deserialize` answers, wrongly.
    Answer(Fault),
}

/// What a call does instead of answering.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Act {
    /// Traps.
    Trap,
    /// Does not return.
    Spin,
    /// Takes memory until it is stopped.
    Memory,
    /// Logs far more than anyone wants to read, and then answers honestly.
    LogFlood,
}

/// What is wrong with an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// One key less than outputs.
    KeysShort,
    /// One value more than outputs.
    ValuesLong,
    /// One topic more than outputs.
    TopicsLong,
    /// A column whose last end is past its bytes.
    EndsPast,
    /// A column with an end before the one ahead of it.
    EndsDecrease,
    /// An output of a record that is not in the batch.
    SourceRange,
    /// Outputs from the last record to the first. It takes a batch of two records.
    SourceDecreases,
    /// A failure of a record that is not in the batch.
    FailureRange,
    /// Every record gives an output and fails.
    Both,
    /// Keys that are not UTF-8. This keeps the rules: they must arrive as they are.
    ByteKeys,
    /// Values that are not UTF-8.
    BadUtf8Values,
    /// Every record fails with a message of more than a mebibyte. This keeps the rules; the host
    /// must cut the message.
    LongFailure,
}

const NAMES: [(&str, Mode); 22] = [
    ("honest", Mode::Honest),
    ("bad-configure", Mode::Refuse),
    ("trap-in-configure", Mode::Configure(Act::Trap)),
    ("spin-in-configure", Mode::Configure(Act::Spin)),
    ("trap", Mode::Call(Act::Trap)),
    ("spin", Mode::Call(Act::Spin)),
    ("memory", Mode::Call(Act::Memory)),
    ("log-flood", Mode::Call(Act::LogFlood)),
    ("poison-trap", Mode::Poison(Act::Trap)),
    ("poison-spin", Mode::Poison(Act::Spin)),
    ("keys-short", Mode::Answer(Fault::KeysShort)),
    ("values-long", Mode::Answer(Fault::ValuesLong)),
    ("topics-long", Mode::Answer(Fault::TopicsLong)),
    ("ends-past", Mode::Answer(Fault::EndsPast)),
    ("ends-decrease", Mode::Answer(Fault::EndsDecrease)),
    ("source-range", Mode::Answer(Fault::SourceRange)),
    ("source-decreases", Mode::Answer(Fault::SourceDecreases)),
    ("failure-range", Mode::Answer(Fault::FailureRange)),
    ("both", Mode::Answer(Fault::Both)),
    ("byte-keys", Mode::Answer(Fault::ByteKeys)),
    ("bad-utf8-values", Mode::Answer(Fault::BadUtf8Values)),
    ("long-failure", Mode::Answer(Fault::LongFailure)),
];

impl Mode {
    /// The member `mode` of a JSON object.
    pub(crate) fn parse(config: &str) -> Result<Self, Vec<ConfigError>> {
        let value: serde_json::Value = serde_json::from_str(config)
            .map_err(|error| vec![ConfigError::new("", error.to_string())])?;
        let name = match value.get("mode") {
            None => return Ok(Self::Honest),
            Some(name) => name.as_str().unwrap_or_default(),
        };
        NAMES
            .iter()
            .find_map(|&(known, mode)| (known == name).then_some(mode))
            .ok_or_else(|| vec![ConfigError::new("mode", "there is no such mode")])
    }
}
