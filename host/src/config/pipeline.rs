//! How records go through the guests, and within which limits.

use std::num::NonZeroUsize;
use std::time::Duration;

use super::Kind;
use super::option::{OptionSpec, Presence};
use super::read::{
    Field, Read, Report, Section, UnknownKeys, count, duration, positive_duration, size, word,
};

/// The way of a record from the decoder to the sink. Reaching a limit slows reading down; nothing
/// is dropped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pipeline {
    /// A batch is closed at this many records. Default: 128. A call into a guest costs some
    /// microseconds, so fewer are slow; more gain nothing.
    pub batch_records_max: NonZeroUsize,
    /// A batch is closed at this many bytes. Default: 256 KiB. One record larger than it passes
    /// alone.
    pub batch_bytes_max: NonZeroUsize,
    /// An open batch is closed after this long. Default: 5 ms. Zero closes it when the source has
    /// nothing more at hand.
    pub linger: Duration,
    /// What becomes of a record that a guest fails on. Default: [`OnFailure::Fail`].
    pub on_failure: OnFailure,
    /// A call into a guest is stopped after this long. Default: 5 s.
    pub guest_timeout: Duration,
    /// The linear memory that one guest may have. Default: 256 MiB.
    pub guest_memory_bytes_max: NonZeroUsize,
    /// The records between the source and a durable sink, over all partitions. Default: 8192.
    pub records_in_flight_max: NonZeroUsize,
    /// The bytes between the source and a durable sink, over all partitions. Default: 16 MiB. One
    /// record larger than it passes alone.
    pub bytes_in_flight_max: NonZeroUsize,
}

/// What becomes of a record that could not be decoded or turned into outputs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnFailure {
    /// The run stops.
    Fail,
    /// It is counted, logged without its values, and left out.
    Skip,
    /// It is written to the dead-letter file of the sink.
    DeadLetter,
}

pub(super) const PIPELINE: OptionSpec = OptionSpec::new(
    "pipeline",
    "a mapping",
    Presence::Default("{}"),
    "How records go through the guests, and within which limits.",
)
.with_members(&[
    &BATCH_RECORDS_MAX,
    &BATCH_BYTES_MAX,
    &LINGER,
    &ON_FAILURE,
    &GUEST_TIMEOUT,
    &GUEST_MEMORY_BYTES_MAX,
    &RECORDS_IN_FLIGHT_MAX,
    &BYTES_IN_FLIGHT_MAX,
]);

const BATCH_RECORDS_MAX: OptionSpec = OptionSpec::new(
    "batch-records-max",
    "a number",
    Presence::Default("128"),
    "A batch is closed at this many records. Not above records-in-flight-max.",
);

const BATCH_BYTES_MAX: OptionSpec = OptionSpec::new(
    "batch-bytes-max",
    "a size",
    Presence::Default("256KiB"),
    "A batch is closed at this many bytes. Not above bytes-in-flight-max.",
);

const LINGER: OptionSpec = OptionSpec::new(
    "linger",
    "a duration",
    Presence::Default("5ms"),
    "An open batch is closed after this long. At most 1m.",
);

const ON_FAILURE: OptionSpec = OptionSpec::new(
    "on-failure",
    "fail, skip or dead-letter",
    Presence::Default("fail"),
    "What becomes of a record that a component fails on: the run stops, the record is left out and \
     counted, or it goes to the dead-letter file.",
)
.of_kind(Kind::Words(&["fail", "skip", "dead-letter"]));

const GUEST_TIMEOUT: OptionSpec = OptionSpec::new(
    "guest-timeout",
    "a duration",
    Presence::Default("5s"),
    "A call into a component is stopped after this long. Longer than zero.",
)
.of_kind(Kind::PositiveDuration);

const GUEST_MEMORY_BYTES_MAX: OptionSpec = OptionSpec::new(
    "guest-memory-bytes-max",
    "a size",
    Presence::Default("256MiB"),
    "The memory that one component may have. 1MiB to 4GiB.",
);

const RECORDS_IN_FLIGHT_MAX: OptionSpec = OptionSpec::new(
    "records-in-flight-max",
    "a number",
    Presence::Default("8192"),
    "The records between the source and a durable sink. Reading waits at this many.",
);

const BYTES_IN_FLIGHT_MAX: OptionSpec = OptionSpec::new(
    "bytes-in-flight-max",
    "a size",
    Presence::Default("16MiB"),
    "The bytes between the source and a durable sink. Reading waits at this many; one larger \
     record passes alone.",
);

/// Reads the `pipeline` section.
pub(super) fn read(field: &Field<'_>, report: &mut Report) -> Read<Pipeline> {
    let section = Section::open(field, PIPELINE.members, UnknownKeys::Refused, report)?;
    let batch_records = section.read(&BATCH_RECORDS_MAX, report, count);
    let batch_bytes = section.read(&BATCH_BYTES_MAX, report, size);
    let linger = section.read(&LINGER, report, linger);
    let on_failure = section.read(&ON_FAILURE, report, on_failure);
    let guest_timeout = section.read(&GUEST_TIMEOUT, report, positive_duration);
    let guest_memory = section.read(&GUEST_MEMORY_BYTES_MAX, report, guest_memory);
    let records = section.read(&RECORDS_IN_FLIGHT_MAX, report, count);
    let bytes = section.read(&BYTES_IN_FLIGHT_MAX, report, size);
    for (option, batch, limit, in_flight) in [
        (
            &BATCH_RECORDS_MAX,
            batch_records,
            &RECORDS_IN_FLIGHT_MAX,
            records,
        ),
        (&BATCH_BYTES_MAX, batch_bytes, &BYTES_IN_FLIGHT_MAX, bytes),
    ] {
        if let (Ok(batch), Ok(in_flight)) = (batch, in_flight)
            && batch > in_flight
        {
            let message = format!(
                "must not be above {}, {in_flight}: no batch would fill",
                limit.name
            );
            section.problem(option, report, message);
        }
    }
    section.close();
    Ok(Pipeline {
        batch_records_max: batch_records?,
        batch_bytes_max: batch_bytes?,
        linger: linger?,
        on_failure: on_failure?,
        guest_timeout: guest_timeout?,
        guest_memory_bytes_max: guest_memory?,
        records_in_flight_max: records?,
        bytes_in_flight_max: bytes?,
    })
}

fn on_failure(field: &Field<'_>, report: &mut Report) -> Read<OnFailure> {
    word(
        field,
        report,
        &[
            ("fail", OnFailure::Fail),
            ("skip", OnFailure::Skip),
            ("dead-letter", OnFailure::DeadLetter),
        ],
    )
}

/// A longer wait would hold acknowledgements back, and with them the checkpoint.
fn linger(field: &Field<'_>, report: &mut Report) -> Read<Duration> {
    let linger = duration(field, report)?;
    if linger > Duration::from_secs(60) {
        return Err(field.problem(report, "must be at most 1m"));
    }
    Ok(linger)
}

/// A 32-bit guest addresses 4 GiB, and one without a megabyte cannot hold a batch.
fn guest_memory(field: &Field<'_>, report: &mut Report) -> Read<NonZeroUsize> {
    let bytes = size(field, report)?;
    if !(1 << 20..=1 << 32).contains(&bytes.get()) {
        return Err(field.problem(report, "must be from 1MiB to 4GiB"));
    }
    Ok(bytes)
}
