//! The built-in guests, compiled and embedded.
//!
//! The build script compiles them for WebAssembly and makes components of them, so that the binary
//! needs no file beside it. A built-in guest is in no way special: it is the component that its
//! crate gives, and a configuration may name a file instead.

#![forbid(unsafe_code)]

/// Each built-in guest: its name and its component.
const GUESTS: [(&str, &[u8]); 2] = [
    (
        "json",
        include_bytes!(concat!(env!("OUT_DIR"), "/json.wasm")),
    ),
    (
        "names",
        include_bytes!(concat!(env!("OUT_DIR"), "/names.wasm")),
    ),
];

/// The component of a built-in guest, if there is one of that name.
#[must_use]
pub fn get(name: &str) -> Option<&'static [u8]> {
    GUESTS
        .iter()
        .find_map(|&(known, component)| (known == name).then_some(component))
}

/// The names of the built-in guests, in alphabetical order.
#[must_use]
pub fn names() -> &'static [&'static str] {
    const NAMES: [&str; GUESTS.len()] = [GUESTS[0].0, GUESTS[1].0];
    &NAMES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_has_a_component() {
        // Source: https://github.com/WebAssembly/component-model/blob/main/design/mvp/Binary.md
        const COMPONENT: [u8; 8] = [0x00, b'a', b's', b'm', 0x0d, 0x00, 0x01, 0x00];
        assert!(names().is_sorted());
        for &name in names() {
            let component = get(name).unwrap();
            assert!(component.starts_with(&COMPONENT), "{name}");
        }
        assert!(get("no such guest").is_none());
    }
}
