//! Types of columns, as the JSON form of `google.spanner.v1.Type` that change records use, and the
//! message that they stand for.

use googleapis_tonic_google_spanner_v1::google::spanner::v1::struct_type::Field;
use serde_json::{Value as Json, json};

use crate::spanner::wire::type_of;

/// A type without parts, by its code: `INT64`, `FLOAT32`, `BYTES`, ...
#[must_use]
pub fn scalar(code: &str) -> Json {
    json!({ "code": code })
}

/// An array of `element`.
#[must_use]
pub fn array(element: Json) -> Json {
    json!({ "code": "ARRAY", "array_element_type": element })
}

/// A struct of fields; a name may be empty or come twice.
#[must_use]
pub fn structure<'a>(fields: impl IntoIterator<Item = (&'a str, Json)>) -> Json {
    let field = |(name, r#type): (&str, Json)| json!({ "name": name, "type": r#type });
    let fields: Vec<Json> = fields.into_iter().map(field).collect();
    json!({ "code": "STRUCT", "struct_type": { "fields": fields } })
}

/// A type of PostgreSQL by its code and annotation: `JSON` and `PG_JSONB`, `NUMERIC` and `PG_NUMERIC`.
#[must_use]
pub fn annotated(code: &str, annotation: &str) -> Json {
    json!({ "code": code, "type_annotation": annotation })
}

/// The code's name; empty when there is none.
pub(super) fn code(r#type: &Json) -> &str {
    text(r#type, "code")
}

pub(super) fn element(r#type: &Json) -> &Json {
    r#type.get("array_element_type").unwrap_or(&Json::Null)
}

/// The fields of a struct with their names.
pub(super) fn fields(r#type: &Json) -> impl Iterator<Item = (&str, &Json)> {
    let fields = r#type.get("struct_type").and_then(|s| s.get("fields"));
    let fields = fields.and_then(Json::as_array).into_iter().flatten();
    fields.map(|field| {
        let r#type = field.get("type").unwrap_or(&Json::Null);
        (text(field, "name"), r#type)
    })
}

/// A column of a result.
pub(crate) fn field(name: &str, r#type: &Json) -> Field {
    Field {
        name: name.to_owned(),
        r#type: Some(type_of(r#type)),
    }
}

fn text<'a>(object: &'a Json, member: &str) -> &'a str {
    object
        .get(member)
        .and_then(Json::as_str)
        .unwrap_or_default()
}
