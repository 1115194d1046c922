//! JSON deserializer.
