//! From the section of the file to [`RequestOptions`].

use super::options::{DATABASE_ROLE, DIRECTED_READ, REQUEST_TAG, RPC_PRIORITY};
use super::{RequestOptions, directed_read};
use crate::config::RpcPriority;
use crate::config::read::{Field, Read, Report, Section, name, word};

/// Reads the options of requests.
pub(crate) fn read(section: &Section<'_>, report: &mut Report) -> Read<RequestOptions> {
    let priority = section.read_optional(&RPC_PRIORITY, report, rpc_priority);
    let role = section.read_optional(&DATABASE_ROLE, report, name);
    let tag = section.read_optional(&REQUEST_TAG, report, request_tag);
    let directed_read = section.read_optional(&DIRECTED_READ, report, directed_read::read);
    Ok(RequestOptions {
        rpc_priority: priority?,
        database_role: role?,
        request_tag: tag?,
        directed_read: directed_read?,
    })
}

fn rpc_priority(field: &Field<'_>, report: &mut Report) -> Read<RpcPriority> {
    word(
        field,
        report,
        &[
            ("low", RpcPriority::Low),
            ("medium", RpcPriority::Medium),
            ("high", RpcPriority::High),
        ],
    )
}

/// Spanner cuts a longer tag and strips underscores in front; what would be changed is refused.
///
/// Source: google.spanner.v1.RequestOptions.request_tag
fn request_tag(field: &Field<'_>, report: &mut Report) -> Read<String> {
    const LENGTH_MAX: usize = 50;
    let tag = name(field, report)?;
    let printable = tag.bytes().all(|b| (32..=126).contains(&b));
    if !printable || tag.len() > LENGTH_MAX {
        return Err(field.problem(report, "must be at most 50 printable ASCII characters"));
    }
    if tag.starts_with('_') {
        return Err(field.problem(report, "must not begin with an underscore"));
    }
    Ok(tag)
}
