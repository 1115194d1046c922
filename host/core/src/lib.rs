//! Sans-io scheduler: partitions, dependencies, acknowledgements, credit, backoff, checkpoints.
