//! What a lane does with the work of its partitions: shape it, or record it.

use super::recorder::Recorder;
use super::shaper::ShapeError;
use super::{Shaped, Shaper, Work};

/// One lane of the pipeline.
pub(crate) enum Lane {
    /// Runs guests.
    Shape(Box<Shaper>),
    /// Keeps what the guests would get, and gives no output.
    Record(Recorder),
}

impl Lane {
    /// Takes one piece of work.
    ///
    /// # Errors
    ///
    /// The run cannot go on.
    pub(crate) async fn take(&mut self, work: Work) -> Result<Shaped, ShapeError> {
        match self {
            Self::Shape(shaper) => shaper.shape(work).await,
            Self::Record(recorder) => Ok(recorder.record(&work)?),
        }
    }
}

impl From<Shaper> for Lane {
    fn from(shaper: Shaper) -> Self {
        Self::Shape(Box::new(shaper))
    }
}
