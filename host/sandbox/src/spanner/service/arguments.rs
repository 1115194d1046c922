//! The arguments of a change stream's function, from the statement and the request's parameters.
//!
//! Source: <https://cloud.google.com/spanner/docs/change-streams/details>, query syntax.

use std::time::Duration;

use googleapis_tonic_google_spanner_v1::google::spanner::v1::ExecuteSqlRequest;
use jiff::Timestamp;
use prost_types::value::Kind;
use tonic::Status;

use crate::spanner::{
    script::{Dialect, Mode},
    sql::{Call, Operand},
};

/// In the order in which they come without names.
const NAMES: [&str; 5] = [
    "start_timestamp",
    "end_timestamp",
    "partition_token",
    "heartbeat_milliseconds",
    "read_options",
];

/// What a query asks for, before it is checked against the stream.
#[derive(Clone, Debug)]
pub(super) struct Arguments {
    pub(super) start: Timestamp,
    pub(super) end: Option<Timestamp>,
    pub(super) token: Option<String>,
    pub(super) heartbeat: Duration,
}

/// The name of the function that reads `stream`.
pub(super) fn function(stream: &str, dialect: Dialect, mode: Mode) -> String {
    match (dialect, mode) {
        (Dialect::GoogleSql, _) => format!("READ_{stream}"),
        (Dialect::Postgres, Mode::Immutable) => format!("read_json_{stream}"),
        (Dialect::Postgres, Mode::Mutable) => format!("read_proto_bytes_{stream}"),
    }
}

/// Whether the call is one of `function`, and nothing else is in its statement.
pub(super) fn check_call(call: &Call, function: &str, dialect: Dialect) -> Result<(), Status> {
    let found = match dialect {
        Dialect::GoogleSql => call.schema.is_none() && call.function.eq_ignore_ascii_case(function),
        Dialect::Postgres => call.schema.as_deref() == Some("spanner") && call.function == function,
    };
    let named = call
        .schema
        .iter()
        .chain([&call.function])
        .cloned()
        .collect::<Vec<_>>()
        .join(".");
    match (found, dialect) {
        (false, Dialect::GoogleSql) => Err(Status::invalid_argument(format!(
            "Table-valued function not found: {named}"
        ))),
        (false, Dialect::Postgres) => Err(Status::not_found(format!(
            "function {named} does not exist"
        ))),
        (true, _) if call.combined => Err(Status::unimplemented(format!(
            "Change stream TVF must not be combined with any other SQL statements. Change stream \
             records should be read using `SELECT ChangeRecord FROM {named}(<args>)`."
        ))),
        (true, _) => Ok(()),
    }
}

impl Arguments {
    pub(super) fn of(call: &Call, request: &ExecuteSqlRequest) -> Result<Self, Status> {
        let given = Given { call, request };
        if call.arguments.len() > NAMES.len() {
            return Err(Status::invalid_argument(
                "Signature accepts at most 5 arguments",
            ));
        }
        for argument in &call.arguments {
            let known = |name: &String| NAMES.iter().any(|known| name.eq_ignore_ascii_case(known));
            if let Some(name) = argument.name.as_ref().filter(|name| !known(name)) {
                return Err(Status::invalid_argument(format!(
                    "Named argument {name} not found"
                )));
            }
        }
        if given.text(4)?.is_some() {
            return Err(Status::invalid_argument("read_options must be NULL"));
        }
        let start = given.instant(0)?;
        let start = start.ok_or_else(|| missing("start_timestamp"))?;
        let heartbeat = given
            .text(3)?
            .ok_or_else(|| missing("heartbeat_milliseconds"))?;
        let heartbeat: i64 = heartbeat
            .parse()
            .map_err(|_| Status::invalid_argument("heartbeat_milliseconds is not an INT64"))?;
        Ok(Self {
            start,
            end: given.instant(1)?,
            token: given.text(2)?,
            heartbeat: Duration::from_millis(heartbeat.try_into().unwrap_or(0)),
        })
    }
}

struct Given<'a> {
    call: &'a Call,
    request: &'a ExecuteSqlRequest,
}

impl Given<'_> {
    /// The argument of that place or name; `None` when it is NULL or left out.
    fn text(&self, place: usize) -> Result<Option<String>, Status> {
        let name = NAMES.get(place).copied().unwrap_or_default();
        let by_name = self.call.arguments.iter().find(|argument| {
            argument
                .name
                .as_ref()
                .is_some_and(|given| given.eq_ignore_ascii_case(name))
        });
        let by_place = self
            .call
            .arguments
            .get(place)
            .filter(|argument| argument.name.is_none());
        by_name
            .or(by_place)
            .map_or(Ok(None), |argument| value(&argument.value, self.request))
    }

    fn instant(&self, place: usize) -> Result<Option<Timestamp>, Status> {
        self.text(place)?.map(|text| timestamp(&text)).transpose()
    }
}

/// What an operand stands for: text, or nothing for NULL.
pub(super) fn value(
    operand: &Operand,
    request: &ExecuteSqlRequest,
) -> Result<Option<String>, Status> {
    let name = match operand {
        Operand::Text(text) | Operand::Number(text) => return Ok(Some(text.clone())),
        Operand::Null => return Ok(None),
        Operand::Parameter(name) => name,
    };
    let parameter = request.params.as_ref().and_then(|params| {
        let mut fields = params.fields.iter();
        fields
            .find(|(given, _)| given.eq_ignore_ascii_case(name))
            .map(|(_, value)| value)
    });
    match parameter.and_then(|value| value.kind.as_ref()) {
        Some(Kind::StringValue(text)) => Ok(Some(text.clone())),
        Some(Kind::NullValue(_)) => Ok(None),
        // Source: `google/spanner/v1/type.proto`, TypeCode: TIMESTAMP, INT64 and STRING are strings.
        Some(_) => Err(Status::invalid_argument(format!(
            "Parameter {name} must be encoded as a string"
        ))),
        None => Err(Status::invalid_argument(format!(
            "No parameter found for binding: {name}"
        ))),
    }
}

fn timestamp(text: &str) -> Result<Timestamp, Status> {
    if !text.ends_with('Z') {
        return Err(Status::failed_precondition(format!(
            "Could not parse {text} as a TIMESTAMP. The timestamp value must end with an \
             uppercase literal 'Z'"
        )));
    }
    let wrong = |_| Status::failed_precondition(format!("Could not parse {text} as a TIMESTAMP"));
    text.parse().map_err(wrong)
}

fn missing(name: &str) -> Status {
    Status::invalid_argument(format!("{name} must not be null"))
}
