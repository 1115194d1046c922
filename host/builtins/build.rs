//! Compiles the built-in guests, makes components of them, and leaves them in `OUT_DIR` for
//! `include_bytes!`.
//!
//! `ACEQUIA_GUESTS=<folder>` takes ready components (`spanner-json.wasm`, `bigtable-json.wasm`,
//! `rows-json.wasm`, `names.wasm`) instead, so that a build needs no guest toolchain.

#[path = "build/guest_cargo.rs"]
mod guest_cargo;

use std::env;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use guest_cargo::{DEBIAN_PACKAGES, GuestCargo, TARGET};

/// The file of each built-in guest, without `.wasm`, and its package.
const GUESTS: [(&str, &str); 4] = [
    ("bigtable-json", "acequia-bigtable-json-deserializer"),
    ("rows-json", "acequia-rows-json-deserializer"),
    ("spanner-json", "acequia-spanner-json-deserializer"),
    ("names", "acequia-names-filter"),
];

/// What they are made from.
const SOURCES: [&str; 6] = [
    "wit",
    "sdk",
    "deserializers",
    "filters",
    "Cargo.toml",
    "Cargo.lock",
];

fn main() -> Result<(), Box<dyn Error>> {
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("cargo sets OUT_DIR")?);
    println!("cargo::rerun-if-env-changed=ACEQUIA_GUESTS");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=build");
    match env::var_os("ACEQUIA_GUESTS") {
        Some(folder) => take_ready(Path::new(&folder), &out),
        None => build(&out),
    }
}

fn take_ready(folder: &Path, out: &Path) -> Result<(), Box<dyn Error>> {
    for (name, _) in GUESTS {
        let file = format!("{name}.wasm");
        let from = folder.join(&file);
        println!("cargo::rerun-if-changed={}", from.display());
        let module = fs::read(&from)
            .map_err(|error| format!("ACEQUIA_GUESTS lacks {}: {error}", from.display()))?;
        fs::write(out.join(file), component(module)?)?;
    }
    Ok(())
}

fn build(out: &Path) -> Result<(), Box<dyn Error>> {
    // Asked when it runs: clones that share a target folder share this program, too.
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").ok_or("cargo did not run this")?);
    let root = here
        .ancestors()
        .nth(2)
        .ok_or("the package stands two folders below the workspace")?;
    rerun_if_guests_change(root);
    let guests = guest_cargo::guests_dir(root);
    let cargo = GuestCargo::find().ok_or_else(no_toolchain)?;
    for (name, package) in GUESTS {
        let mut command = cargo.build_package(&guests, package);
        if !command.current_dir(root).status()?.success() {
            return Err(format!("the built-in guest {name} does not compile: {command:?}").into());
        }
        let module = fs::read(guest_cargo::module_path(&guests, package))?;
        fs::write(out.join(format!("{name}.wasm")), component(module)?)?;
    }
    Ok(())
}

fn rerun_if_guests_change(root: &Path) {
    println!("cargo::rerun-if-env-changed=CARGO_TARGET_DIR");
    for path in SOURCES {
        println!("cargo::rerun-if-changed={}", root.join(path).display());
    }
}

fn no_toolchain() -> String {
    format!(
        "no toolchain here compiles for {TARGET}, which the built-in guests need. Do one of:\n  \
         rustup target add {TARGET}\n  apt-get install -y --no-install-recommends {} lld\nor let \
         `cargo xtask guests` find out which; or name a folder of ready guests in ACEQUIA_GUESTS",
        DEBIAN_PACKAGES.join(" ")
    )
}

/// A core module becomes a component; a component stays as it is.
fn component(bytes: Vec<u8>) -> Result<Vec<u8>, Box<dyn Error>> {
    // Source: https://github.com/WebAssembly/component-model/blob/main/design/mvp/Binary.md, the
    // preamble: a module has layer 0, a component layer 1.
    if bytes.get(6) == Some(&1) {
        return Ok(bytes);
    }
    let mut encoder = wit_component::ComponentEncoder::default();
    Ok(encoder.validate(true).module(&bytes)?.encode()?)
}
