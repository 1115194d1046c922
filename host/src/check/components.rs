//! Whether the components load, take their configuration, and answer.

use std::error::Error;

use super::findings::Findings;
use super::{ComponentSeen, ParameterSeen, Topic, WouldRead, record_ids};
use crate::batch::Batch;
use crate::chain::chain;
use crate::config::{CONNECTORS, Config, Origin, Problem};
use crate::guest::{
    About, CallError, CodeCache, Deserialized, Deserializer, NamesFilter, RecordFilter,
};
use crate::run::guests::{self, Loaded};
use crate::sink::check_lines;

/// The components that could be loaded.
#[derive(Default)]
pub(super) struct Guests {
    pub(super) names: Option<NamesFilter>,
    record_filter: Option<RecordFilter>,
    deserializer: Option<Deserializer>,
}

impl Guests {
    pub(super) fn deserializer_name(&self) -> Option<&str> {
        self.deserializer.as_ref().map(Deserializer::name)
    }
}

/// What to do about outputs that no sink of lines takes.
pub(super) const LINES: &str = "let the deserializer write values without line breaks and without \
                                topics: configure it so, correct it, or take another";

const NAMES_FILTER: &str = "names-filter";
const RECORD_FILTER: &str = "record-filter";
const DESERIALIZER: &str = "deserializer";

/// Loads each component. Nothing of what is compiled is kept: a cache would be a change.
pub(super) async fn load(
    config: &Config,
    findings: &mut Findings,
    would_read: &mut WouldRead,
) -> Guests {
    findings.begin("compiling the components");
    let Loaded {
        names,
        record_filter,
        deserializer,
    } = match guests::load_each(config, &CodeCache::Off).await {
        Ok(loaded) => loaded,
        Err(error) => {
            findings.failure(
                Topic::Components,
                chain(&error),
                "run it on a machine that WebAssembly code can be compiled for",
            );
            return Guests::default();
        }
    };
    let mut told = Told {
        findings,
        seen: &mut would_read.components,
    };
    let guests = Guests {
        names: told.of(NAMES_FILTER, names, NamesFilter::about),
        record_filter: record_filter
            .and_then(|filter| told.of(RECORD_FILTER, filter, RecordFilter::about)),
        deserializer: told.of(DESERIALIZER, deserializer, Deserializer::about),
    };
    if matches!(config.names_filter.origin, Origin::Builtin(_)) {
        leave_out_lists_of_others(config, &mut would_read.components);
    }
    let without_id = guests.deserializer.as_ref();
    if let Some(problem) = without_id.and_then(|guest| guests::record_id(config, guest)) {
        findings.misconfigured(
            Topic::Components,
            problem.to_string(),
            "set record-id-field to where it writes the id, or leave the option out",
        );
    }
    guests
}

/// The built-in names filter serves every source, and takes the lists of each. Those that the
/// connector has no option for would never be asked.
fn leave_out_lists_of_others(config: &Config, components: &mut [ComponentSeen]) {
    let shape = config.source.shape();
    let mut connectors = CONNECTORS.iter();
    let Some(connector) = connectors.find(|connector| connector.shape == shape) else {
        return;
    };
    let is_option = |name: &str| {
        let mut options = connector.section.members.iter();
        options.any(|option| option.name == name)
    };
    for component in components
        .iter_mut()
        .filter(|seen| seen.role == NAMES_FILTER)
    {
        component
            .parameters
            .retain(|parameter| is_option(&parameter.name));
    }
}

/// Where what is known of components goes.
struct Told<'a> {
    findings: &'a mut Findings,
    seen: &'a mut Vec<ComponentSeen>,
}

impl Told<'_> {
    fn of<T>(
        &mut self,
        role: &'static str,
        loaded: Result<T, Vec<Problem>>,
        about: fn(&T) -> &About,
    ) -> Option<T> {
        match loaded {
            Ok(guest) => {
                let seen = seen(role, about(&guest));
                self.findings.ok(Topic::Components, told(&seen));
                self.seen.push(seen);
                Some(guest)
            }
            Err(problems) => {
                for problem in problems {
                    self.findings.misconfigured(
                        Topic::Components,
                        problem.to_string(),
                        "correct the option, or name a component that was built for this place \
                         against wit/",
                    );
                }
                None
            }
        }
    }
}

fn seen(role: &'static str, about: &About) -> ComponentSeen {
    let parameters = about.parameters.iter().map(|parameter| ParameterSeen {
        name: parameter.name.clone(),
        doc: parameter.doc.clone(),
    });
    ComponentSeen {
        role,
        name: about.name.clone(),
        version: about.version.clone(),
        world: about.world.name(),
        sha256: about
            .sha256
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect(),
        pure: about.pure,
        record_id: about.record_id.clone(),
        parameters: parameters.collect(),
    }
}

fn told(seen: &ComponentSeen) -> String {
    let ComponentSeen {
        role,
        name,
        version,
        world,
        ..
    } = seen;
    let kind = if seen.pure {
        "pure"
    } else {
        "imports WASI, so it may answer differently when it is asked again"
    };
    format!("{role} {name} {version} ({world}, {kind}) takes its configuration")
}

/// Tells that no record could be made, and why.
pub(super) fn not_tried(why: &str, remedy: &str, findings: &mut Findings) {
    findings.warning(
        Topic::Components,
        format!("the components were not tried on records: {why}"),
        remedy,
    );
}

/// Tells that the names filter gave up when it was asked about something.
pub(super) fn names_filter_stopped(
    names: &NamesFilter,
    asked: &str,
    error: &CallError,
    findings: &mut Findings,
) {
    findings.failure(
        Topic::Filters,
        format!(
            "the names filter {}, on {asked}: {}",
            names.name(),
            chain(error)
        ),
        "correct the component or its patterns: a run stops there, too",
    );
}

/// Records that nobody committed, to try components on.
pub(super) struct Made {
    pub(super) batch: Batch,
    /// What they were made of, such as `2 tables`.
    pub(super) of: String,
}

/// Gives made records to the components as a run would.
pub(super) async fn try_made_records(
    guests: &mut Guests,
    made: Result<Made, impl Error>,
    findings: &mut Findings,
) {
    let Made { batch, of } = match made {
        Ok(made) => made,
        Err(reason) => {
            findings.warning(
                Topic::Components,
                format!("no records could be made to try the components on: {reason}"),
                "see the other findings",
            );
            return;
        }
    };
    // The findings on source and filters say why.
    if batch.is_empty() {
        return;
    }
    findings.begin("trying the components on made records");
    let tried = format!("{} made records of {of}", batch.records());
    if let Some(filter) = &mut guests.record_filter {
        try_filter(filter, &batch, &tried, findings).await;
    }
    if let Some(deserializer) = &mut guests.deserializer {
        try_deserializer(deserializer, &batch, &tried, findings).await;
    }
}

async fn try_filter(
    filter: &mut RecordFilter,
    batch: &Batch,
    tried: &str,
    findings: &mut Findings,
) {
    let role = format!("{RECORD_FILTER} {}", filter.name());
    match filter.keep(batch).await {
        Ok(keep) => {
            let kept = keep.iter().filter(|keep| **keep).count();
            findings.ok(Topic::Components, format!("{role} keeps {kept} of {tried}"));
        }
        Err(error) => stopped(&role, tried, &error, findings),
    }
}

async fn try_deserializer(
    deserializer: &mut Deserializer,
    batch: &Batch,
    tried: &str,
    findings: &mut Findings,
) {
    let role = format!("{DESERIALIZER} {}", deserializer.name());
    match deserializer.deserialize(batch).await {
        Ok(answer) => {
            answered(&role, tried, &answer, findings);
            record_ids::look(&role, deserializer.about(), answer.values(batch), findings);
        }
        Err(error) => stopped(&role, tried, &error, findings),
    }
}

fn answered(role: &str, tried: &str, answer: &Deserialized, findings: &mut Findings) {
    let outputs = answer.outputs.values.len();
    if let Err(error) = check_lines(&answer.outputs) {
        findings.failure(
            Topic::Components,
            format!("{role}, of {tried}: {}", chain(&error)),
            LINES,
        );
        return;
    }
    match answer.failures.as_slice() {
        [] => findings.ok(
            Topic::Components,
            format!("{role} makes {outputs} outputs of {tried}"),
        ),
        // Values that somebody made up may be none that this component is meant for.
        [first, ..] => findings.warning(
            Topic::Components,
            format!(
                "{role} fails on {} of {tried}; the first is {}: {}",
                answer.failures.len(),
                first.kind,
                first.message
            ),
            "see whether real records have such values; pipeline.on-failure decides what becomes of \
             them",
        ),
    }
}

/// A component's own refusal may be of the made values; anything else is its fault.
fn stopped(role: &str, tried: &str, error: &CallError, findings: &mut Findings) {
    let seen = format!("{role}, given {tried}: {}", chain(error));
    match error {
        CallError::Refused(_) => findings.warning(
            Topic::Components,
            seen,
            "see whether real records have such values: a run stops where a filter gives up",
        ),
        CallError::Stopped(_)
        | CallError::Answer(_)
        | CallError::Start(_)
        | CallError::OtherShape { .. } => findings.failure(
            Topic::Components,
            seen,
            "correct the component; its limits are pipeline.guest-timeout and \
             pipeline.guest-memory-bytes-max",
        ),
    }
}
