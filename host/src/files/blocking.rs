use tokio::runtime::{Handle, RuntimeFlavor};

/// Runs a call that blocks.
///
/// On a runtime of several threads the other tasks of this thread move to another one first, so only the
/// calling task waits: a sink and a store each live in a task of their own. Elsewhere there is nowhere to
/// move them, and the call runs as it is.
pub fn blocking<T>(call: impl FnOnce() -> T) -> T {
    match Handle::try_current() {
        Ok(runtime) if runtime.runtime_flavor() == RuntimeFlavor::MultiThread => {
            tokio::task::block_in_place(call)
        }
        Ok(_) | Err(_) => call(),
    }
}
