//! The table of options as a JSON Schema, draft 2020-12, for editors.
//!
//! A schema says less than reading does: how options bear on each other, or that a duration is at
//! most a minute, is for the reader to tell. What the reader takes, the schema takes.

mod value;

use serde_json::{Map, Value, json};

use super::connector;
use super::meta::{API_VERSION, META, TYPE};
use super::option::{OptionSpec, Presence};
use super::read::{Field, Node, Report};

/// The schema of the configuration file of a connector, by its type; none for a type that there is
/// not.
#[must_use]
pub fn schema(connector_type: &str) -> Option<Value> {
    let connector = connector::of_type(connector_type)?;
    let mut file = mapping("#", connector.options);
    file.insert(
        "$schema".to_owned(),
        json!("https://json-schema.org/draft/2020-12/schema"),
    );
    file.insert("title".to_owned(), json!(connector_type));
    // The options are those of this connector, so a file of another is not one of this schema.
    let own_type = json!({ "properties": { TYPE.name: { "const": connector_type } } });
    let rule = json!({ "properties": { META.name: own_type } });
    file.insert("allOf".to_owned(), json!([rule]));
    // Only the version of the layout says what a topic looks like.
    let topic = |of_type: &str| {
        let topic = json!({ "properties": { "topic": { "type": of_type } } });
        json!({ "properties": { META.name: topic } })
    };
    let condition = json!({
        "properties": { API_VERSION.name: { "const": "0.2.0" } },
        "required": [API_VERSION.name],
    });
    file.insert("if".to_owned(), condition);
    file.insert("then".to_owned(), topic("object"));
    file.insert("else".to_owned(), topic("string"));
    Some(file.into())
}

/// A mapping of options. `at` is where it stands in the schema, as a JSON pointer.
fn mapping(at: &str, options: &[&OptionSpec]) -> Map<String, Value> {
    let mut properties = Map::new();
    let mut rules = Vec::new();
    let mut required = Vec::new();
    for option in options.iter().filter(|option| !option.is_refused()) {
        let here = format!("{at}/properties/{}", option.name);
        properties.insert(option.name.to_owned(), described(&here, option));
        for alias in option.aliases {
            let another = json!({
                "$ref": here,
                "description": format!("Another name of {}.", option.name),
            });
            properties.insert((*alias).to_owned(), another);
        }
        if option.presence == Presence::Required {
            match option.aliases {
                [] => required.push(option.name),
                _ => rules.push(one_of_its_names(option)),
            }
        }
        rules.extend(not_under_two_names(option));
        rules.extend(not_together(option, options));
    }
    let mut mapping = Map::new();
    mapping.insert("type".to_owned(), json!("object"));
    mapping.insert("additionalProperties".to_owned(), json!(false));
    mapping.insert("properties".to_owned(), properties.into());
    if !required.is_empty() {
        mapping.insert("required".to_owned(), json!(required));
    }
    if !rules.is_empty() {
        mapping.insert("allOf".to_owned(), rules.into());
    }
    mapping
}

/// An option with what people want to know of it.
fn described(at: &str, option: &OptionSpec) -> Value {
    let mut schema = value::of(at, option);
    let mut description = option.doc.to_owned();
    match option.presence {
        Presence::Required | Presence::Refused(_) => {}
        Presence::Default(text) => {
            if let Some(default) = default(text) {
                schema.insert("default".to_owned(), default);
            }
        }
        Presence::Optional(without) => description.push_str(&format!(" Without it: {without}.")),
    }
    schema.insert("description".to_owned(), description.into());
    schema.into()
}

/// A default, which stands in the table as YAML.
fn default(text: &str) -> Option<Value> {
    let node = Node::parse(text).unwrap_or_else(|_| Node::text(text));
    Field::new(&node, "").json(&mut Report::default()).ok()
}

fn spellings<'a>(option: &'a OptionSpec) -> impl Iterator<Item = &'static str> + Clone + 'a {
    std::iter::once(option.name).chain(option.aliases.iter().copied())
}

fn one_of_its_names(option: &OptionSpec) -> Value {
    let names: Vec<_> = spellings(option)
        .map(|name| json!({ "required": [name] }))
        .collect();
    json!({ "anyOf": names })
}

fn not_under_two_names(option: &OptionSpec) -> Vec<Value> {
    let pairs = spellings(option).enumerate().flat_map(|(place, first)| {
        let rest = spellings(option).skip(place + 1);
        rest.map(move |second| json!({ "not": { "required": [first, second] } }))
    });
    pairs.collect()
}

/// Options that exclude each other. An empty list is as good as none.
fn not_together(option: &OptionSpec, options: &[&OptionSpec]) -> Vec<Value> {
    let others = options
        .iter()
        .filter(|other| option.not_with.contains(&other.name));
    let pairs = others.flat_map(|other| {
        spellings(option)
            .flat_map(move |first| spellings(other).map(move |second| (first, second)))
            .map(move |(first, second)| {
                let given = json!({ first: given(option), second: given(other) });
                json!({ "not": { "required": [first, second], "properties": given } })
            })
    });
    pairs.collect()
}

fn given(option: &OptionSpec) -> Value {
    match option.kind() {
        Some(super::Kind::List { .. }) => json!({ "minItems": 1 }),
        Some(_) | None => json!(true),
    }
}
