//! Whether a component fits the place that it is configured for: its exports and imports, by name.

use thiserror::Error;
use wasmtime::Engine;
use wasmtime::component::Component;
use wasmtime::component::types::ComponentItem;

use super::world::World;

/// Why a component does not fit its place.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum MisfitError {
    /// It lacks exports of the world.
    #[error("{}", missing_message(*world, missing, found, *looks_like))]
    Exports {
        /// The world that is needed.
        world: World,
        /// The interfaces of that world that are missing.
        missing: Vec<String>,
        /// The interfaces that the component exports.
        found: Vec<String>,
        /// The world that the component has instead.
        looks_like: Option<World>,
    },
    /// It asks for more than a component is granted.
    #[error(
        "the import of {} is not granted: a component may import acequia:connector/log and WASI 0.2 \
         (cli, clocks, filesystem, io, random, sockets), which finds nothing there",
        listed(not_granted)
    )]
    Imports {
        /// The imports that are not granted.
        not_granted: Vec<String>,
    },
}

/// Checks a component against a world. Answers whether it is pure: whether it imports the log at
/// most.
pub(super) fn check(
    world: World,
    component: &Component,
    engine: &Engine,
) -> Result<bool, MisfitError> {
    let ty = component.component_type();
    let exports = ty
        .exports(engine)
        .filter(|(_, item)| has_functions(&item.ty, engine));
    let found: Vec<String> = exports.map(|(name, _)| short(name)).collect();
    let lacks = |needed: &str| !found.iter().any(|name| name == needed);
    let needed = ["plugin", world.own_export()];
    let missing: Vec<String> = needed
        .into_iter()
        .filter(|name| lacks(name))
        .map(str::to_owned)
        .collect();
    if !missing.is_empty() {
        let looks_like = World::ALL
            .into_iter()
            .find(|other| !lacks(other.own_export()));
        return Err(MisfitError::Exports {
            world,
            missing,
            found,
            looks_like,
        });
    }

    let imports = ty
        .imports(engine)
        .filter(|(_, item)| has_functions(&item.ty, engine));
    let imports: Vec<&str> = imports.map(|(name, _)| name).collect();
    let not_granted: Vec<String> = imports
        .iter()
        .filter(|name| !granted(name))
        .map(|name| (*name).to_owned())
        .collect();
    if !not_granted.is_empty() {
        return Err(MisfitError::Imports { not_granted });
    }
    Ok(imports.iter().all(|name| name.starts_with(LOG)))
}

/// Interfaces of types alone, which every component imports, ask for nothing.
fn has_functions(item: &ComponentItem, engine: &Engine) -> bool {
    match item {
        ComponentItem::Type(_) => false,
        ComponentItem::ComponentInstance(instance) => instance
            .exports(engine)
            .any(|(_, item)| has_functions(&item.ty, engine)),
        ComponentItem::ComponentFunc(_)
        | ComponentItem::CoreFunc(_)
        | ComponentItem::Module(_)
        | ComponentItem::Component(_)
        | ComponentItem::Resource(_) => true,
    }
}

fn granted(import: &str) -> bool {
    import.starts_with(LOG) || WASI.iter().any(|package| import.starts_with(package))
}

/// An interface of the contract by its own name; one of another version or package in full.
fn short(export: &str) -> String {
    let own = export
        .strip_prefix(PACKAGE)
        .and_then(|rest| rest.split_once('@'));
    match own {
        Some((name, version)) if version.starts_with(VERSION) => name.to_owned(),
        Some(_) | None => export.to_owned(),
    }
}

const PACKAGE: &str = "acequia:connector/";
/// Versions that differ in the last number only are compatible.
const VERSION: &str = "0.1.";
const LOG: &str = "acequia:connector/log@0.1.";
/// Source: <https://github.com/WebAssembly/WASI/tree/main/wasip2>
const WASI: [&str; 6] = [
    "wasi:cli/",
    "wasi:clocks/",
    "wasi:filesystem/",
    "wasi:io/",
    "wasi:random/",
    "wasi:sockets/",
];

fn missing_message(
    world: World,
    missing: &[String],
    found: &[String],
    looks_like: Option<World>,
) -> String {
    let be = if missing.len() == 1 { "is" } else { "are" };
    let so = match looks_like {
        Some(other) if other != world => format!(", so it is {}", other.kind()),
        Some(_) | None => format!("; build it against the world {}", world.name()),
    };
    format!(
        "{} {be} missing: this component exports {}{so}",
        listed(missing),
        listed(found)
    )
}

/// `a`, `a and b`, `a, b and c`.
fn listed(names: &[String]) -> String {
    match names {
        [] => "nothing".to_owned(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::{MisfitError, World, short};

    #[test]
    fn a_misfit_says_what_is_missing_and_what_the_component_is() {
        let error = MisfitError::Exports {
            world: World::SpannerDeserializer,
            missing: vec!["spanner-deserialize".to_owned()],
            found: vec!["plugin".to_owned(), "name-plan".to_owned()],
            looks_like: Some(World::NamesFilter),
        };
        assert_eq!(
            error.to_string(),
            "spanner-deserialize is missing: this component exports plugin and name-plan, so it is \
             a names filter"
        );
    }

    #[test]
    fn a_component_of_nothing_is_told_which_world_to_build_against() {
        let error = MisfitError::Exports {
            world: World::NamesFilter,
            missing: vec!["plugin".to_owned(), "name-plan".to_owned()],
            found: vec![],
            looks_like: None,
        };
        assert_eq!(
            error.to_string(),
            "plugin and name-plan are missing: this component exports nothing; build it against \
             the world names-filter"
        );
    }

    #[test]
    fn an_interface_of_another_version_is_shown_in_full() {
        assert_eq!(short("acequia:connector/plugin@0.1.3"), "plugin");
        assert_eq!(
            short("acequia:connector/plugin@0.2.0"),
            "acequia:connector/plugin@0.2.0"
        );
        assert_eq!(short("wasi:cli/run@0.2.3"), "wasi:cli/run@0.2.3");
    }
}
