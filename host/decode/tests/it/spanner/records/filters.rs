//! Plans, and what they leave.

use acequia_decode::spanner::{
    Assembler, ChangeBatch, Described, DropReason, Kept, Options, RecordMark, Shape, Step,
    TablePlan, WrongPlan,
};
use prost_types::Value;

use crate::spanner::frames::{data, encode, envelope, frame, google_sql_type, modification};

const CHANGED: &str = r#"{"a":"x"}"#;
const KEY: &str = r#"{"k":"1"}"#;
const SKIP: Options = Options {
    skip_messages_without_change: true,
};

/// A stream of one record with these modifications, and the answer to its question.
fn planned(
    options: Options,
    mods: Vec<Value>,
    answer: impl FnOnce(&Described) -> TablePlan,
) -> (RecordMark, ChangeBatch) {
    let (mut assembler, described) = asked(options, mods);
    assembler.plan(described.id, answer(&described)).unwrap();
    let mut batch = ChangeBatch::default();
    match assembler.next(&mut batch, &mut |_, _, _| false).unwrap() {
        Step::Record(mark) => (mark, batch),
        other => panic!("a record, not {other:?}"),
    }
}

fn asked(options: Options, mods: Vec<Value>) -> (Assembler, Described) {
    let row = envelope(vec![data(mods)], vec![], vec![]);
    let mut assembler = Assembler::new(Shape::GoogleSql, options);
    assembler
        .push(encode(&frame(google_sql_type(), [row])))
        .unwrap();
    let mut batch = ChangeBatch::default();
    match assembler.next(&mut batch, &mut |_, _, _| false).unwrap() {
        Step::Unplanned(described) => (assembler, described),
        other => panic!("a question, not {other:?}"),
    }
}

fn only(columns: [bool; 2]) -> impl FnOnce(&Described) -> TablePlan {
    move |_| TablePlan {
        table: true,
        columns: columns.to_vec(),
    }
}

fn update(new_values: &str) -> Value {
    modification(KEY, new_values, "{}")
}

#[test]
fn a_new_table_is_asked_about_before_its_record_is_read() {
    let (mut assembler, described) = asked(Options::default(), vec![update(CHANGED)]);
    assert_eq!(described.table, "T");
    assert_eq!(described.columns, ["a", "b"]);
    assert_eq!(described.keys, ["k"]);
    let again = assembler.next(&mut ChangeBatch::default(), &mut |_, _, _| false);
    assert_eq!(again, Ok(Step::Unplanned(described)));
}

#[test]
fn a_plan_that_does_not_answer_the_question_is_refused() {
    let (mut assembler, described) = asked(Options::default(), vec![update(CHANGED)]);
    let plan = |columns: usize| TablePlan {
        table: true,
        columns: vec![true; columns],
    };
    let wrong = WrongPlan::ColumnCount {
        answers: 3,
        columns: 2,
    };
    assert_eq!(assembler.plan(described.id, plan(3)), Err(wrong));
    let mut other = Assembler::new(Shape::GoogleSql, Options::default());
    assert_eq!(
        other.plan(described.id, plan(2)),
        Err(WrongPlan::UnknownTable)
    );
}

#[test]
fn a_table_that_is_left_out_leaves_the_batch_alone() {
    let (mark, batch) = planned(Options::default(), vec![update(CHANGED)], |_| TablePlan {
        table: false,
        columns: vec![],
    });
    assert_eq!(mark.kept, Kept::Dropped(DropReason::Table));
    assert_eq!(batch.bytes(), 0);
    assert_eq!((&*mark.transaction, &*mark.sequence), ("txn", "00000001"));
}

#[test]
fn keys_are_kept_whatever_the_plan_says() {
    let (mark, batch) = planned(Options::default(), vec![update(CHANGED)], only([false; 2]));
    assert_eq!((mark.kept, mark.cells_dropped), (Kept::Appended, 1));
    assert_eq!(batch.keys.texts.get(0), Some(KEY.as_bytes()));
    assert_eq!(batch.new_values.texts.get(0), Some(&b"{}"[..]));
}

#[test]
fn a_record_without_a_change_left_is_skipped_if_asked_for() {
    let mods = || vec![update(CHANGED), update(r#"{"a":null}"#)];
    let (mark, batch) = planned(SKIP, mods(), only([false, true]));
    assert_eq!(mark.kept, Kept::Dropped(DropReason::WithoutChange));
    assert_eq!(mark.cells_dropped, 2);
    assert_eq!(batch.bytes(), 0);
    let (mark, _) = planned(Options::default(), mods(), only([false, true]));
    assert_eq!(mark.kept, Kept::Appended);
}

#[test]
fn a_record_with_one_modification_that_changes_something_is_kept_whole() {
    let mods = vec![update(CHANGED), update(r#"{"b":true}"#)];
    let (mark, batch) = planned(SKIP, mods, only([false, true]));
    assert_eq!((mark.kept, mark.cells_dropped), (Kept::Appended, 1));
    assert_eq!(batch.mod_ends, [2]);
}

#[test]
fn an_old_value_is_a_change_too() {
    let mods = vec![modification(KEY, CHANGED, r#"{"b":false}"#)];
    let (mark, _) = planned(SKIP, mods, only([false, true]));
    assert_eq!(mark.kept, Kept::Appended);
}

#[test]
fn a_record_that_was_sent_without_a_change_is_not_skipped() {
    // A stream that watches keys only sends `{}`: nothing was removed from it.
    let (mark, _) = planned(SKIP, vec![update("{}")], only([false, true]));
    assert_eq!((mark.kept, mark.cells_dropped), (Kept::Appended, 0));
}
