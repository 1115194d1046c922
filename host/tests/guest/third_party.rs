//! Components that others build, in Rust outside the workspace and in Python, work by path.

use acequia_host::config::Origin;
use acequia_host::guest::Control;
use acequia_host::guest::Gap;
use serde_json::{Value, json};
use std::io::{Write as _, stderr};

use crate::batches::{batch, id};
use crate::guests::{LIMITS, find, guest, place, plugins};

fn gap() -> Gap {
    let text = str::to_owned;
    let (lost_from, resumed_at) = (text("2026-01-01T00:00:00Z"), text("2026-01-02T00:00:00Z"));
    Gap {
        id: text("gap/1"),
        lost_from,
        resumed_at,
        reason: text("retention"),
    }
}

#[tokio::test]
async fn a_core_module_of_a_plain_cargo_build_works() {
    let place = guest("third-party", json!({}));
    let mut tabs = plugins(LIMITS).deserializer(&place).await.unwrap();
    let result = tabs.deserialize_all(&batch(["a", "b"])).await.unwrap();
    let line = format!("{}/0\tINSERT\tthings\t\"1\"", id(1));
    assert_eq!(result.outputs.values.get(1), Some(line.as_bytes()));
    assert_eq!(result.outputs.keys.get(1), Some(&b"\"1\""[..]));

    let outputs = tabs.control(&Control::Gap(gap())).await.unwrap();
    let line = b"gap/1\tGAP\t2026-01-01T00:00:00Z\t2026-01-02T00:00:00Z";
    assert_eq!(outputs.values.get(0), Some(&line[..]));
}

#[tokio::test]
async fn a_component_in_python_works() {
    let Some(file) = find("python") else {
        writeln!(
            stderr(),
            "skipped: a_component_in_python_works (no python.wasm: see cargo xtask guests)"
        )
        .unwrap();
        return;
    };
    // The interpreter has 20 MiB of its own, and starts slowly on a busy machine.
    let mut limits = LIMITS;
    limits.memory_bytes_max = 256 << 20;
    let place = place(Origin::Path(file), json!({}));
    let mut python = plugins(limits).deserializer(&place).await.unwrap();
    assert!(!python.about().pure);

    let result = python.deserialize_all(&batch(["a", "b"])).await.unwrap();
    assert_eq!(result.source, [0, 1]);
    assert_eq!(result.outputs.keys.get(0), Some(&br#"{"id":"0"}"#[..]));
    let value: Value = serde_json::from_slice(result.outputs.values.get(1).unwrap()).unwrap();
    assert_eq!(value["id"], format!("{}/0", id(1)));
    assert_eq!(value["new_values"], json!({ "v": "b" }));

    let outputs = python.control(&Control::Gap(gap())).await.unwrap();
    let value: Value = serde_json::from_slice(outputs.values.get(0).unwrap()).unwrap();
    assert_eq!(value["control"], "gap");
}
