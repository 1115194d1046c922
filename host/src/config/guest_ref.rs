//! Which WebAssembly component to use, and how it is configured.

use std::path::{Path, PathBuf};

use super::Kind;
use super::Problem;
use super::option::{OptionSpec, Presence};
use super::read::{Field, Read, Report, Section, UnknownKeys, Value, path, unknown_word};

/// What a guest is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GuestRole {
    /// It chooses names.
    NamesFilter,
    /// It chooses records.
    RecordFilter,
    /// It shapes records.
    Deserializer,
}

/// A component that the configuration names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GuestRef {
    /// Where its bytes come from.
    pub origin: Origin,
    /// The SHA-256 digest that its bytes must have. Default: none, any bytes will do.
    pub sha256: Option<[u8; 32]>,
    /// The JSON object that its `configure` takes. Default: `{}`.
    pub config: serde_json::Value,
    /// Where that object stands in the file, for the errors that `configure` answers with.
    pub config_path: String,
}

impl GuestRef {
    /// A built-in component without a configuration of its own.
    #[must_use]
    pub fn builtin(name: &str, config_path: impl Into<String>) -> Self {
        Self {
            origin: Origin::Builtin(name.to_owned()),
            sha256: None,
            config: serde_json::json!({}),
            config_path: config_path.into(),
        }
    }

    /// Whether this is the built-in names filter without a list, which lets every name pass.
    #[must_use]
    pub fn lets_all_pass(&self) -> bool {
        let has_lists = self
            .config
            .as_object()
            .is_none_or(|lists| !lists.is_empty());
        matches!(&self.origin, Origin::Builtin(name) if name == "names") && !has_lists
    }

    /// A component that a command's argument names, `builtin:NAME` or a file, with its parameters
    /// as JSON text. Their errors are told at `--parameters`.
    ///
    /// # Errors
    /// The parameters are not a JSON object.
    pub fn of_argument(component: &str, parameters: Option<&str>) -> Result<Self, Problem> {
        let parameters = parameters.unwrap_or("{}");
        let config: serde_json::Value = serde_json::from_str(parameters)
            .map_err(|error| Problem::new(PARAMETERS, format!("is not JSON: {error}")))?;
        if !config.is_object() {
            let example = "must be a JSON object, such as {\"granularity\":\"record\"}";
            return Err(Problem::new(PARAMETERS, example));
        }
        let origin = match component.strip_prefix("builtin:") {
            Some(name) => Origin::Builtin(name.to_owned()),
            None => Origin::Path(component.into()),
        };
        Ok(Self {
            origin,
            sha256: None,
            config,
            config_path: PARAMETERS.to_owned(),
        })
    }

    /// One error of the component's `configure` as a problem of the file.
    #[must_use]
    pub fn problem(&self, member: &str, message: &str) -> Problem {
        let path = match member {
            "" => self.config_path.clone(),
            index if index.starts_with('[') => format!("{}{index}", self.config_path),
            name => format!("{}.{name}", self.config_path),
        };
        Problem::new(path, message)
    }
}

/// The argument that holds a component's parameters.
const PARAMETERS: &str = "--parameters";

/// Where the bytes of a component come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// A component inside this binary, by name.
    Builtin(String),
    /// A file: a component or a core module. A relative path is already joined with the directory
    /// of the configuration file.
    Path(PathBuf),
}

pub(super) const DESERIALIZER: OptionSpec = OptionSpec::new(
    "deserializer",
    "json, { builtin: json, config: … } or { path: FILE, sha256: …, config: … }",
    Presence::Default("json"),
    "The component that turns change records into outputs.",
)
.with_members(MEMBERS)
.of_kind(Kind::Component(&["json"]));

pub(super) const NAMES_FILTER: OptionSpec = OptionSpec::new(
    "names-filter",
    "as deserializer; names is built in",
    Presence::Optional("uses names with the include and exclude lists"),
    "The component that chooses by name what passes. Not together with the lists.",
)
.with_members(MEMBERS)
.of_kind(Kind::Component(&["names"]));

pub(super) const RECORD_FILTER: OptionSpec = OptionSpec::new(
    "record-filter",
    "{ path: FILE, sha256: …, config: … }",
    Presence::Optional("lets every record pass"),
    "The component that chooses change records by their values.",
)
.with_members(MEMBERS)
.of_kind(Kind::Component(&[]));

const MEMBERS: &[&OptionSpec] = &[&BUILTIN, &PATH, &SHA256, &CONFIG];

const BUILTIN: OptionSpec = OptionSpec::new(
    "builtin",
    "a name",
    Presence::Optional("takes path"),
    "A component inside this binary.",
);

const PATH: OptionSpec = OptionSpec::new(
    "path",
    "a path",
    Presence::Optional("takes builtin"),
    "A component, or a core module with its WIT section, relative to the file.",
);

const SHA256: OptionSpec = OptionSpec::new(
    "sha256",
    "64 hexadecimal digits",
    Presence::Optional("takes any bytes"),
    "The digest that the component must have.",
)
.of_kind(Kind::Pattern("^[0-9A-Fa-f]{64}$"));

const CONFIG: OptionSpec = OptionSpec::new(
    "config",
    "a mapping",
    Presence::Default("{}"),
    "The parameters of the component.",
)
.of_kind(Kind::Mapping);

/// Reads a component: the name of a built-in one, or a mapping.
pub(super) fn read(
    field: &Field<'_>,
    report: &mut Report,
    base_dir: &Path,
    builtins: &[&str],
) -> Read<GuestRef> {
    if matches!(field.node.value, Value::Map(_)) {
        return read_mapping(field, report, base_dir, builtins);
    }
    let text = field.text(report, "the name of a built-in component or { path: FILE }")?;
    let name = builtin(field, report, text, builtins)?;
    Ok(GuestRef::builtin(name, format!("{}.config", field.path)))
}

fn read_mapping(
    field: &Field<'_>,
    report: &mut Report,
    base_dir: &Path,
    builtins: &[&str],
) -> Read<GuestRef> {
    let section = Section::open(field, MEMBERS, UnknownKeys::Refused, report)?;
    let builtin = section.read_optional(&BUILTIN, report, |field, report| {
        let text = field.text(report, "a text")?;
        builtin(field, report, text, builtins).map(|name| Origin::Builtin(name.to_owned()))
    });
    let file = section.read_optional(&PATH, report, |field, report| {
        path(field, report, base_dir).map(Origin::Path)
    });
    let sha256 = section.read_optional(&SHA256, report, digest);
    let config = section.read(&CONFIG, report, |field, report| {
        field.entries(report, "a mapping of parameters")?;
        field.json(report)
    });
    section.close();
    let origin = match (builtin?, file?) {
        (Some(origin), None) | (None, Some(origin)) => origin,
        (Some(_), Some(_)) => {
            return Err(field.problem(report, "has both builtin and path; keep one"));
        }
        (None, None) => return Err(field.problem(report, "needs builtin or path")),
    };
    Ok(GuestRef {
        origin,
        sha256: sha256?,
        config: config?,
        config_path: format!("{}.config", field.path),
    })
}

fn builtin<'a>(
    field: &Field<'_>,
    report: &mut Report,
    name: &'a str,
    builtins: &[&str],
) -> Read<&'a str> {
    if builtins.contains(&name) {
        return Ok(name);
    }
    let message = if name.contains(['/', '.']) {
        format!("{name:?} is no built-in component; for a file, write {{ path: {name} }}")
    } else if builtins.is_empty() {
        format!(
            "there is no built-in component here, so not {name:?}; name a file: {{ path: FILE }}"
        )
    } else {
        unknown_word(name, builtins)
    };
    Err(field.problem(report, message))
}

fn digest(field: &Field<'_>, report: &mut Report) -> Read<[u8; 32]> {
    const WHAT: &str = "a text of 64 hexadecimal digits";
    let text = field.text(report, WHAT)?;
    parse_digest(text).ok_or_else(|| field.problem(report, format!("expected {WHAT}")))
}

fn parse_digest(text: &str) -> Option<[u8; 32]> {
    let nibbles: Vec<u8> = text
        .chars()
        .map(|c| c.to_digit(16).and_then(|nibble| u8::try_from(nibble).ok()))
        .collect::<Option<_>>()?;
    let (pairs, []) = nibbles.as_chunks::<2>() else {
        return None;
    };
    let bytes: Vec<u8> = pairs.iter().map(|[high, low]| high << 4 | low).collect();
    bytes.try_into().ok()
}
