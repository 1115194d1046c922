//! Opening the sink and the checkpoint store that a configuration names.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use crate::checkpoint_store::{CheckpointStore, FileCheckpointStore, StoreError};
use crate::config::{self, Config};
use crate::files::{Files, RealFiles};
use crate::sink::{FileSink, FileSinkOptions, Sink, SinkError, SinkState, StdoutSink, Unstated};

/// The store; none where no checkpoints are kept.
pub(crate) fn store(config: &Config) -> Result<Option<Box<dyn CheckpointStore>>, StoreError> {
    match &config.checkpoint {
        config::CheckpointStore::None => Ok(None),
        config::CheckpointStore::File { directory } => {
            let store = FileCheckpointStore::open(files(), directory, &config.meta.name)?;
            Ok(Some(Box::new(store)))
        }
    }
}

/// The sink: at the cut of a state, or afresh.
pub(super) fn sink(config: &Config, state: Option<&SinkState>) -> Result<Box<dyn Sink>, SinkError> {
    let unstated = unstated(config);
    match &config.sink {
        config::Sink::Stdout { dead_letter_path } => {
            let dead_letters = dead_letter_path.as_deref().map(|path| (path, unstated));
            let sink = StdoutSink::open(files().as_ref(), dead_letters, state)?;
            Ok(Box::new(sink))
        }
        config::Sink::File {
            path,
            dead_letter_path,
        } => {
            let options = FileSinkOptions {
                path: path.clone(),
                dead_letter_path: dead_letter_path.clone(),
                unstated,
            };
            let sink = FileSink::open(&files(), &options, state)?;
            Ok(Box::new(sink))
        }
    }
}

/// What becomes of content that no state describes: it may be what a lost checkpoint stood for.
pub(crate) fn unstated(config: &Config) -> Unstated {
    if config.existing_state_written_out {
        Unstated::Append
    } else {
        Unstated::Refuse
    }
}

/// What a checkpoint is bound to: the source, the sink, and the deserializer by its own name.
pub(crate) fn identity(config: &Config, deserializer_name: &str) -> BTreeMap<String, String> {
    let text = |path: &Path| path.display().to_string();
    let sink = match &config.sink {
        config::Sink::Stdout { .. } => "stdout".to_owned(),
        config::Sink::File { path, .. } => format!("file {}", text(path)),
    };
    let mut identity = source_identity(&config.source);
    identity.insert("sink".to_owned(), sink);
    identity.insert(DESERIALIZER.to_owned(), deserializer_name.to_owned());
    identity
}

/// What a checkpoint of this source is bound to.
pub(super) fn source_identity(source: &config::Source) -> BTreeMap<String, String> {
    let names = source.names().into_iter();
    let names = names.map(|(of, name)| (of.to_owned(), name));
    std::iter::once(("source".to_owned(), source.kind().to_owned()))
        .chain(names)
        .collect()
}

/// The part of the identity that the deserializer's name is.
pub(crate) const DESERIALIZER: &str = "deserializer";

pub(crate) fn files() -> Arc<dyn Files> {
    Arc::new(RealFiles)
}
