//! The documents of the connector say what the table of options says.
//!
//! `UPDATE_EXPECT=1` rewrites the table in its README.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use acequia_host::config::{Config, OPTIONS, OptionSpec, Presence, RecordIdField, parse};

const SECTION: &str = "spanner-change-stream";
const BEGIN: &str = "<!-- options: begin -->\n";
const END: &str = "<!-- options: end -->\n";

fn document(name: &str) -> (PathBuf, String) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../connectors/spanner-change-stream")
        .join(name);
    let text = std::fs::read_to_string(&path).unwrap();
    (path, text)
}

fn section() -> &'static OptionSpec {
    OPTIONS
        .iter()
        .find(|option| option.name == SECTION)
        .unwrap()
}

fn read(text: &str) -> Config {
    parse(text, Path::new(".")).unwrap_or_else(|problems| panic!("{problems}\n{text}"))
}

/// The sample without the `#` of one block of options, for every block. A comment has one space
/// after its `#`; an option has none, and a member of one has more.
fn uncommented(sample: &str) -> Vec<String> {
    let is_option = |line: &&str| {
        let rest = line.strip_prefix("  #").unwrap_or(" ");
        !rest.is_empty() && (!rest.starts_with(' ') || rest.starts_with("  "))
    };
    let lines: Vec<_> = sample.lines().collect();
    let mut texts = Vec::new();
    let mut start = 0;
    while let Some(first) = lines[start..].iter().position(is_option) {
        let block = &lines[start + first..];
        let length = block.iter().take_while(|line| is_option(line)).count();
        let (before, rest) = lines.split_at(start + first);
        let (block, after) = rest.split_at(length);
        let block = block.iter().map(|line| line.replacen('#', "", 1));
        let before = before.iter().map(|line| (*line).to_owned());
        let after = after.iter().map(|line| (*line).to_owned());
        let text: Vec<_> = before.chain(block).chain(after).collect();
        texts.push(text.join("\n"));
        start += first + length;
    }
    texts
}

#[test]
fn the_sample_is_right_as_it_stands() {
    assert_eq!(
        read(&document("sample-config.yaml").1).warnings,
        Vec::<String>::new()
    );
}

#[test]
fn every_option_of_the_sample_is_right_and_stands_there_with_its_default() {
    let (_, sample) = document("sample-config.yaml");
    let plain = read(&sample);
    let mut seen = BTreeSet::new();
    for text in uncommented(&sample) {
        let config = read(&text);
        let added = text
            .lines()
            .find(|line| !sample.lines().any(|l| l == *line))
            .unwrap();
        let name = added.trim().split(':').next().unwrap();
        let option = section()
            .members
            .iter()
            .find(|option| option.name == name)
            .unwrap();
        if matches!(option.presence, Presence::Default(_)) && seen.insert(name.to_owned()) {
            let config = Config {
                existing_state_written_out: false,
                record_id_field: RecordIdField {
                    written_out: false,
                    ..config.record_id_field
                },
                ..config
            };
            assert_eq!(config, plain, "the default of {name} is another");
        }
        seen.insert(name.to_owned());
    }
    let required = |option: &OptionSpec| option.presence == Presence::Required;
    for option in section().members.iter().filter(|option| !required(option)) {
        assert!(
            seen.contains(option.name),
            "{} is not in the sample",
            option.name
        );
    }
}

#[test]
fn every_limit_of_the_pipeline_is_in_the_sample() {
    let (_, sample) = document("sample-config.yaml");
    let pipeline = section()
        .members
        .iter()
        .find(|o| o.name == "pipeline")
        .unwrap();
    for option in pipeline.members {
        let Presence::Default(default) = option.presence else {
            panic!("{} has no default", option.name)
        };
        let line = format!("  #  {}: {default}\n", option.name);
        assert!(sample.contains(&line), "{line}");
    }
}

/// The table of a README, from the table of options.
fn table() -> String {
    let mut text = String::from(
        "| option | value | default | what it does | also called |\n|---|---|---|---|---|\n",
    );
    let mut shown = BTreeSet::new();
    rows("", section().members, &mut shown, &mut text);
    text
}

/// Options that several others share are shown under the first.
fn rows(
    path: &str,
    options: &[&OptionSpec],
    shown: &mut BTreeSet<Vec<&'static str>>,
    text: &mut String,
) {
    for option in options {
        let path = format!("{path}{}", option.name);
        let default = match option.presence {
            Presence::Required => "**required**".to_owned(),
            Presence::Default(default) => format!("`{default}`"),
            Presence::Optional(without) => format!("without it: {without}"),
        };
        let aliases: Vec<_> = option
            .aliases
            .iter()
            .map(|alias| format!("`{alias}`"))
            .collect();
        let row = [
            format!("`{path}`"),
            option.value.to_owned(),
            default,
            option.doc.to_owned(),
            aliases.join(", "),
        ];
        let cells = row.map(|cell| cell.replace('|', "\\|").replace('<', "&lt;"));
        text.push_str(&format!("| {} |\n", cells.join(" | ")));
        if shown.insert(option.members.iter().map(|member| member.name).collect()) {
            rows(&format!("{path}."), option.members, shown, text);
        }
    }
}

#[test]
fn the_readme_has_every_option_with_its_default() {
    let (path, readme) = document("README.md");
    let (before, rest) = readme.split_once(BEGIN).unwrap();
    let (_, after) = rest.split_once(END).unwrap();
    let expected = format!("{before}{BEGIN}{}{END}{after}", table());
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, &expected).unwrap();
    } else {
        assert!(
            readme == expected,
            "run with UPDATE_EXPECT=1, then review {path:?}"
        );
    }
}

#[test]
fn the_package_of_fluvio_requires_what_the_connector_requires() {
    let (_, package) = document("Connector.toml");
    let required: Vec<_> = section()
        .members
        .iter()
        .filter(|option| option.presence == Presence::Required)
        .map(|option| format!("{:?}", option.name))
        .collect();
    let custom = format!(
        "[custom]\nname = {SECTION:?}\nrequired = [{}]\n",
        required.join(", ")
    );
    assert!(package.contains(&custom), "{custom}");
    for name in required {
        let properties = format!("[custom.properties.{}]\n", name.trim_matches('"'));
        assert!(package.contains(&properties), "{properties}");
    }
}

#[test]
fn the_package_of_fluvio_is_the_type_that_the_file_names() {
    let (_, package) = document("Connector.toml");
    let config = read(&document("sample-config.yaml").1);
    let name = config.meta.connector_type;
    assert!(
        name.ends_with("-source"),
        "Fluvio takes the direction from the name"
    );
    assert!(package.contains(&format!("[package]\nname = {name:?}\n")));
    assert!(package.contains("[direction]\nsource = true\n"));
    assert!(package.contains(&format!("[deployment]\nbinary = {name:?}\n")));
    assert!(
        document("Cargo.toml")
            .1
            .contains(&format!("[package]\nname = {name:?}\n"))
    );
}
