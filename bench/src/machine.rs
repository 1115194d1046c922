//! The machine that the figures are of.

use std::fs;

use serde::Serialize;

/// What a figure depends on beside the program.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Machine {
    pub(crate) cpu: String,
    pub(crate) cores: usize,
    pub(crate) memory_bytes: u64,
    pub(crate) kernel: String,
    pub(crate) rustc: &'static str,
}

impl Machine {
    pub(crate) fn this() -> Self {
        let kib = field("/proc/meminfo", "MemTotal").and_then(|memory| {
            let kib = memory.strip_suffix("kB")?.trim().parse::<u64>();
            kib.ok()
        });
        let kernel = fs::read_to_string("/proc/sys/kernel/osrelease");
        Self {
            cpu: field("/proc/cpuinfo", "model name").unwrap_or_else(unknown),
            cores: std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
            memory_bytes: kib.unwrap_or_default() * 1024,
            kernel: kernel.map_or_else(|_| unknown(), |text| text.trim().to_owned()),
            rustc: env!("ACEQUIA_BENCH_RUSTC"),
        }
    }
}

/// The first field of a name in a file of `name : value` lines.
fn field(path: &str, name: &str) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    text.lines().find_map(|line| {
        let (key, value) = line.split_once(':')?;
        (key.trim() == name).then(|| value.trim().to_owned())
    })
}

fn unknown() -> String {
    "unknown".to_owned()
}
