//! End to end, simulation, conformance, guests, crash and tidy tests.
