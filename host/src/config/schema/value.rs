//! The schema of one value, by its kind.

use serde_json::{Map, Value, json};

use super::mapping;
use crate::config::Kind;
use crate::config::option::OptionSpec;

/// The schema of an option's value.
pub(super) fn of(at: &str, option: &OptionSpec) -> Map<String, Value> {
    // A test holds that every option has a kind; without one a schema says nothing of the value.
    option
        .kind()
        .map_or_else(Map::new, |kind| of_kind(at, option, kind))
}

fn of_kind(at: &str, option: &OptionSpec, kind: Kind) -> Map<String, Value> {
    match kind {
        Kind::Anything => Map::new(),
        Kind::Text => object(json!({ "type": "string" })),
        Kind::Name => pattern(r"^\S(.*\S)?$"),
        Kind::Pattern(text) => pattern(text),
        Kind::Words(words) => object(json!({ "enum": words })),
        Kind::Null => object(json!({ "type": "null" })),
        Kind::Boolean => object(json!({ "type": "boolean" })),
        Kind::Integer => object(json!({ "type": "integer" })),
        Kind::Count { min, max } => count(min, max),
        Kind::Size => object(json!({ "anyOf": [
            { "type": "integer", "minimum": 1 },
            pattern(r"^0*[1-9][0-9]*\s*(B|KB|MB|GB|KiB|MiB|GiB)$"),
        ] })),
        Kind::Duration => pattern(DURATION),
        Kind::PositiveDuration => {
            let mut duration = pattern(DURATION);
            duration.insert("allOf".to_owned(), json!([{ "pattern": "[1-9]" }]));
            duration
        }
        Kind::Instant => pattern(INSTANT),
        Kind::EmptyList => object(json!({ "type": "array", "maxItems": 0 })),
        Kind::List { min, max, of } => list(at, option, (min, max), *of),
        Kind::Members { min } => {
            let mut members = mapping(at, option.members);
            if min > 0 {
                members.insert("minProperties".to_owned(), json!(min));
            }
            members
        }
        Kind::OpenMembers => {
            let mut members = mapping(at, option.members);
            members.remove("additionalProperties");
            members
        }
        Kind::Mapping => object(json!({ "type": "object" })),
        Kind::Named(names, kind) => {
            let kind = of_kind(&format!("{at}/additionalProperties"), option, *kind);
            object(json!({
                "type": "object",
                "propertyNames": { "pattern": names },
                "additionalProperties": kind,
            }))
        }
        Kind::Exactly(members) => {
            let mut content = closed(at, option, members);
            let names: Vec<_> = members.iter().map(|(name, _)| *name).collect();
            content.insert("required".to_owned(), json!(names));
            content
        }
        Kind::Holding(path, kind) => holding(at, option, path, *kind),
        Kind::Either(kinds) => {
            let each = kinds.iter().enumerate().map(|(place, kind)| {
                let at = format!("{at}/anyOf/{place}");
                Value::from(of_kind(&at, option, *kind))
            });
            any_of(each)
        }
        Kind::WordOrMember(words) => {
            let members = one_member(mapping(&format!("{at}/anyOf/1"), option.members));
            word_or(words, members)
        }
        Kind::WordOr(words, members) => {
            let content = closed(&format!("{at}/anyOf/1"), option, members);
            word_or(words, one_member(content))
        }
        Kind::Component(builtins) => component(at, option, builtins),
    }
}

/// A mapping with no other members than these.
fn closed(at: &str, option: &OptionSpec, members: &[(&str, Kind)]) -> Map<String, Value> {
    let members = members.iter().map(|(name, kind)| {
        let member = of_kind(&format!("{at}/properties/{name}"), option, *kind);
        ((*name).to_owned(), member.into())
    });
    let members: Map<String, Value> = members.collect();
    object(json!({
        "type": "object",
        "additionalProperties": false,
        "properties": members,
    }))
}

/// Whole numbers, each with its unit, larger units first. The shortest has two characters.
const DURATION: &str = "^([0-9]+d)?([0-9]+h)?([0-9]+m)?([0-9]+s)?([0-9]+ms)?([0-9]+us)?$";

/// Source: RFC 3339
const INSTANT: &str = "^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}\
                       (\\.[0-9]{1,9})?([Zz]|[+-][0-9]{2}:[0-9]{2})$";

/// A text of one character is in none of the patterns that an empty one is in.
fn pattern(text: &str) -> Map<String, Value> {
    object(json!({ "type": "string", "minLength": 1, "pattern": text }))
}

fn count(min: u64, max: u64) -> Map<String, Value> {
    let mut count = object(json!({ "type": "integer", "minimum": min }));
    if max < u64::MAX {
        count.insert("maximum".to_owned(), json!(max));
    }
    count
}

fn list(at: &str, option: &OptionSpec, (min, max): (u64, u64), of: Kind) -> Map<String, Value> {
    let items = of_kind(&format!("{at}/items"), option, of);
    let mut list = object(json!({ "type": "array", "items": items }));
    if min > 0 {
        list.insert("minItems".to_owned(), json!(min));
    }
    if max < u64::MAX {
        list.insert("maxItems".to_owned(), json!(max));
    }
    list
}

fn holding(at: &str, option: &OptionSpec, path: &[&str], kind: Kind) -> Map<String, Value> {
    match path {
        [] => of_kind(at, option, kind),
        [first, rest @ ..] => {
            let inner = holding(&format!("{at}/properties/{first}"), option, rest, kind);
            object(json!({
                "type": "object",
                "required": [first],
                "properties": { *first: inner },
            }))
        }
    }
}

fn one_member(mut mapping: Map<String, Value>) -> Map<String, Value> {
    mapping.insert("minProperties".to_owned(), json!(1));
    mapping.insert("maxProperties".to_owned(), json!(1));
    mapping
}

/// The mapping stands second, even where there is no word.
fn word_or(words: &[&str], mapping: Map<String, Value>) -> Map<String, Value> {
    let words = if words.is_empty() {
        json!(false)
    } else {
        json!({ "enum": words })
    };
    any_of([words, mapping.into()])
}

/// A place is a file or a built-in component. A mapping without either, or with both, is neither.
fn component(at: &str, option: &OptionSpec, builtins: &[&str]) -> Map<String, Value> {
    let mut members = mapping(&format!("{at}/anyOf/1"), option.members);
    let places = json!([{ "required": ["builtin"] }, { "required": ["path"] }]);
    members.insert("oneOf".to_owned(), places);
    let builtin = if builtins.is_empty() {
        json!({ "not": {}, "description": "There is no built-in component here." })
    } else {
        json!({ "enum": builtins, "description": "A component inside this binary." })
    };
    if let Some(Value::Object(properties)) = members.get_mut("properties") {
        properties.insert("builtin".to_owned(), builtin);
    }
    word_or(builtins, members)
}

fn any_of(each: impl IntoIterator<Item = Value>) -> Map<String, Value> {
    let each: Vec<_> = each.into_iter().collect();
    object(json!({ "anyOf": each }))
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            Map::new()
        }
    }
}
