//! The built-in guests, compiled and embedded.
//!
//! The build script compiles them for WebAssembly and makes components of them, so that the binary
//! needs no file beside it. A built-in guest is in no way special: it is the component that its
//! crate gives, and a configuration may name a file instead.

#![forbid(unsafe_code)]

/// Each built-in guest: its name, its world and its component. One name may stand for a guest of
/// each shape of records.
const GUESTS: [(&str, &str, &[u8]); 4] = [
    (
        "json",
        "bigtable-deserializer",
        include_bytes!(concat!(env!("OUT_DIR"), "/bigtable-json.wasm")),
    ),
    (
        "json",
        "rows-deserializer",
        include_bytes!(concat!(env!("OUT_DIR"), "/rows-json.wasm")),
    ),
    (
        "json",
        "spanner-deserializer",
        include_bytes!(concat!(env!("OUT_DIR"), "/spanner-json.wasm")),
    ),
    (
        "names",
        "names-filter",
        include_bytes!(concat!(env!("OUT_DIR"), "/names.wasm")),
    ),
];

/// The component of a built-in guest, if there is one of that name and world.
#[must_use]
pub fn get(name: &str, world: &str) -> Option<&'static [u8]> {
    GUESTS
        .iter()
        .find_map(|&(known, of, component)| ((known, of) == (name, world)).then_some(component))
}

/// The names of the built-in guests of a world, in alphabetical order.
pub fn names(world: &str) -> impl Iterator<Item = &'static str> {
    let of_world = GUESTS.iter().filter(move |(_, of, _)| *of == world);
    of_world.map(|(name, ..)| *name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_guest_is_a_component() {
        // Source: https://github.com/WebAssembly/component-model/blob/main/design/mvp/Binary.md
        const COMPONENT: [u8; 8] = [0x00, b'a', b's', b'm', 0x0d, 0x00, 0x01, 0x00];
        for (name, world, component) in GUESTS {
            assert!(component.starts_with(&COMPONENT), "{name}");
            assert!(names(world).any(|known| known == name), "{name}");
        }
    }

    #[test]
    fn a_name_alone_is_no_guest() {
        assert!(get("json", "names-filter").is_none());
        assert!(get("no such guest", "spanner-deserializer").is_none());
        let (spanner, bigtable) = (
            get("json", "spanner-deserializer"),
            get("json", "bigtable-deserializer"),
        );
        assert_ne!(spanner, bigtable);
    }
}
