//! Calls that do not answer.

use acequia_guest::log;

use crate::mode::Act;

/// Far more lines than a host may want to show, in one call.
const LOG_LINES: u32 = 100_000;

/// Misbehaves. Only a flood of the log comes back from it.
pub(crate) fn misbehave(act: Act) {
    match act {
        // Ends in the `unreachable` instruction.
        Act::Trap => std::process::abort(),
        Act::Spin => spin(),
        Act::Memory => eat_memory(),
        Act::LogFlood => (0..LOG_LINES).for_each(|line| log::warn(format!("line {line}"))),
    }
}

fn spin() -> ! {
    loop {
        std::hint::spin_loop();
    }
}

/// Uses the memory that it takes, so that the compiler leaves it in.
fn eat_memory() -> ! {
    const PIECE_BYTES: usize = 1 << 20;
    let mut eaten = Vec::new();
    loop {
        eaten.push(std::hint::black_box(vec![1_u8; PIECE_BYTES]));
    }
}
