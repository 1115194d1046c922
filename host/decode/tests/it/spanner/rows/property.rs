//! Random rows, cut at random: our reading equals what the values stand for.

use acequia_decode::rows::RowBatch;
use proptest::prelude::*;

use crate::random::Random;
use crate::soak;
use crate::spanner::frames::encode;
use crate::spanner::rows::drive::{Position, Reader, query, read, table, texts};
use crate::spanner::rows::generate::rows;
use crate::spanner::slow;

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: soak::times(512, 100), ..ProptestConfig::default() })]

    #[test]
    fn rows_of_a_table_are_what_their_values_stand_for(seed: u64, size in 0_usize..6) {
        let random = &mut Random(seed);
        let rows = rows(random, size, true);
        let frames = rows.cut(random);
        prop_assert_eq!(&slow::rows(&frames), &rows.values);
        let batch = read(table(), frames.iter().map(encode)).unwrap();
        prop_assert_eq!(texts(&batch.cells), rows.cells.iter().collect::<Vec<_>>());
        let keys = rows.keys();
        prop_assert_eq!(texts(&batch.keys), keys.iter().collect::<Vec<_>>());
        let ids: Vec<_> = keys.iter().map(|key| format!("2026-11-30T20:41:00.5Z/Things/{key}")).collect();
        prop_assert_eq!(texts(&batch.ids), ids.iter().collect::<Vec<_>>());
    }

    #[test]
    fn rows_of_a_query_are_numbered(seed: u64, size in 0_usize..6) {
        let random = &mut Random(seed);
        let rows = rows(random, size, false);
        let batch = read(query(), rows.cut(random).iter().map(encode)).unwrap();
        prop_assert_eq!(texts(&batch.cells), rows.cells.iter().collect::<Vec<_>>());
        prop_assert_eq!(texts(&batch.keys), vec![""; size]);
        let ids: Vec<_> = (0..size).map(|row| format!("2026-11-30T20:41:00.5Z/c0ffee/{row}")).collect();
        prop_assert_eq!(texts(&batch.ids), ids.iter().collect::<Vec<_>>());
    }

    #[test]
    fn a_plan_removes_columns_and_leaves_the_key(seed: u64, size in 1_usize..6) {
        let random = &mut Random(seed);
        let rows = rows(random, size, true);
        let names: Vec<_> = rows.metadata.row_type.as_ref().unwrap().fields.iter().map(|field| field.name.clone()).collect();
        let keep = |name: &str| name == "c0" || name == "c2";
        let mut batch = RowBatch::default();
        let mut reader = Reader::new(table(), &Position::default()).unwrap().keep(keep);
        for frame in rows.cut(random) {
            reader.push(&mut batch, encode(&frame)).unwrap();
        }
        reader.finish().unwrap();
        let is_kept = |index: &usize| names[*index] == "k" || keep(&names[*index]);
        let kept: Vec<_> = (0..names.len()).filter(is_kept).collect();
        prop_assert_eq!(texts(&batch.column_names), kept.iter().map(|index| &names[*index]).collect::<Vec<_>>());
        let cells = (0..rows.cells.len()).filter(|cell| is_kept(&(cell % names.len())));
        prop_assert_eq!(texts(&batch.cells), cells.map(|cell| &rows.cells[cell]).collect::<Vec<_>>());
        let keys = rows.keys();
        prop_assert_eq!(texts(&batch.keys), keys.iter().collect::<Vec<_>>());
        prop_assert_eq!(reader.dropped, ((names.len() - kept.len()) * size) as u64);
    }
}
