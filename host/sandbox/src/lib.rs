//! Change-stream services in memory, scripted, with faults.
