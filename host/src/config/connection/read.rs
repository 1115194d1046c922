//! From the section of the file to a [`Connection`].

use std::path::Path;

use super::options::{
    CREDENTIALS_JSON, EMULATOR_ENDPOINT, ENDPOINT, MESSAGE_BYTES_MAX, SERVICE_ACCOUNT_KEY_FILE,
};
use super::{Connection, Credentials, Endpoint, endpoint};
use crate::config::Secret;
use crate::config::option::OptionSpec;
use crate::config::read::{Field, Read, Report, Section, Value, path, size};

/// Options that exclude each other, and why.
const EXCLUSIVE: [(&OptionSpec, &OptionSpec, &str); 4] = [
    (
        &SERVICE_ACCOUNT_KEY_FILE,
        &EMULATOR_ENDPOINT,
        "the channel to an emulator has no TLS and carries no credentials",
    ),
    (
        &CREDENTIALS_JSON,
        &EMULATOR_ENDPOINT,
        "the channel to an emulator has no TLS and carries no credentials",
    ),
    (&ENDPOINT, &EMULATOR_ENDPOINT, "only one server is asked"),
    (
        &CREDENTIALS_JSON,
        &SERVICE_ACCOUNT_KEY_FILE,
        "only one key is used",
    ),
];

/// Reads the options of the connection.
pub(crate) fn read(
    section: &Section<'_>,
    report: &mut Report,
    base_dir: &Path,
) -> Read<Connection> {
    let key_file = section.read_optional(&SERVICE_ACCOUNT_KEY_FILE, report, |field, report| {
        path(field, report, base_dir)
    });
    let json = section.read_optional(&CREDENTIALS_JSON, report, credentials_json);
    let emulator = section.read_optional(&EMULATOR_ENDPOINT, report, endpoint::emulator);
    let service = section.read_optional(&ENDPOINT, report, endpoint::service);
    let exclusive = check_exclusive(section, report);
    let message_bytes_max = section.read(&MESSAGE_BYTES_MAX, report, size);
    let (key_file, json, emulator) = (key_file?, json?, emulator?);
    exclusive?;
    Ok(Connection {
        credentials: match (key_file, json) {
            (Some(path), _) => Credentials::KeyFile(path),
            (None, Some(json)) => Credentials::Json(json),
            (None, None) if emulator.is_some() => Credentials::None,
            (None, None) => Credentials::ApplicationDefault,
        },
        endpoint: emulator.or(service?).unwrap_or(Endpoint::Google),
        message_bytes_max: message_bytes_max?,
    })
}

fn check_exclusive(section: &Section<'_>, report: &mut Report) -> Read<()> {
    let mut outcome = Ok(());
    for (option, other, reason) in EXCLUSIVE {
        if section.given(option).is_some() && section.given(other).is_some() {
            let message = format!("cannot be combined with {}: {reason}", other.name);
            outcome = Err(section.problem(option, report, message));
        }
    }
    outcome
}

/// The messages show nothing of the value.
fn credentials_json(field: &Field<'_>, report: &mut Report) -> Read<Secret> {
    const WHAT: &str = "a text that holds the JSON object of a service-account key";
    let text = match &field.node.value {
        // JSON is YAML: without quotes the object is already read.
        Value::Map(_) => field.json(report)?.to_string(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Text(_) | Value::List(_) => {
            field.text(report, WHAT)?.to_owned()
        }
    };
    match serde_json::from_str::<serde_json::Value>(&text) {
        Ok(serde_json::Value::Object(_)) => Ok(Secret::new(text)),
        Ok(_) | Err(_) => Err(field.problem(report, format!("expected {WHAT}"))),
    }
}
