//! From the text of a file to a [`Config`].

use std::path::{Path, PathBuf};

use super::checkpoint::{Checkpoint, CheckpointStore};
use super::connector;
use super::delivery::{self, Delivery};
use crate::batch::Shape;

use super::meta::{self, API_VERSION, ApiVersion, META};
use super::options::TRANSFORMS;
use super::read::{Field, Node, Read, Report, Section, UnknownKeys, Value};
use super::{
    Config, Connector, Environment, GuestRef, GuestRole, Meta, Problem, Rejected, Source, TYPES,
};

/// Reads the configuration file at `path`, in the environment of this process. Relative paths in it are
/// relative to its directory.
///
/// # Errors
///
/// Every mistake of the file, or the one reason why it cannot be read.
pub fn load(path: &Path) -> Result<Config, Rejected> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| unreadable(format!("cannot read {}: {error}", path.display())))?;
    let directory = match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        Some(_) | None => Path::new("."),
    };
    parse_in(Environment::of_process(), &text, directory)
}

/// Reads the text of a configuration file, in an empty environment. Relative paths in it are joined with
/// `base_dir`.
///
/// # Errors
///
/// Every mistake of the file at once.
pub fn parse(text: &str, base_dir: &Path) -> Result<Config, Rejected> {
    parse_in(Environment::default(), text, base_dir)
}

/// Reads the text of a configuration file, in this environment.
///
/// # Errors
///
/// Every mistake of the file at once.
pub fn parse_in(environment: Environment, text: &str, base_dir: &Path) -> Result<Config, Rejected> {
    let root = Node::parse(text).map_err(|error| unreadable(format!("not YAML: {error}")))?;
    let mut report = Report::default();
    let around = Around {
        base_dir,
        environment,
    };
    let parts = read_top(&Field::new(&root, ""), &mut report, &around);
    let (parts, warnings) = report.finish(parts)?;
    Ok(parts.into_config(base_dir.to_owned(), warnings))
}

fn unreadable(message: String) -> Rejected {
    Rejected {
        problems: Problem::new("", message).into(),
        guests: Vec::new(),
        shape: Shape::Spanner,
    }
}

/// What a file is read in.
struct Around<'a> {
    base_dir: &'a Path,
    environment: Environment,
}

/// The sections of a file.
struct Parts {
    meta: Meta,
    source: Source,
    names_filter: GuestRef,
    delivery: Delivery,
}

fn read_top(root: &Field<'_>, report: &mut Report, around: &Around<'_>) -> Read<Parts> {
    if matches!(root.node.value, Value::Null) {
        return Err(root.problem(report, "the file is empty"));
    }
    let connector = connector::of_file(root);
    report.work_on(connector.shape);
    let top = Section::open(root, connector.options, UnknownKeys::Refused, report)?;
    let version = top
        .read_optional(&API_VERSION, report, ApiVersion::read)
        .map(|version| version.unwrap_or(ApiVersion::V1));
    let meta = top.read(&META, report, |field, report| {
        meta::read(field, report, version, TYPES)
    });
    let transforms = top.read(&TRANSFORMS, report, no_transforms);
    let section = top.read(connector.section, report, |field, report| {
        read_section(connector, field, report, around)
    });
    top.close();
    transforms?;
    let (source, names_filter, delivery) = section?;
    Ok(Parts {
        meta: meta?,
        source,
        names_filter,
        delivery,
    })
}

fn read_section(
    connector: &Connector,
    field: &Field<'_>,
    report: &mut Report,
    around: &Around<'_>,
) -> Read<(Source, GuestRef, Delivery)> {
    let base_dir = around.base_dir;
    let members = connector.section.members;
    let section = Section::open(field, members, UnknownKeys::Refused, report)?;
    let source = (connector.source)(&section, report, base_dir, around.environment);
    let names_filter = (connector.names_filter)(&section, report, base_dir);
    if let Ok(filter) = &names_filter {
        report.guest(GuestRole::NamesFilter, filter);
    }
    let delivery = delivery::read(&section, report, base_dir, connector.existing_state);
    section.close();
    Ok((source?, names_filter?, delivery?))
}

fn no_transforms(field: &Field<'_>, report: &mut Report) -> Read<()> {
    if field.list(report, "a list")?.is_empty() {
        return Ok(());
    }
    Err(field.problem(
        report,
        "run in Fluvio, and the sink is not Fluvio; remove them, or choose with names-filter and \
         record-filter and shape with a deserializer",
    ))
}

impl Parts {
    fn into_config(self, base_dir: PathBuf, warnings: Vec<String>) -> Config {
        let Checkpoint { store, interval } = self.delivery.checkpoint;
        let default_store = || CheckpointStore::File {
            directory: base_dir.join(format!("{}.checkpoint", self.meta.name)),
        };
        Config {
            checkpoint: store
                .unwrap_or_else(default_store)
                .of_state(self.source.state_name()),
            checkpoint_interval: interval,
            meta: self.meta,
            source: self.source,
            names_filter: self.names_filter,
            record_filter: self.delivery.record_filter,
            deserializer: self.delivery.deserializer,
            pipeline: self.delivery.pipeline,
            sink: self.delivery.sink,
            existing_state: self.delivery.existing_state,
            existing_state_written_out: self.delivery.existing_state_written_out,
            record_id_field: self.delivery.record_id_field,
            drain_timeout: self.delivery.drain_timeout,
            telemetry: self.delivery.telemetry,
            base_dir,
            warnings,
        }
    }
}
