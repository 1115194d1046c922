//! The documents of each connector say what its table of options says.
//!
//! `UPDATE_EXPECT=1` rewrites the tables in the READMEs.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use acequia_host::config::{
    CONNECTORS, Config, Connector, OptionSpec, Presence, RecordIdField, parse,
};

const BEGIN: &str = "<!-- options: begin -->\n";
const END: &str = "<!-- options: end -->\n";

/// A document in the folder of the connector, which is named after its section.
fn document(connector: &Connector, name: &str) -> (PathBuf, String) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../connectors")
        .join(connector.section.name)
        .join(name);
    let text = std::fs::read_to_string(&path).unwrap();
    (path, text)
}

/// The options of the connector's section that may be given.
fn members(connector: &Connector) -> impl Iterator<Item = &'static OptionSpec> {
    let members = connector.section.members.iter().copied();
    members.filter(|option| !option.is_refused())
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
    for connector in &CONNECTORS {
        let (_, sample) = document(connector, "sample-config.yaml");
        assert_eq!(read(&sample).warnings, Vec::<String>::new());
    }
}

#[test]
fn every_option_of_the_sample_is_right_and_stands_there_with_its_default() {
    CONNECTORS.iter().for_each(the_sample_tries_every_option);
}

fn the_sample_tries_every_option(connector: &Connector) {
    let (_, sample) = document(connector, "sample-config.yaml");
    let plain = read(&sample);
    let mut seen = BTreeSet::new();
    for text in uncommented(&sample) {
        let config = read(&text);
        let added = text
            .lines()
            .find(|line| !sample.lines().any(|l| l == *line))
            .unwrap();
        let name = added.trim().split(':').next().unwrap();
        let option = members(connector)
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
    let name_of = |line: &str| line.trim().split(':').next().map(str::to_owned);
    seen.extend(sample.lines().filter_map(name_of));
    let is_given = |name: &&str| {
        sample
            .lines()
            .any(|line| line.starts_with(&format!("  {name}: ")))
    };
    for option in members(connector) {
        // Another way to say what the sample says already.
        if option.not_with.iter().any(is_given) {
            continue;
        }
        assert!(
            seen.contains(option.name),
            "{} is not in the sample",
            option.name
        );
    }
}

#[test]
fn every_limit_of_the_pipeline_is_in_the_sample() {
    for connector in &CONNECTORS {
        let (_, sample) = document(connector, "sample-config.yaml");
        let pipeline = members(connector).find(|o| o.name == "pipeline").unwrap();
        for option in pipeline.members {
            let Presence::Default(default) = option.presence else {
                panic!("{} has no default", option.name)
            };
            let line = format!("  #  {}: {default}\n", option.name);
            assert!(sample.contains(&line), "{line}");
        }
    }
}

/// The table of a README, from the table of options.
fn table(connector: &Connector) -> String {
    let mut text = String::from(
        "| option | value | default | what it does | also called |\n|---|---|---|---|---|\n",
    );
    let mut shown = BTreeSet::new();
    rows("", connector.section.members, &mut shown, &mut text);
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
            Presence::Refused(_) => continue,
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
fn every_readme_has_every_option_with_its_default() {
    CONNECTORS.iter().for_each(the_readme_has_every_option);
}

fn the_readme_has_every_option(connector: &Connector) {
    let (path, readme) = document(connector, "README.md");
    let (before, rest) = readme.split_once(BEGIN).unwrap();
    let (_, after) = rest.split_once(END).unwrap();
    let expected = format!("{before}{BEGIN}{}{END}{after}", table(connector));
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
fn the_readme_tells_of_every_option_that_is_refused() {
    for connector in &CONNECTORS {
        let (_, readme) = document(connector, "README.md");
        for option in connector.section.members {
            let name = format!("`{}`", option.name);
            assert!(!option.is_refused() || readme.contains(&name), "{name}");
        }
    }
}

#[test]
fn the_package_of_fluvio_requires_what_the_connector_requires() {
    for connector in &CONNECTORS {
        let (_, package) = document(connector, "Connector.toml");
        let required: Vec<_> = members(connector)
            .filter(|option| option.presence == Presence::Required)
            .map(|option| format!("{:?}", option.name))
            .collect();
        let custom = format!(
            "[custom]\nname = {:?}\nrequired = [{}]\n",
            connector.section.name,
            required.join(", ")
        );
        assert!(package.contains(&custom), "{custom}");
        for name in required {
            let properties = format!("[custom.properties.{}]\n", name.trim_matches('"'));
            assert!(package.contains(&properties), "{properties}");
        }
    }
}

#[test]
fn the_package_of_fluvio_is_the_type_that_the_file_names() {
    for connector in &CONNECTORS {
        let (_, package) = document(connector, "Connector.toml");
        let config = read(&document(connector, "sample-config.yaml").1);
        let name = config.meta.connector_type;
        assert_eq!(name, connector.type_name);
        assert!(
            name.ends_with("-source"),
            "Fluvio takes the direction from the name"
        );
        assert!(package.contains(&format!("[package]\nname = {name:?}\n")));
        assert!(package.contains("[direction]\nsource = true\n"));
        assert!(package.contains(&format!("[deployment]\nbinary = {name:?}\n")));
        let manifest = document(connector, "Cargo.toml").1;
        assert!(manifest.contains(&format!("[package]\nname = {name:?}\n")));
    }
}
