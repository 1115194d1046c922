//! Sans-io decoders: wire messages to columnar change records.
