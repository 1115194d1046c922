//! Files for the tests, made of the lines that matter.

use std::path::Path;

use acequia_host::config::{
    BigtableChangeStream, Config, Environment, Source, SpannerBatch, SpannerChangeStream, parse,
    parse_in,
};

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
    match read(lines).unwrap().source {
        Source::SpannerChangeStream(source) => source,
        other @ (Source::BigtableChangeStream(_) | Source::SpannerBatch(_)) => panic!("{other:?}"),
    }
}

const BIGTABLE_HEAD: &str = "\
apiVersion: 0.1.0
meta:
  name: orders
  type: bigtable-change-stream-source
  version: 0.1.0
bigtable-change-stream:
";

/// Reads a file of the other connector, whose section has just these lines. What is said of one that
/// is wrong comes without the name of the section.
pub(crate) fn read_bigtable_section(lines: &str) -> Result<Config, String> {
    let lines = lines.lines().map(|line| format!("  {line}\n"));
    let file = BIGTABLE_HEAD.to_owned() + &lines.collect::<String>();
    parse(&file, Path::new("/etc/acequia"))
        .map_err(|problems| problems.to_string().replace("bigtable-change-stream.", ""))
}

/// Reads a file of the other connector with these lines beside the required options.
pub(crate) fn read_bigtable(lines: &str) -> Result<Config, String> {
    read_bigtable_section(&format!(
        "table: projects/p/instances/i/tables/t\napp-profile-id: single\n{lines}"
    ))
}

/// The source of such a file that is right.
#[track_caller]
pub(crate) fn bigtable(lines: &str) -> BigtableChangeStream {
    match read_bigtable(lines).unwrap().source {
        Source::BigtableChangeStream(source) => source,
        other @ (Source::SpannerChangeStream(_) | Source::SpannerBatch(_)) => panic!("{other:?}"),
    }
}

/// Checks that such a file is refused with exactly these lines.
#[track_caller]
pub(crate) fn bigtable_refused(lines: &str, expected: &str) {
    assert_eq!(read_bigtable(lines).unwrap_err(), expected, "{lines}");
}

const BATCH_HEAD: &str = "\
apiVersion: 0.1.0
meta:
  name: orders
  type: spanner-batch-source
  version: 0.1.0
spanner-batch:
";

/// Reads a file of a snapshot, whose section has just these lines, in an environment. What is said of
/// one that is wrong comes without the name of the section.
pub(crate) fn read_batch_in(environment: Environment, lines: &str) -> Result<Config, String> {
    let lines = lines.lines().map(|line| format!("  {line}\n"));
    let file = BATCH_HEAD.to_owned() + &lines.collect::<String>();
    parse_in(environment, &file, Path::new("/etc/acequia"))
        .map_err(|problems| problems.to_string().replace("spanner-batch.", ""))
}

/// Reads a file of a snapshot with these lines beside the required options: the table Orders.
pub(crate) fn read_batch(lines: &str) -> Result<Config, String> {
    let required = "database: projects/p/instances/i/databases/d\n\
                    read-operation: { table: { name: Orders, columns: [OrderId, Total] } }\n";
    read_batch_in(Environment::default(), &format!("{required}{lines}"))
}

/// The source of such a file that is right.
#[track_caller]
pub(crate) fn batch(lines: &str) -> SpannerBatch {
    of_batch(read_batch(lines))
}

/// The source of a file that is right.
#[track_caller]
pub(crate) fn of_batch(read: Result<Config, String>) -> SpannerBatch {
    match read.unwrap().source {
        Source::SpannerBatch(source) => source,
        other @ (Source::SpannerChangeStream(_) | Source::BigtableChangeStream(_)) => {
            panic!("{other:?}")
        }
    }
}

/// Checks that such a file is refused with exactly these lines.
#[track_caller]
pub(crate) fn batch_refused(lines: &str, expected: &str) {
    assert_eq!(read_batch(lines).unwrap_err(), expected, "{lines}");
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
