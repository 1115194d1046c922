//! What `--json` prints, from a run that is too short to say anything about speed.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::process::Command;

use serde_json::Value;

/// Nothing is asserted about time.
#[test]
fn one_json_object_holds_every_ratio_and_every_figure() {
    let output = Command::new(env!("CARGO_BIN_EXE_acequia-bench"))
        .args(["run", "--json", "--tiny"])
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();

    has_every_figure(&report);
    has_every_figure(&report["bigtable"]);
    assert_ne!(
        report["deserializer"]["frame_bytes"],
        report["bigtable"]["deserializer"]["frame_bytes"]
    );
    assert_eq!(report["scheduler"][0]["partitions"], 1000);
    assert!(report["scheduler"][0]["checkpoint_bytes"].is_u64());
    assert!(report["machine"]["cpu"].is_string() && report["machine"]["rustc"].is_string());
    assert_eq!(report["settings"]["partitions"], 8);
}

/// Of one service.
fn has_every_figure(measured: &Value) {
    for ratio in [
        "pipeline_1core_vs_prost_drain",
        "pipeline_1core_vs_raw_drain",
        "pipeline_2core_vs_raw_drain",
        "wasm_vs_native_time",
        "filters_cost",
    ] {
        assert!(measured["ratios"][ratio].is_f64(), "{ratio}: {measured}");
        assert!(measured["spreads"][ratio]["max"].is_f64(), "{ratio}");
    }
    for client in [
        "raw_drain_1core",
        "raw_drain_2core",
        "prost_drain_1core",
        "pipeline_1core",
        "pipeline_1core_filtered",
        "pipeline_1core_cutting",
        "pipeline_2core",
    ] {
        let figures = &measured["clients"][client];
        for figure in [
            "cpu_ns_per_record",
            "records_per_second",
            "peak_memory_bytes",
        ] {
            assert!(figures[figure]["median"].is_f64(), "{client} {figure}");
        }
    }
    for figure in ["p50_us", "p99_us", "records", "records_per_second"] {
        assert!(measured["added_latency"][figure].is_number(), "{figure}");
    }
    assert!(measured["peak_memory_bytes"].is_u64());
}
