//! Which families and columns pass, as the caller decided from names.

use std::fmt;

/// Names that entries speak of and no plan was given for, each once.
#[derive(Clone, PartialEq, Eq)]
pub struct Names {
    /// Families.
    pub families: Vec<String>,
    /// Columns, by family.
    pub columns: Vec<FamilyColumns>,
}

/// Columns of one family.
#[derive(Clone, PartialEq, Eq)]
pub struct FamilyColumns {
    /// The family.
    pub family: String,
    /// The qualifiers of the columns. They are bytes, and one may be empty.
    pub qualifiers: Vec<Vec<u8>>,
}

/// The answer to [`Step::Unplanned`](super::Step::Unplanned).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NamesPlan {
    /// Whether each of [`Names::families`] passes, in that order.
    pub families: Vec<bool>,
    /// Whether each qualifier of each of [`Names::columns`] passes, in that order.
    pub columns: Vec<Vec<bool>>,
}

/// A plan that does not answer the question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WrongPlan {
    /// Nothing was asked.
    #[error("the plan answers a question that was not asked")]
    NotAsked,
    /// The number of answers is not the number of names.
    #[error("the plan answers {answers} names and {names} were asked about")]
    Count {
        /// How many answers there are, of families, of lists of columns, or of one list.
        answers: usize,
        /// How many were asked for.
        names: usize,
    },
}

impl NamesPlan {
    /// Checks that there is one answer for each name.
    pub(super) fn check(&self, names: &Names) -> Result<(), WrongPlan> {
        let same = |answers: usize, names: usize| match answers == names {
            true => Ok(()),
            false => Err(WrongPlan::Count { answers, names }),
        };
        same(self.families.len(), names.families.len())?;
        same(self.columns.len(), names.columns.len())?;
        let mut lists = self.columns.iter().zip(&names.columns);
        lists.try_for_each(|(answers, columns)| same(answers.len(), columns.qualifiers.len()))
    }
}

impl fmt::Debug for Names {
    /// Qualifiers by their number only: some tables keep data in them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Names")
            .field("families", &self.families)
            .field("columns", &self.columns)
            .finish()
    }
}

impl fmt::Debug for FamilyColumns {
    /// Qualifiers by their number only.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FamilyColumns")
            .field("family", &self.family)
            .field("qualifiers", &self.qualifiers.len())
            .finish()
    }
}
