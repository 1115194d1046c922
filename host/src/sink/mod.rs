//! Sinks: where shaped records go.
//!
//! A sink *accepts* batches in order, and at a sync makes all that it has accepted *durable*. The answer
//! to a sync is a [`SinkState`] that describes exactly what is durable, no more and no less. It is saved in
//! the checkpoint beside the positions that it belongs to, and a sink that is opened with it goes back to
//! that very cut: what was written past it is removed, and the source delivers it again.
//!
//! ```text
//! open(state) -> sync -> save -> ( write* -> sync -> save )*
//! ```
//!
//! The first sync and save come before the first write. A run that dies before its first save would
//! otherwise leave output that no checkpoint describes.
//!
//! | sink | exactly once | dead letters |
//! |---|---|---|
//! | [`StdoutSink`] | no: a line that was printed stays printed | only with a path for them |
//! | [`FileSink`] | yes, across `kill -9` and power loss | a file of their own, cut together with the output |
//! | [`MemorySink`] | yes, within a process | kept, for tests |

mod batch;
mod error;
mod file;
mod lengths;
mod line;
mod line_file;
mod look;
mod memory;
mod stdout;

pub use acequia_core::SinkState;
pub use batch::{DeadLetter, OutputBatch, Outputs};
pub use error::SinkError;
pub use file::{FileSink, FileSinkOptions};
pub(crate) use line::check as check_lines;
pub use line_file::Unstated;
pub use look::{FileLook, look, reach};
pub use memory::{MemorySink, MemoryTarget};
pub use stdout::StdoutSink;

use async_trait::async_trait;

/// A place for shaped records.
///
/// Every error is final: a sink that can try again does so inside. After an error the sink is dropped, and
/// the run starts again at the last saved checkpoint. The futures are driven to their end; one that is
/// dropped half way counts as an error.
#[async_trait]
pub trait Sink: Send {
    /// Accepts a batch after all that was accepted before. A batch is accepted whole or not at all.
    ///
    /// # Errors
    /// A batch that the sink cannot hold as it is, or a failure of the place itself.
    async fn write(&mut self, batch: &OutputBatch) -> Result<(), SinkError>;

    /// Makes all accepted batches durable and says exactly what is durable.
    ///
    /// # Errors
    /// A failure of the place itself. Nothing is known then about what was accepted since the last sync.
    async fn sync(&mut self) -> Result<SinkState, SinkError>;

    /// Goes back to what an earlier sync said: removes what came after it, as far as the place can remove
    /// anything. All that was accepted is durable, and the state is saved in the newest checkpoint: a run
    /// that dies meanwhile starts again at it.
    ///
    /// # Errors
    /// A state of another sink, or a failure of the place itself.
    async fn cut_back(&mut self, state: &SinkState) -> Result<(), SinkError>;
}
