//! The report for people.

use std::fmt::Write as _;

use crate::report::{Client, Measured, Report};
use crate::spread::Spread;

/// The report as text.
pub(crate) fn of(report: &Report) -> String {
    let mut text = String::new();
    // Writing to a String does not fail.
    let _ = write(report, &mut text);
    text
}

fn write(report: &Report, out: &mut String) -> std::fmt::Result {
    let machine = &report.machine;
    writeln!(
        out,
        "{}, {} cores, {} GiB, Linux {}, {}",
        machine.cpu,
        machine.cores,
        machine.memory_bytes >> 30,
        machine.kernel,
        machine.rustc
    )?;
    let settings = &report.settings;
    writeln!(
        out,
        "{} records in {} partitions a sample, {} rounds; files in {}",
        settings.records(),
        settings.partitions,
        settings.rounds,
        report.folder
    )?;
    write_measured("Spanner", &report.spanner, out)?;
    write_measured("Bigtable", &report.bigtable, out)?;
    write_scheduler(report, out)
}

fn write_measured(service: &str, measured: &Measured, out: &mut String) -> std::fmt::Result {
    let shaped = &measured.deserializer;
    writeln!(out, "\n{service}, {} bytes a record\n", shaped.frame_bytes)?;
    writeln!(
        out,
        "{:<26}{:>28}{:>14}{:>12}",
        "client", "CPU a record, ns", "records/s", "peak, MiB"
    )?;
    for (name, client) in &measured.clients {
        write_client(out, name, client)?;
    }
    writeln!(out, "\n{:<26}{:>28}", "deserializer", "time a record, ns")?;
    for (name, time) in [
        ("WebAssembly", &shaped.wasm_ns_per_record),
        ("native", &shaped.native_ns_per_record),
    ] {
        writeln!(out, "{name:<26}{:>28}", apart(time, 0))?;
    }
    let latency = &measured.added_latency;
    writeln!(
        out,
        "\nadded latency at {:.0} records/s: p50 {:.2} ms, p99 {:.2} ms, longest {:.2} ms of {} records\n",
        latency.records_per_second,
        millis(latency.latencies.p50_us),
        millis(latency.latencies.p99_us),
        millis(latency.latencies.max_us),
        latency.latencies.records
    )?;
    write_ratios(measured, out)
}

fn write_ratios(measured: &Measured, out: &mut String) -> std::fmt::Result {
    writeln!(out, "{:<32}{:>28}", "ratio", "middle (smallest..largest)")?;
    for (name, spread) in &measured.spreads {
        writeln!(out, "{name:<32}{:>28}", apart(spread, 3))?;
    }
    writeln!(out, "\n{:<32}{:>12}{:>16}", "aim", "measured", "")?;
    for aim in &measured.aims {
        let met = if aim.met { "met" } else { "NOT MET" };
        writeln!(
            out,
            "{:<32}{:>12.3}  {:<16}{met}",
            aim.of, aim.measured, aim.aim
        )?;
    }
    Ok(())
}

fn write_client(out: &mut String, name: &str, client: &Client) -> std::fmt::Result {
    writeln!(
        out,
        "{name:<26}{:>28}{:>14.0}{:>12.1}",
        apart(&client.cpu_ns_per_record, 0),
        client.records_per_second.median,
        client.peak_memory_bytes.median / f64::from(1 << 20)
    )
}

fn write_scheduler(report: &Report, out: &mut String) -> std::fmt::Result {
    writeln!(
        out,
        "\n{:>12}{:>14}{:>20}{:>16}{:>12}",
        "partitions", "an event, ns", "checkpoint, bytes", "taking it, ms", "encoding"
    )?;
    for cost in &report.scheduler {
        writeln!(
            out,
            "{:>12}{:>14.0}{:>20}{:>16.2}{:>12.2}",
            cost.partitions,
            cost.event_ns,
            cost.checkpoint_bytes,
            cost.checkpoint_ms,
            cost.encode_ms
        )?;
    }
    Ok(())
}

fn apart(spread: &Spread, digits: usize) -> String {
    let Spread { median, min, max } = spread;
    format!("{median:.digits$} ({min:.digits$}..{max:.digits$})")
}

#[allow(
    clippy::cast_precision_loss,
    reason = "a figure for people needs no more than a float's precision"
)]
fn millis(micros: u64) -> f64 {
    micros as f64 / 1e3
}
