//! Names filter: table, column, family and qualifier patterns.
