//! What a plugin author depends on.
#![deny(unsafe_code)]

#[doc(hidden)]
pub mod bindings;
