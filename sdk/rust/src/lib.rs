//! What a plugin author depends on.
