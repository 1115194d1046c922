//! Answers about names, remembered so that a repeated name costs a look.

use std::collections::{BTreeMap, BTreeSet};

use super::{Entry, FamilyColumns, Names, NamesPlan};

/// Names that a stream remembers between mutations. Where qualifiers are data there is no end of
/// them, and a name that is forgotten is asked about anew.
const NAMES_MAX: usize = 16_384;
/// Bytes of these names.
const NAMES_BYTES_MAX: usize = 4 << 20;

/// Whether families and columns pass.
#[derive(Debug, Default)]
pub(super) struct Answers {
    families: BTreeMap<String, Family>,
    names: usize,
    bytes: usize,
}

#[derive(Debug, Default)]
struct Family {
    passes: Option<bool>,
    columns: BTreeMap<Vec<u8>, bool>,
}

impl Answers {
    /// Remembers the answers of a plan, which fits the names.
    pub(super) fn insert(&mut self, names: Names, plan: &NamesPlan) {
        for (name, passes) in names.families.into_iter().zip(&plan.families) {
            self.count(name.len());
            self.families.entry(name).or_default().passes = Some(*passes);
        }
        for (columns, answers) in names.columns.into_iter().zip(&plan.columns) {
            for qualifier in &columns.qualifiers {
                self.count(qualifier.len());
            }
            let answers = columns.qualifiers.into_iter().zip(answers.iter().copied());
            let family = self.families.entry(columns.family).or_default();
            family.columns.extend(answers);
        }
    }

    /// Forgets all once there are more than the limits allow. Not while a mutation is read: one may
    /// have more columns than that.
    pub(super) fn trim(&mut self) {
        if self.names > NAMES_MAX || self.bytes > NAMES_BYTES_MAX {
            *self = Self::default();
        }
    }

    fn count(&mut self, bytes: usize) {
        self.names += 1;
        self.bytes = self.bytes.saturating_add(bytes);
    }
}

/// Decides about the entries of one mutation.
pub(super) struct Sieve<'a> {
    /// `None` lets everything pass.
    answers: Option<&'a Answers>,
    missing: BTreeMap<&'a str, Missing<'a>>,
    kept: u32,
    dropped: u32,
}

/// Names of one family without an answer.
#[derive(Default)]
struct Missing<'a> {
    family: bool,
    qualifiers: BTreeSet<&'a [u8]>,
}

impl<'a> Sieve<'a> {
    pub(super) fn new(answers: Option<&'a Answers>) -> Self {
        Self {
            answers,
            missing: BTreeMap::new(),
            kept: 0,
            dropped: 0,
        }
    }

    /// Whether an entry passes. An entry passes with its family and with its column, if it has one.
    /// Once an answer is missing, nothing passes and only names are gathered.
    pub(super) fn passes(&mut self, entry: &Entry<'a>) -> bool {
        let passes = match self.answers {
            None => Some(true),
            Some(answers) => self.look_up(answers, entry),
        };
        match passes {
            Some(true) => self.kept = self.kept.saturating_add(1),
            Some(false) => self.dropped = self.dropped.saturating_add(1),
            None => {}
        }
        passes == Some(true) && self.missing.is_empty()
    }

    /// The answer, if all of it is known.
    fn look_up(&mut self, answers: &Answers, entry: &Entry<'a>) -> Option<bool> {
        let family = answers.families.get(entry.family());
        let family_passes = family.and_then(|family| family.passes);
        if family_passes == Some(false) {
            return Some(false);
        }
        let column = entry.qualifier();
        let column_passes = match column {
            // A family that is deleted has no column.
            None => Some(true),
            Some(column) => family.and_then(|family| family.columns.get(column).copied()),
        };
        if family_passes.is_some() && column_passes.is_some() {
            return column_passes;
        }
        let missing = self.missing.entry(entry.family()).or_default();
        missing.family |= family_passes.is_none();
        missing
            .qualifiers
            .extend(column.filter(|_| column_passes.is_none()));
        None
    }

    /// How many entries the plan removed.
    pub(super) fn dropped(&self) -> u32 {
        self.dropped
    }

    /// Whether entries were removed and none is left.
    pub(super) fn removed_all(&self) -> bool {
        self.kept == 0 && self.dropped > 0
    }

    /// The names without an answer, if there are any.
    pub(super) fn into_missing(self) -> Option<Names> {
        if self.missing.is_empty() {
            return None;
        }
        let mut names = Names {
            families: Vec::new(),
            columns: Vec::new(),
        };
        for (family, missing) in self.missing {
            if missing.family {
                names.families.push(family.to_owned());
            }
            if !missing.qualifiers.is_empty() {
                names.columns.push(FamilyColumns {
                    family: family.to_owned(),
                    qualifiers: missing.qualifiers.into_iter().map(<[u8]>::to_vec).collect(),
                });
            }
        }
        Some(names)
    }
}
