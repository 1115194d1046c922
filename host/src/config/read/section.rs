//! A mapping read against its table of options.

use std::cell::RefCell;
use std::collections::BTreeSet;

use super::field::{Field, join};
use super::report::{Read, Report, Reported};
use super::suggest;
use super::tree::{Entry, Node, Place};
use crate::config::option::{OptionSpec, Presence};

/// A mapping whose keys are known to stand in its table, each at most once.
pub(crate) struct Section<'a> {
    pub(crate) path: String,
    pub(crate) place: Place,
    table: &'static [&'static OptionSpec],
    entries: &'a [Entry],
    /// The options that were asked for: the table must not hold more than what is read.
    asked: RefCell<BTreeSet<&'static str>>,
}

/// What becomes of a key that stands in no table.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum UnknownKeys {
    Refused,
    Warned,
}

impl<'a> Section<'a> {
    /// Opens a mapping. Unknown keys and options that are given twice are reported here; the rest
    /// can still be read, so that all mistakes are reported.
    pub(crate) fn open(
        field: &Field<'a>,
        table: &'static [&'static OptionSpec],
        unknown: UnknownKeys,
        report: &mut Report,
    ) -> Read<Self> {
        let entries = field.entries(report, "a mapping of options")?;
        let section = Self {
            path: field.path.clone(),
            place: field.node.place,
            table,
            entries,
            asked: RefCell::default(),
        };
        section.check_keys(unknown, report);
        Ok(section)
    }

    fn check_keys(&self, unknown: UnknownKeys, report: &mut Report) {
        for (index, entry) in self.entries.iter().enumerate() {
            let path = join(&self.path, &entry.key);
            let Some(option) = self
                .table
                .iter()
                .find(|option| option.is_called(&entry.key))
            else {
                let message = suggest::unknown_option(&entry.key, self.table);
                match unknown {
                    UnknownKeys::Refused => drop(report.problem(entry.place, &path, message)),
                    UnknownKeys::Warned => report.warn(&path, &message),
                }
                continue;
            };
            if let Presence::Refused(reason) = option.presence {
                report.problem(entry.place, &path, reason);
                continue;
            }
            let before = self.entries.iter().take(index);
            if let Some(first) = before
                .into_iter()
                .find(|entry| option.is_called(&entry.key))
            {
                let message = if first.key == entry.key {
                    "is given twice".to_owned()
                } else {
                    format!(
                        "is another name of {}, which is given too; keep one",
                        first.key
                    )
                };
                report.problem(entry.place, &path, message);
            }
        }
    }

    /// An option as this section has it. Sections that share an option, and what reads it, may have
    /// other aliases and another default for it.
    fn own(&self, option: &'static OptionSpec) -> &'static OptionSpec {
        let mut table = self.table.iter().copied();
        table.find(|own| own.name == option.name).unwrap_or(option)
    }

    /// The value of an option, if the file gives it.
    pub(crate) fn given(&self, option: &'static OptionSpec) -> Option<Field<'a>> {
        self.asked.borrow_mut().insert(option.name);
        let own = self.own(option);
        let entry = self.entries.iter().find(|e| own.is_called(&e.key))?;
        Some(Field::new(&entry.value, join(&self.path, &entry.key)))
    }

    /// The value of an option that is required or has a default.
    pub(crate) fn read<T>(
        &self,
        option: &'static OptionSpec,
        report: &mut Report,
        reader: impl FnOnce(&Field<'_>, &mut Report) -> Read<T>,
    ) -> Read<T> {
        if let Some(field) = self.given(option) {
            return reader(&field, report);
        }
        let option = self.own(option);
        let path = join(&self.path, option.name);
        match option.presence {
            Presence::Default(text) => {
                let node = Node::parse(text).unwrap_or_else(|_| Node::text(text));
                reader(&Field::new(&node, path), report)
            }
            Presence::Required | Presence::Optional(_) | Presence::Refused(_) => {
                let message = format!("is missing; {} is required", option.value);
                Err(report.problem(self.place, &path, message))
            }
        }
    }

    /// The value of an option that may be left out.
    pub(crate) fn read_optional<T>(
        &self,
        option: &'static OptionSpec,
        report: &mut Report,
        reader: impl FnOnce(&Field<'_>, &mut Report) -> Read<T>,
    ) -> Read<Option<T>> {
        self.given(option)
            .map(|field| reader(&field, report))
            .transpose()
    }

    /// Notes that something is wrong with an option: with its value, or with its absence.
    pub(crate) fn problem(
        &self,
        option: &'static OptionSpec,
        report: &mut Report,
        message: impl Into<String>,
    ) -> Reported {
        match self.given(option) {
            Some(field) => field.problem(report, message),
            None => report.problem(self.place, &join(&self.path, option.name), message),
        }
    }

    /// Ends the reading of this section.
    pub(crate) fn close(self) {
        let unread: Vec<_> = self
            .table
            .iter()
            .filter(|option| !option.is_refused())
            .map(|option| option.name)
            .filter(|name| !self.asked.borrow().contains(name))
            .collect();
        debug_assert!(
            unread.is_empty(),
            "options in the table of {} that nothing reads: {unread:?}",
            self.path
        );
    }
}
