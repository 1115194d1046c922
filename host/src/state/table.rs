//! Saved state as text for people.

use std::fmt::Write as _;

use acequia_core::{Checkpoint, Dependencies, PartitionId, SavedPartition, Timestamp, Until};
use jiff::SignedDuration;

use super::tokens::Tokens;
use super::{AT_THE_END, SavedState, word};

/// Names in one cell of a table at the most.
const NAMES_MAX: usize = 3;

/// How many rows a table of partitions has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rows {
    /// All of them.
    All,
    /// So many, those that lag most; the others are counted.
    First(usize),
}

impl SavedState {
    /// The state as text: what it belongs to, and its partitions, those that lag most first. The
    /// lag is against `now`.
    pub fn table(&self, now: Timestamp, rows: Rows) -> String {
        let checkpoint = &self.checkpoint;
        let mut text = format!(
            "{}, saved in {}\n\n",
            self.config.meta.name,
            self.directory.display()
        );
        let identity = checkpoint.identity.iter();
        let mut lines: Vec<(&str, String)> = identity
            .map(|(what, name)| (what.as_str(), name.clone()))
            .collect();
        let lag = lag(now, checkpoint.watermark);
        lines.extend([
            ("generation", checkpoint.generation.to_string()),
            ("watermark", format!("{} ({lag} ago)", checkpoint.watermark)),
            ("sink state", checkpoint.sink_state.as_str().to_owned()),
            ("size", format!("{} bytes", self.bytes)),
            ("partitions", counts(checkpoint)),
        ]);
        text.push_str(&labelled(&lines));
        text.push('\n');
        text.push_str(&partitions(checkpoint, now, rows));
        text
    }
}

/// Lines with their labels before them.
pub(super) fn labelled(lines: &[(&str, String)]) -> String {
    let width = lines
        .iter()
        .map(|(label, _)| label.len())
        .max()
        .unwrap_or(0);
    lines.iter().fold(String::new(), |mut text, (label, line)| {
        // Writing to a String does not fail.
        let _ = writeln!(text, "{label:<width$}  {line}");
        text
    })
}

/// Columns under their headings.
pub(super) fn columns<const N: usize>(headings: [&str; N], rows: &[[String; N]]) -> String {
    let headings = headings.map(str::to_owned);
    let all = || std::iter::once(&headings).chain(rows);
    let widths: [usize; N] = std::array::from_fn(|column| {
        let lengths = all().map(|row| row.get(column).map_or(0, |cell| cell.chars().count()));
        lengths.max().unwrap_or(0)
    });
    let mut text = String::new();
    for row in all() {
        let cells = row.iter().zip(widths);
        let line: Vec<String> = cells
            .map(|(cell, width)| format!("{cell:<width$}"))
            .collect();
        text.push_str(line.join("  ").trim_end());
        text.push('\n');
    }
    text
}

/// A duration to the second; none of it is negative.
pub(super) fn lag(now: Timestamp, then: Timestamp) -> String {
    let seconds = now.duration_since(then).as_secs().max(0);
    format!("{:#}", SignedDuration::from_secs(seconds))
}

fn counts(checkpoint: &Checkpoint) -> String {
    let of = |wanted| {
        let words = checkpoint.partitions.values().map(word);
        words.filter(|word| *word == wanted).count()
    };
    let words = ["begun", "unopened", "waiting"];
    let mut each = words.map(|word| format!("{} {word}", of(word))).to_vec();
    // Only a reader of row ranges keeps those.
    let read = of(AT_THE_END);
    if read > 0 {
        each.push(format!("{read} {AT_THE_END} up to the end"));
    }
    format!(
        "{} unfinished: {}; {} finished that others refer to",
        checkpoint.partitions.len(),
        each.join(", "),
        checkpoint.tombstones.len()
    )
}

fn partitions(checkpoint: &Checkpoint, now: Timestamp, rows: Rows) -> String {
    if checkpoint.partitions.is_empty() {
        return "Everything up to the watermark is read, and no partition is left.\n".to_owned();
    }
    let tokens = Tokens::of(checkpoint);
    let mut all: Vec<_> = checkpoint.partitions.iter().collect();
    all.sort_by_key(|(id, partition)| (partition.position.watermark(), *id));
    let shown = match rows {
        Rows::All => all.len(),
        Rows::First(count) => count.min(all.len()),
    };
    let rows: Vec<_> = all
        .iter()
        .take(shown)
        .map(|(id, partition)| row(&tokens, id, partition, now))
        .collect();
    let headings = [
        "PARTITION",
        "STATE",
        "POSITION",
        "WATERMARK",
        "LAG",
        "PARENTS",
        "WAITS FOR",
    ];
    let mut text = columns(headings, &rows);
    if shown < all.len() {
        let rest = all.len() - shown;
        // Writing to a String does not fail.
        let _ = writeln!(text, "and {rest} more that lag less; --all shows them");
    }
    text
}

fn row(
    tokens: &Tokens,
    id: &PartitionId,
    partition: &SavedPartition,
    now: Timestamp,
) -> [String; 7] {
    let watermark = partition.position.watermark();
    let parents = partition.parents.iter().map(|parent| tokens.short(parent));
    [
        tokens.short(id),
        word(partition).to_owned(),
        partition.position.at.to_string(),
        watermark.to_string(),
        lag(now, watermark),
        some(parents.collect()),
        waits_for(tokens, &partition.after),
    ]
}

fn waits_for(tokens: &Tokens, after: &Dependencies) -> String {
    let each = after.iter().map(|(source, until)| {
        let until = match until {
            Until::End => "to its end".to_owned(),
            Until::At(at) => format!("to {at}"),
        };
        format!("{} {until}", tokens.short(source))
    });
    some(each.collect())
}

/// A few of the names; the others are counted.
fn some(names: Vec<String>) -> String {
    let rest = names.len().saturating_sub(NAMES_MAX);
    let shown: Vec<String> = names.into_iter().take(NAMES_MAX).collect();
    let shown = shown.join(", ");
    match rest {
        0 => shown,
        rest => format!("{shown} and {rest} more"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The checkpoint that the core keeps for its own tests.
    fn saved() -> Checkpoint {
        let bytes = include_bytes!("../../core/tests/fixtures/checkpoint-v1.txt");
        Checkpoint::decode(bytes).unwrap()
    }

    const NOW: &str = "2027-01-15T09:01:03Z";

    #[test]
    fn a_table_has_a_line_for_each_partition_those_that_lag_most_first() {
        let table = partitions(&saved(), NOW.parse().unwrap(), Rows::All);
        let expected = "\
PARTITION  STATE     POSITION              WATERMARK                       LAG     PARENTS     WAITS FOR
busy       begun     2027-01-15T08:00:03Z  2027-01-15T08:00:02.999999999Z  1h 1m   done
waiting    waiting   2027-01-15T08:00:05Z  2027-01-15T08:00:04.999999999Z  1h 58s  busy, done  busy to its end, moved to 2027-01-15T08:00:09Z
moved      unopened  2027-01-15T08:00:08Z  2027-01-15T08:00:07.999999999Z  1h 55s
idle       begun     2027-01-15T08:00:08Z  2027-01-15T08:00:08Z            1h 55s  done
";
        assert_eq!(table, expected);
    }

    #[test]
    fn rows_that_are_left_out_are_counted() {
        let table = partitions(&saved(), NOW.parse().unwrap(), Rows::First(1));
        assert_eq!(table.lines().count(), 3);
        assert!(
            table.ends_with("and 3 more that lag less; --all shows them\n"),
            "{table}"
        );
    }

    #[test]
    fn partitions_are_counted_by_what_they_do() {
        let expected =
            "4 unfinished: 2 begun, 1 unopened, 1 waiting; 1 finished that others refer to";
        assert_eq!(counts(&saved()), expected);
    }

    #[test]
    fn a_partition_that_is_read_up_to_the_end_is_told_from_one_that_is_begun() {
        let mut saved = saved();
        let idle = saved
            .partitions
            .get_mut(&PartitionId::from("idle".to_owned()))
            .unwrap();
        idle.read_to = Some(NOW.parse().unwrap());
        let counted = counts(&saved);
        assert!(
            counted.contains("1 begun, 1 unopened, 1 waiting, 1 read up to the end;"),
            "{counted}"
        );
        let table = partitions(&saved, NOW.parse().unwrap(), Rows::All);
        let idle = table.lines().last().unwrap();
        assert!(idle.starts_with("idle       read "), "{idle}");
    }

    #[test]
    fn of_many_names_a_few_are_shown() {
        let names = ["a", "b", "c", "d", "e"].map(str::to_owned).to_vec();
        assert_eq!(some(names), "a, b, c and 2 more");
    }

    #[test]
    fn a_watermark_ahead_of_the_clock_does_not_lag() {
        assert_eq!(
            lag(
                NOW.parse().unwrap(),
                "2027-01-15T09:01:04Z".parse().unwrap()
            ),
            "0s"
        );
    }
}
