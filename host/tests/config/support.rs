//! Files for the tests, made of the lines that matter.

use std::path::Path;

use acequia_host::config::{Config, Source, SpannerChangeStream, parse};

const HEAD: &str = "\
apiVersion: 0.1.0
meta:
  name: orders
  type: spanner-change-stream-source
  version: 0.1.0
  topic: orders
spanner-change-stream:
";

const REQUIRED: &str = "\
database: projects/p/instances/i/databases/d
change-stream-name: Orders
";

/// A file whose connector section has just these lines.
fn file(section: &str) -> String {
    let lines = section.lines().map(|line| format!("  {line}\n"));
    HEAD.to_owned() + &lines.collect::<String>()
}

/// Reads a file with these lines beside the required options.
pub(crate) fn read(lines: &str) -> Result<Config, String> {
    parse(
        &file(&format!("{REQUIRED}{lines}")),
        Path::new("/etc/acequia"),
    )
    .map_err(|problems| problems.to_string())
}

/// Reads a file whose section has just these lines.
pub(crate) fn read_section(lines: &str) -> Result<Config, String> {
    parse(&file(lines), Path::new("/etc/acequia")).map_err(|problems| problems.to_string())
}

/// The source of a file that is right.
#[track_caller]
pub(crate) fn source(lines: &str) -> SpannerChangeStream {
    let Source::SpannerChangeStream(source) = read(lines).unwrap().source;
    source
}

/// What is said of a file that is wrong, without the name of the section.
#[track_caller]
pub(crate) fn refusal(lines: &str) -> String {
    read(lines)
        .unwrap_err()
        .replace("spanner-change-stream.", "")
}

/// Checks that a file is refused with exactly these lines.
#[track_caller]
pub(crate) fn refused(lines: &str, expected: &str) {
    assert_eq!(refusal(lines), expected, "{lines}");
}
