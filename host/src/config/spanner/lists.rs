//! The include and exclude lists, which are the configuration of the built-in names filter.

use std::path::Path;

use super::options::{
    COLUMN_EXCLUDE_LIST, COLUMN_INCLUDE_LIST, TABLE_EXCLUDE_LIST, TABLE_INCLUDE_LIST,
};
use crate::config::guest_ref::{self, GuestRef, NAMES_FILTER};
use crate::config::option::OptionSpec;
use crate::config::read::{Read, Report, Section, texts};

const LISTS: [&OptionSpec; 4] = [
    &TABLE_INCLUDE_LIST,
    &TABLE_EXCLUDE_LIST,
    &COLUMN_INCLUDE_LIST,
    &COLUMN_EXCLUDE_LIST,
];

/// The names filter: the built-in one with the lists, or the one that the file names. Whether a
/// pattern is a pattern is for the filter's `configure` to say.
pub(crate) fn names_filter(
    section: &Section<'_>,
    report: &mut Report,
    base_dir: &Path,
) -> Read<GuestRef> {
    let lists = read_lists(section, report);
    let own = section.read_optional(&NAMES_FILTER, report, |field, report| {
        guest_ref::read(field, report, base_dir, &["names"])
    });
    let (lists, own) = (lists?, own?);
    match own {
        None => Ok(GuestRef {
            config: lists.into(),
            ..GuestRef::builtin("names", section.path.clone())
        }),
        Some(own) if lists.is_empty() => Ok(own),
        Some(_) => {
            let names: Vec<_> = lists.keys().map(String::as_str).collect();
            let message = format!(
                "cannot be combined with {}: a filter that is named here takes its lists in its own config",
                names.join(", ")
            );
            Err(section.problem(&NAMES_FILTER, report, message))
        }
    }
}

/// The lists that are not empty, by name.
fn read_lists(
    section: &Section<'_>,
    report: &mut Report,
) -> Read<serde_json::Map<String, serde_json::Value>> {
    let lists: Vec<_> = LISTS
        .into_iter()
        .map(|option| (option, section.read(option, report, texts)))
        .collect();
    let is_set = |wanted: &OptionSpec| {
        lists.iter().any(|(option, list)| {
            option.name == wanted.name && list.as_ref().is_ok_and(|list| !list.is_empty())
        })
    };
    let mut outcome = Ok(());
    for (include, exclude) in [
        (&TABLE_INCLUDE_LIST, &TABLE_EXCLUDE_LIST),
        (&COLUMN_INCLUDE_LIST, &COLUMN_EXCLUDE_LIST),
    ] {
        if is_set(include) && is_set(exclude) {
            let message = format!(
                "cannot be combined with {}: keep one of the two",
                include.name
            );
            outcome = Err(section.problem(exclude, report, message));
        }
    }
    let mut set = serde_json::Map::new();
    for (option, list) in lists {
        let list = list?;
        if !list.is_empty() {
            set.insert(option.name.to_owned(), list.into());
        }
    }
    outcome.map(|()| set)
}
