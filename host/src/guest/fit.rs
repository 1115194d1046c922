//! Whether a component fits the place that it is configured for: its exports and imports, by name.

use thiserror::Error;
use wasmtime::Engine;
use wasmtime::component::Component;
use wasmtime::component::types::ComponentItem;

use super::world::World;

/// A component does not fit its place: it lacks exports of the world, or asks for more than a
/// component is granted.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("{}", self.told())]
pub struct MisfitError {
    /// The world that is needed.
    pub world: World,
    /// The interfaces of that world that are missing.
    pub missing: Vec<String>,
    /// The interfaces that the component exports.
    pub found: Vec<String>,
    /// The imports that are not granted.
    pub not_granted: Vec<String>,
}

/// A component exports nothing that makes a world.
#[derive(Debug, Error, PartialEq, Eq)]
#[error(
    "this component exports {} and so is of no world: build it against one of {}",
    listed(found),
    listed(&World::ALL.map(|world| world.name().to_owned()))
)]
pub struct NoWorldError {
    /// The interfaces that the component exports.
    pub found: Vec<String>,
}

/// The world of a component, by the interface that only this world exports.
pub(super) fn world(component: &Component, engine: &Engine) -> Result<World, NoWorldError> {
    let found = exports(component, engine);
    World::ALL
        .into_iter()
        .find(|world| found.iter().any(|name| name == world.own_export()))
        .ok_or(NoWorldError { found })
}

/// Checks a component against a world. Answers whether it is pure: whether it imports the log at
/// most.
pub(super) fn check(
    world: World,
    component: &Component,
    engine: &Engine,
) -> Result<bool, MisfitError> {
    let found = exports(component, engine);
    let needed = ["plugin", world.own_export()].map(str::to_owned);
    let missing: Vec<String> = needed
        .into_iter()
        .filter(|name| !found.contains(name))
        .collect();

    let ty = component.component_type();
    let imports = ty.imports(engine);
    let imports = imports.filter(|(_, item)| has_functions(&item.ty, engine));
    let imports: Vec<String> = imports.map(|(name, _)| name.to_owned()).collect();
    let pure = imports.iter().all(|name| name.starts_with(LOG));
    let not_granted: Vec<String> = imports.into_iter().filter(|name| !granted(name)).collect();
    if missing.is_empty() && not_granted.is_empty() {
        return Ok(pure);
    }
    Err(MisfitError {
        world,
        missing,
        found,
        not_granted,
    })
}

/// The interfaces that a component exports, by name: the order of the component is its toolchain's.
fn exports(component: &Component, engine: &Engine) -> Vec<String> {
    let ty = component.component_type();
    let exports = ty.exports(engine);
    let exports = exports.filter(|(_, item)| has_functions(&item.ty, engine));
    let mut names: Vec<String> = exports.map(|(name, _)| short(name)).collect();
    names.sort();
    names
}

impl MisfitError {
    fn told(&self) -> String {
        let mut told = Vec::new();
        if !self.missing.is_empty() {
            told.push(self.told_missing());
        }
        if !self.not_granted.is_empty() {
            told.push(format!(
                "the import of {} is not granted: a component may import acequia:connector/log, and \
                 of WASI 0.2 cli, clocks, filesystem, io, random and sockets, which find nothing there",
                listed(&self.not_granted)
            ));
        }
        told.join("; ")
    }

    fn told_missing(&self) -> String {
        let be = if self.missing.len() == 1 { "is" } else { "are" };
        let exports = |world: &World| self.found.iter().any(|name| name == world.own_export());
        let so = match World::ALL.into_iter().find(exports) {
            Some(other) if other != self.world => format!(", so it is {}", other.kind()),
            Some(_) | None => format!("; build it against the world {}", self.world.name()),
        };
        let (missing, found) = (listed(&self.missing), listed(&self.found));
        format!("{missing} {be} missing: this component exports {found}{so}")
    }
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

    fn misfit(world: World, missing: &[&str], found: &[&str], imports: &[&str]) -> String {
        let owned = |names: &[&str]| names.iter().map(ToString::to_string).collect();
        let (missing, found, not_granted) = (owned(missing), owned(found), owned(imports));
        MisfitError {
            world,
            missing,
            found,
            not_granted,
        }
        .to_string()
    }

    #[test]
    fn a_misfit_says_what_is_missing_and_what_the_component_is() {
        let found = ["plugin", "name-plan"];
        assert_eq!(
            misfit(
                World::SpannerDeserializer,
                &["spanner-deserialize"],
                &found,
                &[]
            ),
            "spanner-deserialize is missing: this component exports plugin and name-plan, so it is \
             a names filter"
        );
    }

    #[test]
    fn a_component_of_nothing_is_told_which_world_to_build_against() {
        assert_eq!(
            misfit(World::NamesFilter, &["plugin", "name-plan"], &[], &[]),
            "plugin and name-plan are missing: this component exports nothing; build it against \
             the world names-filter"
        );
    }

    #[test]
    fn imports_that_are_not_granted_are_told_beside_what_is_missing() {
        let told = misfit(
            World::NamesFilter,
            &["name-plan"],
            &["plugin"],
            &["a:b/c", "d:e/f"],
        );
        assert!(told.contains("name-plan is missing"), "{told}");
        assert!(
            told.contains("; the import of a:b/c and d:e/f is not granted"),
            "{told}"
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
