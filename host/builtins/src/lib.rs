//! The built-in guests, compiled and embedded.
