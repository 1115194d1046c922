//! A part of a batch as a batch of its own, for narrowing a failure down.

use std::ops::Range;

use acequia_decode::{ChangeBatch, Objects, Texts, Times};

/// Copies a range of records. The table dictionary is copied whole, so that its indices stay.
/// Indices past the batch are left out.
pub(super) fn records(batch: &ChangeBatch, range: Range<usize>) -> ChangeBatch {
    let mods = start(&batch.mod_ends, &range)..end(&batch.mod_ends, &range);
    let mut part = ChangeBatch::default();
    part.tables = batch.tables.clone();
    part.table = list(&batch.table, &range);
    part.ids = texts(&batch.ids, &range);
    part.commit_timestamps = texts(&batch.commit_timestamps, &range);
    part.commit_times = Times {
        seconds: list(&batch.commit_times.seconds, &range),
        nanos: list(&batch.commit_times.nanos, &range),
    };
    part.record_sequences = texts(&batch.record_sequences, &range);
    part.transaction_ids = texts(&batch.transaction_ids, &range);
    part.mod_types = texts(&batch.mod_types, &range);
    part.value_capture_types = texts(&batch.value_capture_types, &range);
    part.transaction_tags = texts(&batch.transaction_tags, &range);
    part.is_last = list(&batch.is_last, &range);
    part.is_system = list(&batch.is_system, &range);
    part.records_in_transaction = list(&batch.records_in_transaction, &range);
    part.partitions_in_transaction = list(&batch.partitions_in_transaction, &range);
    part.mod_ends = rebased(&batch.mod_ends, &range, mods.start);
    part.mod_ids = texts(&batch.mod_ids, &mods);
    part.keys = objects(&batch.keys, &mods);
    part.new_values = objects(&batch.new_values, &mods);
    part.old_values = objects(&batch.old_values, &mods);
    part
}

fn objects(whole: &Objects, range: &Range<usize>) -> Objects {
    let cells = start(&whole.cell_ends, range)..end(&whole.cell_ends, range);
    let bytes_before = start(whole.texts.ends(), range);
    Objects {
        texts: texts(&whole.texts, range),
        cell_ends: rebased(&whole.cell_ends, range, cells.start),
        cell_columns: list(&whole.cell_columns, &cells),
        cell_starts: rebased(&whole.cell_starts, &cells, bytes_before),
        cell_stops: rebased(&whole.cell_stops, &cells, bytes_before),
    }
}

fn texts(whole: &Texts, range: &Range<usize>) -> Texts {
    let mut part = Texts::default();
    for text in range.clone().map_while(|index| whole.get(index)) {
        part.push(text);
    }
    part
}

fn list<T: Copy>(whole: &[T], range: &Range<usize>) -> Vec<T> {
    whole.get(range.clone()).unwrap_or_default().to_vec()
}

/// Positions of a range, counted from `before` on.
fn rebased(whole: &[u32], range: &Range<usize>, before: usize) -> Vec<u32> {
    let before = u32::try_from(before).unwrap_or(u32::MAX);
    let part = whole.get(range.clone()).unwrap_or_default();
    part.iter()
        .map(|position| position.saturating_sub(before))
        .collect()
}

/// Where the first of a range of lists begins.
fn start(ends: &[u32], range: &Range<usize>) -> usize {
    range
        .start
        .checked_sub(1)
        .and_then(|before| ends.get(before))
        .map_or(0, |&end| end as usize)
}

/// Where the last of a range of lists ends.
fn end(ends: &[u32], range: &Range<usize>) -> usize {
    start(ends, &(range.end..range.end))
}

#[cfg(test)]
mod tests {
    use acequia_decode::{ChangeBatch, Objects, Texts};

    use super::records;

    /// Records with as many modifications each; a modification has its number as its id, and a key
    /// of two members.
    fn batch(mods: &[u32]) -> ChangeBatch {
        let mut batch = ChangeBatch::default();
        let (mut end, mut number) = (0, 0);
        for (record, &mods) in mods.iter().enumerate() {
            batch.ids.push(record.to_string().as_bytes());
            batch.is_last.push(u8::from(record == 0));
            for _ in 0..mods {
                batch.mod_ids.push(number.to_string().as_bytes());
                push_key(&mut batch.keys, number);
                number += 1;
            }
            end += mods;
            batch.mod_ends.push(end);
        }
        batch
    }

    /// `{"a":<number>,"b":7}`
    fn push_key(keys: &mut Objects, number: u32) {
        let mut json = String::from("{");
        let before = keys.texts.bytes().len();
        for (column, (name, value)) in [("a", number), ("b", 7)].into_iter().enumerate() {
            json.push_str(&format!(
                "{}\"{name}\":",
                if column == 0 { "" } else { "," }
            ));
            keys.cell_columns.push(u32::try_from(column).unwrap());
            keys.cell_starts
                .push(u32::try_from(before + json.len()).unwrap());
            json.push_str(&value.to_string());
            keys.cell_stops
                .push(u32::try_from(before + json.len()).unwrap());
        }
        keys.texts.push(format!("{json}}}").as_bytes());
        keys.cell_ends
            .push(u32::try_from(keys.cell_columns.len()).unwrap());
    }

    /// Every cell as `column=value`, by its span.
    fn cells(keys: &Objects) -> Vec<String> {
        let spans = keys.cell_starts.iter().zip(&keys.cell_stops);
        let value = |(&start, &stop): (&u32, &u32)| {
            let bytes = &keys.texts.bytes()[start as usize..stop as usize];
            String::from_utf8(bytes.to_vec()).unwrap()
        };
        let values = spans.map(value);
        keys.cell_columns
            .iter()
            .zip(values)
            .map(|(column, value)| format!("{column}={value}"))
            .collect()
    }

    fn strings(texts: &Texts) -> Vec<&str> {
        texts
            .iter()
            .map(|text| std::str::from_utf8(text).unwrap())
            .collect()
    }

    #[test]
    fn a_part_holds_its_records_their_modifications_and_cells() {
        let part = records(&batch(&[2, 1, 0, 3, 1]), 1..4);
        assert_eq!(strings(&part.ids), ["1", "2", "3"]);
        assert_eq!(part.is_last, [0, 0, 0]);
        assert_eq!(part.mod_ends, [1, 1, 4]);
        assert_eq!(strings(&part.mod_ids), ["2", "3", "4", "5"]);
        assert_eq!(part.keys.cell_ends, [2, 4, 6, 8]);
        let expected = ["0=2", "1=7", "0=3", "1=7", "0=4", "1=7", "0=5", "1=7"];
        assert_eq!(cells(&part.keys), expected);
        assert_eq!(part.keys.texts.get(3), Some(&br#"{"a":5,"b":7}"#[..]));
    }

    #[test]
    fn a_record_without_modifications_is_a_part_too() {
        let part = records(&batch(&[2, 0]), 1..2);
        assert_eq!((part.records(), part.mod_ends.as_slice()), (1, &[0][..]));
        assert!(part.mod_ids.is_empty() && part.keys.cell_columns.is_empty());
    }
}
