//! Tests of the whole product: connectors run as a user runs them, against the sandbox and the real
//! emulator. What one crate can show by itself is tested beside that crate.

mod end_to_end;
mod tidy;
