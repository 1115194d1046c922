//! What reading found wrong, in the order of the file.

use super::tree::Place;
use crate::batch::Shape;
use crate::config::{GuestRef, GuestRole, Problem, Problems, Rejected};

/// Problems and warnings of one file, as reading goes on.
#[derive(Default)]
pub(crate) struct Report {
    problems: Vec<(Place, Problem)>,
    warnings: Vec<String>,
    guests: Vec<(GuestRole, GuestRef)>,
    shape: Option<Shape>,
}

/// Proof that a problem was reported: only [`Report::problem`] makes one. Reading goes on with the
/// other options and gives up where the typed value would be built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Reported(());

/// A typed value, or the proof that it was reported why there is none.
pub(crate) type Read<T> = Result<T, Reported>;

impl Report {
    /// Notes a problem.
    pub(crate) fn problem(
        &mut self,
        place: Place,
        path: &str,
        message: impl Into<String>,
    ) -> Reported {
        self.problems.push((place, Problem::new(path, message)));
        Reported(())
    }

    /// Notes what is right but probably not meant.
    pub(crate) fn warn(&mut self, path: &str, message: &str) {
        self.warnings.push(format!("{path}: {message}"));
    }

    /// Notes a guest that the file names, whatever else is wrong with the file.
    pub(crate) fn guest(&mut self, role: GuestRole, guest: &GuestRef) {
        self.guests.push((role, guest.clone()));
    }

    /// Notes what the guests of the file work on.
    pub(crate) fn work_on(&mut self, shape: Shape) {
        self.shape = Some(shape);
    }

    /// The value and the warnings, or all problems.
    pub(crate) fn finish<T>(mut self, read: Read<T>) -> Result<(T, Vec<String>), Rejected> {
        self.problems.sort_by_key(|(place, _)| *place);
        let problems = self.problems.into_iter().map(|(_, problem)| problem);
        let problems = match (Problems::of(problems.collect()), read) {
            (Some(problems), _) => problems,
            (None, Ok(value)) => return Ok((value, self.warnings)),
            (None, Err(Reported(()))) => {
                Problem::new("", "the configuration could not be read").into()
            }
        };
        Err(Rejected {
            problems,
            guests: self.guests,
            shape: self.shape.unwrap_or(Shape::Spanner),
        })
    }
}
