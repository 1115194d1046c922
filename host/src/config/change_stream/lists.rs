//! The include and exclude lists, which are the configuration of the built-in names filter.

use std::path::Path;

use crate::config::guest_ref::{self, GuestRef, NAMES_FILTER};
use crate::config::option::OptionSpec;
use crate::config::read::{Read, Report, Section, texts};

/// The two lists for one kind of name, of which one may be given.
pub(crate) struct Side {
    pub(crate) include: &'static OptionSpec,
    pub(crate) exclude: &'static OptionSpec,
}

/// The names filter: the built-in one with the lists, or the one that the file names. Whether a
/// pattern is a pattern is for the filter's `configure` to say.
pub(crate) fn names_filter(
    section: &Section<'_>,
    report: &mut Report,
    base_dir: &Path,
    sides: &[Side],
) -> Read<GuestRef> {
    let lists = read_lists(section, report, sides);
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
    sides: &[Side],
) -> Read<serde_json::Map<String, serde_json::Value>> {
    let mut set = serde_json::Map::new();
    let mut outcome = Ok(());
    for Side { include, exclude } in sides {
        let lists = [include, exclude].map(|option| (option, section.read(option, report, texts)));
        if let [(_, Ok(included)), (_, Ok(excluded))] = &lists
            && !included.is_empty()
            && !excluded.is_empty()
        {
            let message = format!(
                "cannot be combined with {}: keep one of the two",
                include.name
            );
            outcome = Err(section.problem(exclude, report, message));
        }
        for (option, list) in lists {
            match list {
                Ok(list) if list.is_empty() => {}
                Ok(list) => drop(set.insert(option.name.to_owned(), list.into())),
                Err(reported) => outcome = Err(reported),
            }
        }
    }
    outcome.map(|()| set)
}
