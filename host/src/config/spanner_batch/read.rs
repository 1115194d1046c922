//! From the section of the file to a [`SpannerBatch`].

use std::num::NonZeroUsize;
use std::path::Path;

use super::options::{
    DATA_BOOST_ENABLED, DATABASE, MAX_BYTES_PER_FETCH, MAX_CONCURRENT_PARTITIONS, MAX_PARTITIONS,
    MAX_ROWS_PER_FETCH, ON_EXPIRY, PARTITION_SIZE_BYTES, RESUME_BY_TOKEN,
};
use super::read_operation::options::READ_OPERATION;
use super::timestamp_bound::TIMESTAMP_BOUND;
use super::{OnExpiry, SpannerBatch, TimestampBound, read_operation, timestamp_bound};
use crate::config::cloud_monitoring::{self, Unsaid};
use crate::config::read::{Field, Read, Report, Section, boolean, count, size, word};
use crate::config::{Endpoint, Environment, GuestRef, connection, spanner};

/// Reads the options of the source.
pub(crate) fn read(
    section: &Section<'_>,
    report: &mut Report,
    base_dir: &Path,
    environment: Environment,
) -> Read<SpannerBatch> {
    let database = section.read(&DATABASE, report, spanner::database);
    let operation = section.read(&READ_OPERATION, report, read_operation::read);
    let bound = section.read(&TIMESTAMP_BOUND, report, timestamp_bound::read);
    let partitions = section.read_optional(&MAX_PARTITIONS, report, |field, report| {
        let partitions = count(field, report)?;
        signed(field, report, partitions)
    });
    let partition_size = section.read_optional(&PARTITION_SIZE_BYTES, report, |field, report| {
        let bytes = size(field, report)?;
        signed(field, report, bytes)
    });
    let boost = section.read(&DATA_BOOST_ENABLED, report, boolean);
    let concurrent = section.read(&MAX_CONCURRENT_PARTITIONS, report, count);
    let rows = section.read(&MAX_ROWS_PER_FETCH, report, count);
    let bytes = section.read(&MAX_BYTES_PER_FETCH, report, size);
    let by_token = section.read_optional(&RESUME_BY_TOKEN, report, boolean);
    let on_expiry = section.read(&ON_EXPIRY, report, on_expiry);
    let on_expiry = check_expiry(section, report, on_expiry, bound);
    let connection = connection::read(section, report, base_dir);
    let requests = spanner::read_requests(section, report);
    let monitoring = cloud_monitoring::read(section, report, Unsaid::of(environment));
    let (by_token, connection) = (by_token?, connection?);
    let is_emulator = matches!(connection.endpoint, Endpoint::Emulator { .. });
    Ok(SpannerBatch {
        database: database?,
        read_operation: operation?,
        timestamp_bound: bound?,
        max_partitions: partitions?,
        partition_size_bytes: partition_size?,
        data_boost_enabled: boost?,
        max_concurrent_partitions: concurrent?,
        max_rows_per_fetch: rows?,
        max_bytes_per_fetch: bytes?,
        on_expiry: on_expiry?,
        resume_by_token: by_token.unwrap_or(!is_emulator),
        connection,
        requests: requests?,
        cloud_monitoring: monitoring?,
    })
}

/// The component that chooses names, which has nothing to choose: `read-operation` names what is read.
pub(crate) fn names_filter(
    section: &Section<'_>,
    _report: &mut Report,
    _base_dir: &Path,
) -> Read<GuestRef> {
    Ok(GuestRef::builtin("names", section.path.clone()))
}

/// The message to the service has signed numbers.
///
/// Source: google.spanner.v1.PartitionOptions
fn signed(field: &Field<'_>, report: &mut Report, number: NonZeroUsize) -> Read<NonZeroUsize> {
    match i64::try_from(number.get()) {
        Ok(_) => Ok(number),
        Err(_too_large) => Err(field.problem(report, "must be below 2^63")),
    }
}

fn on_expiry(field: &Field<'_>, report: &mut Report) -> Read<OnExpiry> {
    let words = [
        ("fail", OnExpiry::Fail),
        ("begin-anew", OnExpiry::BeginAnew),
    ];
    word(field, report, &words)
}

/// A snapshot begins anew at the timestamp that its bound then means.
fn check_expiry(
    section: &Section<'_>,
    report: &mut Report,
    on_expiry: Read<OnExpiry>,
    bound: Read<TimestampBound>,
) -> Read<OnExpiry> {
    if let (Ok(OnExpiry::BeginAnew), Ok(TimestampBound::ReadTimestamp(_))) = (on_expiry, bound) {
        let message = "begin-anew has no use with timestamp-bound: { read-timestamp: … }, which \
                       means the same timestamp ever after; write fail";
        return Err(section.problem(&ON_EXPIRY, report, message));
    }
    on_expiry
}
