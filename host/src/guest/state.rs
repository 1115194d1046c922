//! What the host keeps for one instance: the WASI context with nothing granted, the memory count
//! and the log.

use wasmtime::ResourceLimiter;
use wasmtime::component::ResourceTable;
use wasmtime_wasi::{WasiCtx, WasiCtxBuilder, WasiCtxView, WasiView};

use super::limits::{CORE_ITEMS_MAX, TABLE_ELEMENTS_MAX};
use super::log::GuestLog;

/// The host's side of one instance.
pub(super) struct State {
    wasi: WasiCtx,
    resources: ResourceTable,
    pub(super) memory: MemoryCount,
    pub(super) log: GuestLog,
}

impl State {
    pub(super) fn new(memory_bytes_max: usize, log: GuestLog) -> Self {
        // No files, environment, arguments, standard streams or names of hosts come with a new
        // context; sockets are refused twice over.
        let wasi = WasiCtxBuilder::new()
            .allow_tcp(false)
            .allow_udp(false)
            .build();
        Self {
            wasi,
            resources: ResourceTable::new(),
            memory: MemoryCount::new(memory_bytes_max),
            log,
        }
    }
}

impl WasiView for State {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        WasiCtxView {
            ctx: &mut self.wasi,
            table: &mut self.resources,
        }
    }
}

/// Counts the memory of one instance. A growth past the limit fails in the guest, which may live on
/// without it; that it was refused is kept, because a guest that dies of it traps without a reason.
///
/// Nothing is given back when a permitted growth fails: the engine reports failures that were never
/// permitted, too, and a guest could make the count sink with those.
pub(super) struct MemoryCount {
    bytes_max: usize,
    /// What all memories hold now.
    pub(super) bytes: usize,
    table_elements: usize,
    pub(super) refused: bool,
}

impl MemoryCount {
    fn new(bytes_max: usize) -> Self {
        Self {
            bytes_max,
            bytes: 0,
            table_elements: 0,
            refused: false,
        }
    }
}

impl ResourceLimiter for MemoryCount {
    fn memory_growing(
        &mut self,
        current: usize,
        desired: usize,
        maximum: Option<usize>,
    ) -> wasmtime::Result<bool> {
        let grown = grown(&mut self.bytes, self.bytes_max, current, desired, maximum);
        self.refused |= !grown;
        Ok(grown)
    }

    fn table_growing(
        &mut self,
        current: usize,
        desired: usize,
        maximum: Option<usize>,
    ) -> wasmtime::Result<bool> {
        let count = &mut self.table_elements;
        let grown = grown(count, TABLE_ELEMENTS_MAX, current, desired, maximum);
        self.refused |= !grown;
        Ok(grown)
    }

    fn instances(&self) -> usize {
        CORE_ITEMS_MAX
    }

    fn tables(&self) -> usize {
        CORE_ITEMS_MAX
    }

    fn memories(&self) -> usize {
        CORE_ITEMS_MAX
    }
}

/// Adds a growth to `count` if it stays below `count_max`. A growth past the guest's own maximum
/// costs nothing, since the engine refuses it.
fn grown(
    count: &mut usize,
    count_max: usize,
    current: usize,
    desired: usize,
    maximum: Option<usize>,
) -> bool {
    if maximum.is_some_and(|maximum| desired > maximum) {
        return true;
    }
    let after = count.saturating_add(desired.saturating_sub(current));
    let fits = after <= count_max;
    if fits {
        *count = after;
    }
    fits
}

#[cfg(test)]
mod tests {
    use wasmtime::ResourceLimiter;

    use super::MemoryCount;

    #[test]
    fn all_memories_of_an_instance_count_together() {
        let mut count = MemoryCount::new(100);
        assert!(count.memory_growing(0, 60, None).unwrap());
        assert!(!count.memory_growing(0, 60, None).unwrap());
        assert!(count.refused);
        assert!(count.memory_growing(0, 40, None).unwrap());
    }

    #[test]
    fn a_growth_that_the_engine_refuses_gives_nothing_back() {
        let mut count = MemoryCount::new(100);
        assert!(count.memory_growing(0, 100, None).unwrap());
        count
            .memory_grow_failed(wasmtime::Error::msg("past the type"))
            .unwrap();
        assert!(!count.memory_growing(100, 101, None).unwrap());
    }

    #[test]
    fn a_growth_past_the_guests_own_maximum_costs_nothing() {
        let mut count = MemoryCount::new(100);
        assert!(count.memory_growing(0, 90, Some(80)).unwrap());
        assert!(count.memory_growing(0, 80, Some(80)).unwrap());
        assert!(!count.refused);
    }
}
