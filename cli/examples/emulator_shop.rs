//! A shop on the real Cloud Spanner emulator, for `cargo xtask demo --emulator`.
//!
//! Starts the emulator, prints `ADDRESS DATABASE STREAM` on one line, sells for the given number of
//! seconds, and keeps the emulator up until standard input is closed.
#![forbid(unsafe_code)]
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "the parts are those of the tests, and a demo that cannot start may panic"
)]
#![allow(dead_code, reason = "the demo needs a part of what the tests need")]

#[path = "../../tests/emulator/admin.rs"]
mod admin;
#[path = "../../tests/emulator/client.rs"]
mod client;
#[path = "../../tests/emulator/service.rs"]
mod service;
#[path = "../../tests/emulator/shop.rs"]
mod shop;
#[path = "../../tests/emulator/writer.rs"]
mod writer;

use std::process::ExitCode;

use client::Session;
use service::Emulator;
use shop::{Dialect, STREAM};
use tokio::io::AsyncReadExt;
use writer::Writer;

const TRANSACTIONS_PER_SECOND: u32 = 50;

#[tokio::main]
async fn main() -> ExitCode {
    let seconds = std::env::args().nth(1).and_then(|text| text.parse().ok());
    let Some(seconds) = seconds else {
        eprintln!("usage: emulator_shop SECONDS");
        return ExitCode::from(2);
    };
    let Some(emulator) = Emulator::start("the demo").await else {
        return ExitCode::FAILURE;
    };
    tokio::select! {
        () = sell(&emulator, seconds) => {}
        () = input_closed() => {}
    }
    ExitCode::SUCCESS
}

/// Sells, then waits for ever.
async fn sell(emulator: &Emulator, seconds: u32) {
    let channel = emulator.connect().await;
    let dialect = Dialect::GoogleSql;
    let database =
        admin::create_database(&channel, "shop", dialect, shop::statements(dialect)).await;
    println!("{} {database} {STREAM}", emulator.address());
    let session = Session::open(channel, &database).await;
    let mut writer = Writer::new(session, dialect, 1);
    let transactions = TRANSACTIONS_PER_SECOND.saturating_mul(seconds);
    writer.write(transactions, TRANSACTIONS_PER_SECOND).await;
    std::future::pending().await
}

/// Whoever started us closes our input to end us, or dies, which closes it too.
async fn input_closed() {
    let mut rest = Vec::new();
    // A broken input is a closed one.
    let _closed = tokio::io::stdin().read_to_end(&mut rest).await;
}
