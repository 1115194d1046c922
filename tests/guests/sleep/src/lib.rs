//! A deserializer that imports WASI's clock and sleeps for an hour in every call: it computes
//! nothing, so that only a timeout of the host ends it.

#![allow(
    missing_docs,
    unreachable_pub,
    unsafe_code,
    reason = "wit-bindgen's generated code"
)]

use acequia_guest::spanner::{DataChange, Deserializer};
use acequia_guest::{
    ConfigError, Control, ControlOutput, Description, Failure, Output, export_spanner_deserializer,
};

// The two functions that are called, with the names and types that WASI gives them.
//
// Source: https://github.com/WebAssembly/WASI/tree/main/wasip2
wit_bindgen::generate!({
    inline: "
        package test:sleep;

        world sleeper {
            import wasi:io/poll@0.2.0;
            import wasi:clocks/monotonic-clock@0.2.0;
        }

        package wasi:io@0.2.0 {
            interface poll {
                resource pollable {
                    block: func();
                }
            }
        }

        package wasi:clocks@0.2.0 {
            interface monotonic-clock {
                use wasi:io/poll@0.2.0.{pollable};
                subscribe-duration: func(nanoseconds: u64) -> pollable;
            }
        }
    ",
    generate_all,
});

/// The deserializer.
pub struct Sleep;

impl Deserializer for Sleep {
    fn describe() -> Description {
        Description::new("sleep", env!("CARGO_PKG_VERSION"))
    }

    fn configure(_config: &str) -> Result<Self, Vec<ConfigError>> {
        Ok(Self)
    }

    fn deserialize(&self, _change: &DataChange<'_>, _out: &mut Output) -> Result<(), Failure> {
        sleep();
        Ok(())
    }

    fn control(&self, _event: &Control) -> Vec<ControlOutput> {
        sleep();
        Vec::new()
    }
}

#[cfg(target_arch = "wasm32")]
fn sleep() {
    const HOUR_NS: u64 = 3_600_000_000_000;
    wasi::clocks::monotonic_clock::subscribe_duration(HOUR_NS).block();
}

#[cfg(not(target_arch = "wasm32"))]
fn sleep() {}

export_spanner_deserializer!(Sleep);
