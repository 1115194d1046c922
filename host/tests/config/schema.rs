//! The JSON Schema says what the reader says, as far as a schema can: an independent validator and
//! the reader are given the same files.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use acequia_host::config::{CONNECTORS, Connector, OptionSpec, TYPES, parse, schema};
use jsonschema::Validator;
use serde_json::{Map, Value, json};

use crate::values::values;

/// Mistakes that lie between options, or in the text of the file: only the reader tells them.
const ONLY_THE_READER: [&str; 18] = [
    "error-batch-emulator-monitoring",
    "error-batch-expiry",
    "error-batch-hints-too-large",
    "error-batch-monitoring-unused",
    "error-batch-no-keys",
    "error-batch-parameters-twice",
    "error-bigtable-end-before-start",
    "error-bigtable-table-parts",
    "error-bigtable-timeout",
    "error-bigtable-without-validation",
    "error-client-metrics-unseen",
    "error-dead-letters-without-a-place",
    "error-dead-letters-without-use",
    "error-end-before-start",
    "error-limits-against-each-other",
    "error-no-checkpoint",
    "error-not-yaml",
    "error-two-documents",
];

pub(crate) fn validator(connector: &Connector) -> Validator {
    jsonschema::draft202012::new(&schema(connector.type_name).unwrap()).unwrap()
}

/// The connector that a golden file is for: Spanner's, unless the name of the case says another.
fn connector_of(case: &str) -> &'static Connector {
    let [spanner, bigtable, batch] = &CONNECTORS;
    if case.contains("-bigtable") {
        bigtable
    } else if case.contains("-batch") {
        batch
    } else {
        spanner
    }
}

/// The files of the golden folder whose names begin so.
fn golden(prefix: &str) -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/golden/config");
    let entries = std::fs::read_dir(folder).unwrap();
    let paths: BTreeSet<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    let case = |path: PathBuf| {
        let name = path
            .file_name()?
            .to_str()?
            .strip_suffix(".yaml")?
            .to_owned();
        let text = std::fs::read_to_string(&path).unwrap();
        name.starts_with(prefix).then_some((name, text))
    };
    paths.into_iter().filter_map(case).collect()
}

/// The file as an editor reads it: of an option that is given twice, the last counts.
fn document(text: &str) -> Option<Value> {
    let options = serde_saphyr::options! {
        duplicate_keys: serde_saphyr::options::DuplicateKeyPolicy::LastWins,
        strict_booleans: true,
    };
    serde_saphyr::from_str_with_options(text, options).ok()
}

fn minimal(connector: &Connector) -> Value {
    let mut file = json!({
        "apiVersion": "0.1.0",
        "meta": { "name": "orders", "type": connector.type_name, "version": "0.1.0" },
    });
    file[connector.section.name] = match connector.section.name {
        "spanner-change-stream" => json!({
            "database": "projects/p/instances/i/databases/d",
            "change-stream-name": "Orders",
        }),
        "bigtable-change-stream" => json!({
            "table": "projects/p/instances/i/tables/t",
            "app-profile-id": "single",
        }),
        "spanner-batch" => json!({
            "database": "projects/p/instances/i/databases/d",
            "read-operation": { "query": { "sql": "SELECT 1" } },
        }),
        other => panic!("say what a {other} needs"),
    };
    file
}

/// What the reader says of a file. JSON is YAML.
pub(crate) fn read(file: &Value) -> Result<(), String> {
    let read = parse(&file.to_string(), Path::new("/etc/acequia"));
    read.map(drop).map_err(|rejected| rejected.to_string())
}

/// The minimal file with a value at a path of members.
pub(crate) fn with(connector: &Connector, path: &[&str], value: Value) -> Value {
    fn put(map: &mut Map<String, Value>, path: &[&str], value: Value) {
        let [first, rest @ ..] = path else { return };
        if rest.is_empty() {
            map.insert((*first).to_owned(), value);
            return;
        }
        let inner = map.entry(*first).or_insert_with(|| json!({}));
        if !inner.is_object() {
            *inner = json!({});
        }
        put(inner.as_object_mut().unwrap(), rest, value);
    }
    let mut file = minimal(connector);
    // A table is read instead of the query, not beside it.
    if let [section, "read-operation", "table", rest @ ..] = path {
        let table = json!({ "name": "Orders", "columns": ["OrderId"] });
        let table = if rest.is_empty() { json!(null) } else { table };
        file[*section]["read-operation"] = json!({ "table": table });
    }
    put(file.as_object_mut().unwrap(), path, value);
    file
}

/// Every option that may be given with its path, each of its names once.
fn every_option(connector: &Connector) -> Vec<(Vec<&'static str>, &'static OptionSpec)> {
    fn walk(
        path: &[&'static str],
        options: &[&'static OptionSpec],
        found: &mut Vec<(Vec<&'static str>, &'static OptionSpec)>,
    ) {
        for option in options.iter().filter(|option| !option.is_refused()) {
            for name in std::iter::once(&option.name).chain(option.aliases) {
                found.push(([path, &[*name]].concat(), option));
            }
            walk(&[path, &[option.name]].concat(), option.members, found);
        }
    }
    let mut found = Vec::new();
    walk(&[], connector.options, &mut found);
    found
}

/// Every key of every mapping of the schema with its path.
fn every_key(schema: &Value, path: &[String], found: &mut BTreeSet<Vec<String>>) {
    let Some(map) = schema.as_object() else {
        return;
    };
    for (name, property) in map
        .get("properties")
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
    {
        let path = [path, std::slice::from_ref(name)].concat();
        every_key(property, &path, found);
        found.insert(path);
    }
    for alternative in map
        .get("anyOf")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
    {
        every_key(alternative, path, found);
    }
    if let Some(items) = map.get("items") {
        every_key(items, path, found);
    }
}

fn keys(connector: &Connector) -> BTreeSet<Vec<String>> {
    let mut found = BTreeSet::new();
    every_key(&schema(connector.type_name).unwrap(), &[], &mut found);
    found
}

#[test]
fn every_connector_of_this_build_has_a_schema_of_draft_2020_12_and_no_other_has() {
    for connector in TYPES {
        let schema = schema(connector).unwrap();
        assert!(jsonschema::draft202012::meta::is_valid(&schema));
        assert_eq!(schema["title"], json!(connector));
    }
    assert_eq!(schema("kafka-source"), None);
}

#[test]
fn every_option_has_a_kind() {
    for connector in &CONNECTORS {
        for (path, option) in every_option(connector) {
            assert!(
                option.kind().is_some(),
                "say the kind of {}",
                path.join(".")
            );
        }
    }
}

#[test]
fn every_right_file_is_valid() {
    let errors = |connector, file: &Value| -> Vec<String> {
        let validator = validator(connector);
        validator.iter_errors(file).map(|e| e.to_string()).collect()
    };
    let cases = golden("ok-");
    assert!(cases.len() >= 5);
    for (name, text) in cases {
        let file = document(&text).unwrap();
        assert_eq!(
            errors(connector_of(&name), &file),
            [] as [String; 0],
            "{name}"
        );
    }
    for connector in &CONNECTORS {
        let sample = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../connectors")
            .join(connector.section.name)
            .join("sample-config.yaml");
        let sample = std::fs::read_to_string(sample).unwrap();
        let file = document(&sample).unwrap();
        assert_eq!(errors(connector, &file), [] as [String; 0]);
    }
}

#[test]
fn every_file_with_a_wrong_key_type_or_word_is_not_valid() {
    for (name, text) in golden("error-") {
        let validator = validator(connector_of(&name));
        let file = document(&text);
        let is_valid = file.is_none_or(|file| validator.is_valid(&file));
        assert_eq!(is_valid, ONLY_THE_READER.contains(&name.as_str()), "{name}");
    }
}

#[test]
fn a_file_of_one_connector_is_not_valid_for_another() {
    let pairs = CONNECTORS
        .iter()
        .flat_map(|one| CONNECTORS.iter().map(move |another| (one, another)));
    for (one, another) in pairs.filter(|(one, another)| one.type_name != another.type_name) {
        assert!(validator(one).is_valid(&minimal(one)));
        assert!(!validator(another).is_valid(&minimal(one)));
        let mistyped = with(one, &["meta", "type"], json!(another.type_name));
        assert!(!validator(one).is_valid(&mistyped));
    }
}

#[test]
fn every_key_that_the_reader_takes_is_in_the_schema() {
    for connector in &CONNECTORS {
        let keys = keys(connector);
        for (path, _) in every_option(connector) {
            let path: Vec<_> = path.into_iter().map(str::to_owned).collect();
            assert!(keys.contains(&path), "{}", path.join("."));
        }
    }
}

#[test]
fn every_key_of_the_schema_is_known_to_the_reader() {
    for connector in &CONNECTORS {
        for path in keys(connector) {
            the_reader_knows(connector, &path);
        }
    }
}

fn the_reader_knows(connector: &Connector, path: &[String]) {
    let names: Vec<_> = path.iter().map(String::as_str).collect();
    // Elements of a list stand in one.
    let mut file = with(connector, &names, Value::Null);
    for list in [
        "directed-read/include/replicas",
        "directed-read/exclude/replicas",
        "read-operation/table/key-set/ranges",
    ] {
        let place = format!("/{}/{list}", connector.section.name);
        if let Some(element) = file.pointer_mut(&place).filter(|value| value.is_object()) {
            *element = json!([element.take()]);
        }
    }
    let said = read(&file).err().unwrap_or_default();
    let key = path.last().unwrap();
    let mut unknown = said.lines().filter(|line| line.contains("unknown option"));
    assert!(
        unknown.all(|line| !line.contains(&format!("{key}: "))),
        "{}: {said}",
        path.join(".")
    );
}

#[test]
fn a_key_that_the_reader_does_not_know_is_not_valid() {
    for connector in &CONNECTORS {
        let validator = validator(connector);
        let section = connector.section.name;
        for path in [
            &["colour"][..],
            &[section, "colour"],
            &[section, "pipeline", "colour"],
            &[section, "sink", "file", "colour"],
            &[section, "deserializer", "colour"],
        ] {
            let file = with(connector, path, json!("blue"));
            assert!(read(&file).unwrap_err().contains("unknown"), "{path:?}");
            assert!(!validator.is_valid(&file), "{path:?}");
        }
        // In `meta` such a key is warned about.
        let file = with(connector, &["meta", "colour"], json!("blue"));
        assert!(read(&file).is_ok() && validator.is_valid(&file));
    }
}

/// The other way round does not hold: a schema does not know that a heartbeat is at most 5 minutes.
#[test]
fn whatever_value_the_reader_takes_is_valid() {
    for connector in &CONNECTORS {
        let validator = validator(connector);
        let mut taken = 0;
        for (path, _) in every_option(connector) {
            for value in values() {
                let file = with(connector, &path, value);
                if read(&file).is_ok() {
                    taken += 1;
                    let errors: Vec<_> = validator
                        .iter_errors(&file)
                        .map(|e| e.to_string())
                        .collect();
                    assert_eq!(errors, [] as [String; 0], "{file}");
                }
            }
        }
        assert!(
            taken > 500,
            "{taken} values were taken: these values try nothing"
        );
    }
}
