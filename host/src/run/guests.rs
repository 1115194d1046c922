//! Loading every guest of a configuration, and collecting what they find wrong with it.

use std::num::NonZeroUsize;

use crate::batch::Shape;
use crate::chain::chain;
use crate::config::{Config, GuestRef, GuestRole, Problem, Problems};
use crate::guest::{
    About, CodeCache, Deserializer, EngineError, Limits, LoadError, NamesFilter, Plugins,
    RecordFilter, StartError,
};
use crate::pipeline::Shaper;
use crate::status::WatchedGuest;

/// Lanes that shape side by side at the most. More than the machine has cores gain nothing.
const LANES_MAX: usize = 8;

/// The option that asks for ids.
const RECORD_ID_FIELD: &str = "record-id-field";

/// Why the guests cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum GuestsError {
    /// The WebAssembly engine does not start.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// What the configuration says of guests is wrong.
    #[error(transparent)]
    Config(Problems),
}

/// The guests of a run.
pub(super) struct Guests {
    pub(super) names: NamesFilter,
    pub(super) shapers: Vec<Shaper>,
    /// The deserializer's own name.
    pub(super) deserializer_name: String,
    /// All of them, to be looked at.
    pub(super) watched: Vec<WatchedGuest>,
}

/// Loads all guests. Every problem of each is found, so that they can be told together.
pub(super) async fn load(config: &Config) -> Result<Guests, GuestsError> {
    let Loaded {
        names,
        record_filter,
        deserializer,
    } = load_each(config, &CodeCache::User).await?;
    let mut problems = Vec::new();
    let names = told(names, &mut problems);
    let record_filter = record_filter.and_then(|filter| told(filter, &mut problems));
    let deserializer = told(deserializer, &mut problems);
    if let Some(deserializer) = &deserializer {
        problems.extend(record_id(config, deserializer));
    }
    match (names, deserializer, problems) {
        (Some(names), Some(deserializer), problems) if problems.is_empty() => Ok(Guests {
            watched: watched(&names, record_filter.as_ref(), &deserializer),
            names,
            deserializer_name: deserializer.about().name.clone(),
            shapers: shapers(config, record_filter.as_ref(), &deserializer),
        }),
        (_, _, problems) => Err(GuestsError::Config(missing(problems))),
    }
}

/// The guests of a configuration, each loaded or with what is wrong with it.
pub(crate) struct Loaded {
    pub(crate) names: Result<NamesFilter, Vec<Problem>>,
    /// None where none is configured.
    pub(crate) record_filter: Option<Result<RecordFilter, Vec<Problem>>>,
    pub(crate) deserializer: Result<Deserializer, Vec<Problem>>,
}

/// Loads each guest on its own.
pub(crate) async fn load_each(config: &Config, cache: &CodeCache) -> Result<Loaded, EngineError> {
    let plugins = start(config, cache)?;
    let names = plugins.names_filter(&config.names_filter).await;
    let record_filter = match &config.record_filter {
        Some(guest) => Some(wrong(guest, plugins.record_filter(guest).await)),
        None => None,
    };
    let deserializer = plugins.deserializer(&config.deserializer).await;
    Ok(Loaded {
        names: wrong(&config.names_filter, names),
        record_filter,
        deserializer: wrong(&config.deserializer, deserializer),
    })
}

/// Loads the names filter alone, for a run that shapes nothing.
pub(super) async fn load_names(config: &Config) -> Result<NamesFilter, GuestsError> {
    let guest = &config.names_filter;
    let plugins = start(config, &CodeCache::User)?;
    let loaded = wrong(guest, plugins.names_filter(guest).await);
    loaded.map_err(|problems| GuestsError::Config(missing(problems)))
}

fn start(config: &Config, cache: &CodeCache) -> Result<Plugins, EngineError> {
    let limits = Limits {
        call_timeout: config.pipeline.guest_timeout,
        memory_bytes_max: config.pipeline.guest_memory_bytes_max.get(),
    };
    Plugins::start(config.source.shape(), limits, cache)
}

/// What is wrong where a guest is not there.
fn missing(problems: Vec<Problem>) -> Problems {
    Problems::of(problems).unwrap_or_else(|| Problems::from(Problem::new("", "a guest is missing")))
}

/// What guests find wrong with their own parts of a file that gives no configuration.
pub(crate) async fn complaints(
    shape: Shape,
    guests: &[(GuestRole, GuestRef)],
    cache: &CodeCache,
) -> Result<Vec<Problem>, GuestsError> {
    let plugins = Plugins::start(shape, Limits::default(), cache)?;
    let mut problems = Vec::new();
    for (role, guest) in guests {
        let loaded = match role {
            GuestRole::NamesFilter => plugins.names_filter(guest).await.map(drop),
            GuestRole::RecordFilter => plugins.record_filter(guest).await.map(drop),
            GuestRole::Deserializer => plugins.deserializer(guest).await.map(drop),
        };
        told(wrong(guest, loaded), &mut problems);
    }
    Ok(problems)
}

/// A loaded guest; what is wrong with it goes to the other problems.
fn told<T>(loaded: Result<T, Vec<Problem>>, problems: &mut Vec<Problem>) -> Option<T> {
    match loaded {
        Ok(loaded) => Some(loaded),
        Err(wrong) => {
            problems.extend(wrong);
            None
        }
    }
}

/// A loaded guest, or what is wrong with it at its places in the file.
fn wrong<T>(guest: &GuestRef, loaded: Result<T, LoadError>) -> Result<T, Vec<Problem>> {
    match loaded {
        Ok(loaded) => Ok(loaded),
        Err(LoadError::Start(StartError::Configuration(errors))) => Err(errors
            .iter()
            .map(|error| guest.problem(&error.path, &error.message))
            .collect()),
        Err(error) => {
            // What is wrong with the component itself is told at the component, not at its parameters.
            let path = guest.config_path.as_str();
            let path = path.strip_suffix(".config").unwrap_or(path);
            Err(vec![Problem::new(path, chain(&error))])
        }
    }
}

/// A sink that drops repeats finds ids in the values; a deserializer that writes none is refused
/// where ids are asked for.
pub(crate) fn record_id(config: &Config, deserializer: &Deserializer) -> Option<Problem> {
    let asked = &config.record_id_field;
    let about = deserializer.about();
    if !asked.written_out || about.record_id.as_deref() == Some(asked.pointer.as_str()) {
        return None;
    }
    let written = about
        .record_id
        .as_deref()
        .map_or_else(|| "no id".to_owned(), |pointer| format!("it at {pointer}"));
    Some(Problem::new(
        format!("{}.{RECORD_ID_FIELD}", config.source.kind()),
        format!(
            "the deserializer {} does not write the id at {}: it writes {written}",
            about.name, asked.pointer
        ),
    ))
}

fn watched(
    names: &NamesFilter,
    record_filter: Option<&RecordFilter>,
    deserializer: &Deserializer,
) -> Vec<WatchedGuest> {
    let guest = |role, about: &About, meter| WatchedGuest {
        role,
        about: about.clone(),
        meter,
    };
    let filter = record_filter
        .map(|filter| guest("record-filter", filter.about(), filter.meter()))
        .into_iter();
    std::iter::once(guest("names-filter", names.about(), names.meter()))
        .chain(filter)
        .chain([guest(
            "deserializer",
            deserializer.about(),
            deserializer.meter(),
        )])
        .collect()
}

fn shapers(
    config: &Config,
    record_filter: Option<&RecordFilter>,
    deserializer: &Deserializer,
) -> Vec<Shaper> {
    let cores = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    (0..cores.min(LANES_MAX))
        .map(|_lane| Shaper {
            filter: record_filter.map(RecordFilter::another),
            deserializer: deserializer.another(),
            on_failure: config.pipeline.on_failure,
        })
        .collect()
}
