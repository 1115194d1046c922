//! A connector against the sandbox.
