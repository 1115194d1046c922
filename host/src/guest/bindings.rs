//! The host's bindings of the component contract.
//!
//! They are generated from the union of all worlds. A component has one world only, so the host
//! never asks for the union: [`Interface`](super::world::Interface) takes the parts that a world has.

#![allow(
    missing_docs,
    unreachable_pub,
    clippy::all,
    clippy::pedantic,
    reason = "generated code; its documentation is that of `wit/`"
)]

wasmtime::component::bindgen!({
    path: "../wit",
    world: "host",
    // Parameters borrow the batch: one bulk copy per column, no allocation.
    ownership: Borrowing { duplicate_if_necessary: true },
    exports: { default: async },
});
