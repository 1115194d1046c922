//! Plans, and what they leave.

use acequia_decode::bigtable::{
    Assembler, DropReason, FamilyColumns, Kept, MutationBatch, MutationMark, NamesPlan, Options,
    Step, WrongPlan,
};
use googleapis_tonic_google_bigtable_v2::google::bigtable::v2::read_change_stream_response::{
    DataChange, data_change::Type,
};

use super::drive::{Keep, Read, answer, read};
use super::frames::{data, delete_column, delete_family, ended, first, more, piece, set, whole};

fn asking() -> Options {
    Options {
        filter_names: true,
        ..Options::default()
    }
}

fn skipping() -> Options {
    Options {
        skip_messages_without_change: true,
        ..asking()
    }
}

/// Reads one mutation with the answers of a rule.
fn filtered(
    options: Options,
    keep: Keep,
    changes: impl IntoIterator<Item = DataChange>,
) -> (MutationMark, MutationBatch) {
    let mut assembler = Assembler::new(options);
    for change in changes {
        assembler.push(data(change)).unwrap();
    }
    let mut batch = MutationBatch::default();
    loop {
        match assembler.next(&mut batch).unwrap() {
            Step::Unplanned(names) => {
                assert_eq!(batch.bytes(), 0);
                assembler.plan(&answer(&names, keep)).unwrap();
            }
            Step::Mutation(mark) => return (mark, batch),
            other => panic!("a mutation, not {other:?}"),
        }
    }
}

/// What is left of the entries: `family:qualifier`, or `family` for a deleted one.
fn left(keep: Keep, change: DataChange) -> Vec<String> {
    let (_, batch) = filtered(asking(), keep, [change]);
    let entries = 0..batch.entry_kinds.len();
    let name = |index: usize| {
        let family = batch.families.get(batch.entry_families[index] as usize);
        let mut name = String::from_utf8_lossy(family.unwrap()).into_owned();
        if batch.entry_kinds[index] != 2 {
            let qualifier = batch.qualifiers.get(index).unwrap();
            name.push(':');
            name.push_str(&String::from_utf8_lossy(qualifier));
        }
        name
    };
    entries.map(name).collect()
}

/// Whether something is this family, or a column of it.
fn not_g(family: &str, _qualifier: Option<&[u8]>) -> bool {
    family != "g"
}

fn nothing(_family: &str, _qualifier: Option<&[u8]>) -> bool {
    false
}

fn mixed() -> DataChange {
    whole([
        set("g", b"a", b"1"),
        set("f", b"b", b"2"),
        delete_family("g"),
        delete_family("f"),
        delete_column("f", b"a"),
        set("f", b"b", b"3"),
    ])
}

#[test]
fn without_a_filter_nothing_is_asked() {
    let (mark, batch) = filtered(Options::default(), nothing, [mixed()]);
    assert_eq!((mark.kept, mark.entries_dropped), (Kept::Appended, 0));
    assert_eq!(batch.entry_ends, [6]);
}

#[test]
fn all_names_of_a_mutation_are_asked_about_at_once_and_once() {
    let mut assembler = Assembler::new(asking());
    let mut batch = MutationBatch::default();
    assembler.push(data(mixed())).unwrap();
    let Step::Unplanned(names) = assembler.next(&mut batch).unwrap() else {
        panic!("a question");
    };
    assert_eq!(names.families, ["f", "g"]);
    let columns = |family: &str, qualifiers: &[&[u8]]| FamilyColumns {
        family: family.to_owned(),
        qualifiers: qualifiers.iter().map(|name| name.to_vec()).collect(),
    };
    assert_eq!(
        names.columns,
        [columns("f", &[b"a", b"b"]), columns("g", &[b"a"])]
    );
    assert_eq!(
        assembler.next(&mut batch),
        Ok(Step::Unplanned(names.clone()))
    );
    assembler.plan(&answer(&names, |_, _| true)).unwrap();
    assert!(matches!(assembler.next(&mut batch), Ok(Step::Mutation(_))));

    assembler
        .push(data(whole([set("f", b"a", b""), set("f", b"c", b"")])))
        .unwrap();
    let Step::Unplanned(names) = assembler.next(&mut batch).unwrap() else {
        panic!("a question about what is new");
    };
    assert_eq!(
        (names.families.len(), names.columns),
        (0, vec![columns("f", &[b"c"])])
    );
}

#[test]
fn the_columns_of_a_family_that_does_not_pass_are_not_asked_about() {
    let mut assembler = Assembler::new(asking());
    let mut batch = MutationBatch::default();
    for change in [mixed(), whole([set("g", b"new", b"")])] {
        assembler.push(data(change)).unwrap();
    }
    let Step::Unplanned(names) = assembler.next(&mut batch).unwrap() else {
        panic!("a question");
    };
    assembler.plan(&answer(&names, not_g)).unwrap();
    for _ in 0..2 {
        assert!(matches!(assembler.next(&mut batch), Ok(Step::Mutation(_))));
    }
    assert_eq!(batch.entry_ends, [4, 4]);
}

#[test]
fn the_order_of_what_is_left_is_kept() {
    assert_eq!(left(not_g, mixed()), ["f:b", "f", "f:a", "f:b"]);
}

#[test]
fn family_and_column_must_both_pass() {
    let keep: Keep = |family, qualifier| match qualifier {
        None => family != "g",
        Some(qualifier) => qualifier != b"b",
    };
    assert_eq!(left(keep, mixed()), ["f", "f:a"]);
}

#[test]
fn a_deleted_family_is_governed_by_the_family_alone() {
    // No column passes.
    assert_eq!(
        left(|_, qualifier| qualifier.is_none(), mixed()),
        ["g", "f"]
    );
}

#[test]
fn an_empty_qualifier_is_a_column_too() {
    let keep: Keep = |_, qualifier| qualifier.is_none_or(<[u8]>::is_empty);
    let change = whole([set("f", b"", b"1"), set("f", b"\xfb\xff", b"2")]);
    assert_eq!(left(keep, change), ["f:"]);
}

#[test]
fn a_mutation_that_was_emptied_is_delivered_or_skipped() {
    let (mark, batch) = filtered(asking(), nothing, [mixed()]);
    assert_eq!((mark.kept, mark.entries_dropped), (Kept::Appended, 6));
    assert_eq!((batch.mutations(), &batch.entry_ends[..]), (1, &[0][..]));
    assert!(batch.families.is_empty());

    let (mark, batch) = filtered(skipping(), nothing, [mixed()]);
    assert_eq!(mark.kept, Kept::Dropped(DropReason::WithoutChange));
    assert_eq!(mark.entries_dropped, 6);
    assert_eq!(batch.bytes(), 0);
}

#[test]
fn a_mutation_that_was_sent_empty_is_delivered() {
    let (mark, batch) = filtered(skipping(), nothing, [whole([])]);
    assert_eq!((mark.kept, mark.entries_dropped), (Kept::Appended, 0));
    assert_eq!(batch.entry_ends, [0]);
}

#[test]
fn token_and_low_watermark_advance_whatever_is_dropped() {
    let (mark, _) = filtered(skipping(), nothing, [mixed()]);
    assert_eq!(&*mark.token, "token");
    assert_eq!(mark.low_watermark, "1970-01-01T00:01:30Z".parse().unwrap());
    assert_eq!(mark.at, "1970-01-01T00:01:40.000007Z".parse().unwrap());
}

#[test]
fn a_value_in_pieces_is_dropped_with_all_of_them() {
    let changes = || {
        [
            first([piece(2, 0, false, b"a")]),
            ended(more([piece(2, 1, true, b"b"), set("f", b"other", b"c")])),
        ]
    };
    let keep: Keep = |_, qualifier| qualifier != Some(b"q");
    let (mark, batch) = filtered(asking(), keep, changes());
    assert_eq!((mark.entries_dropped, batch.values.bytes()), (1, &b"c"[..]));
    let (_, batch) = filtered(asking(), |_, _| true, changes());
    assert_eq!(batch.values.bytes(), b"abc");
}

#[test]
fn garbage_collection_is_kept_or_dropped() {
    let change = || DataChange {
        r#type: Type::GarbageCollection.into(),
        source_cluster_id: String::new(),
        ..whole([delete_family("f")])
    };
    let drops = Options {
        include_garbage_collection: false,
        ..asking()
    };
    let (mark, batch) = filtered(drops.clone(), nothing, [change()]);
    assert_eq!(mark.kept, Kept::Dropped(DropReason::GarbageCollection));
    assert_eq!((batch.bytes(), &*mark.token), (0, "token"));
    let (mark, _) = filtered(Options::default(), nothing, [change()]);
    assert_eq!(mark.kept, Kept::Appended);
    let (mark, _) = filtered(drops, |_, _| true, [mixed()]);
    assert_eq!(mark.kept, Kept::Appended);
}

#[test]
fn only_mutations_of_some_clusters_pass() {
    let of = |clusters: &[&str]| Options {
        source_clusters: clusters.iter().map(|&id| id.to_owned()).collect(),
        ..Options::default()
    };
    let kept = |options, change| filtered(options, nothing, [change]).0.kept;
    assert_eq!(kept(of(&["c0", "c1"]), mixed()), Kept::Appended);
    let dropped = Kept::Dropped(DropReason::SourceCluster);
    assert_eq!(kept(of(&["c0"]), mixed()), dropped);
    let garbage = DataChange {
        r#type: Type::GarbageCollection.into(),
        source_cluster_id: String::new(),
        ..mixed()
    };
    assert_eq!(kept(of(&["c0"]), garbage), Kept::Appended);
}

#[test]
fn a_plan_that_does_not_answer_the_question_is_refused() {
    let mut assembler = Assembler::new(asking());
    let plan = |families: usize, columns: &[usize]| NamesPlan {
        families: vec![true; families],
        columns: columns.iter().map(|&columns| vec![true; columns]).collect(),
    };
    assert_eq!(assembler.plan(&plan(0, &[])), Err(WrongPlan::NotAsked));
    assembler.push(data(mixed())).unwrap();
    assembler.next(&mut MutationBatch::default()).unwrap();
    let wrong = |answers, names| Err(WrongPlan::Count { answers, names });
    assert_eq!(assembler.plan(&plan(1, &[2, 1])), wrong(1, 2));
    assert_eq!(assembler.plan(&plan(2, &[2])), wrong(1, 2));
    assert_eq!(assembler.plan(&plan(2, &[3, 1])), wrong(3, 2));
    assert_eq!(assembler.plan(&plan(2, &[2, 1])), Ok(()));
}

#[test]
fn names_past_the_limit_are_asked_about_again() {
    // 200 mutations of 100 columns are more than the 16,384 names that are remembered.
    let mut assembler = Assembler::new(asking());
    let mut batch = MutationBatch::default();
    let mut questions = 0;
    for round in 0..2 {
        for mutation in 0..200 {
            let name = |column: i32| format!("{mutation}/{column}").into_bytes();
            let chunks = (0..100).map(|column| set("f", &name(column), b""));
            assembler.push(data(whole(chunks))).unwrap();
            while let Step::Unplanned(names) = assembler.next(&mut batch).unwrap() {
                questions += 1;
                assembler.plan(&answer(&names, |_, _| true)).unwrap();
            }
            assert_eq!(
                batch.entry_ends,
                [100],
                "round {round}, mutation {mutation}"
            );
            batch.clear();
        }
    }
    assert!(questions > 200, "{questions}");
}

#[test]
fn qualifiers_are_not_shown() {
    let mut assembler = Assembler::new(asking());
    let change = whole([set("f", b"secret", b"")]);
    assembler.push(data(change)).unwrap();
    let step = assembler.next(&mut MutationBatch::default()).unwrap();
    let shown = format!("{step:?}");
    assert!(shown.contains("\"f\"") && !shown.contains("secret") && !shown.contains("115"));
}

#[test]
fn the_batch_is_as_it_was_after_an_error() {
    let broken = ended(DataChange {
        chunks: vec![set("new", b"q", b"1"), delete_family("")],
        ..whole([])
    });
    let mut batch = MutationBatch::default();
    super::drive::read_into(&mut batch, Options::default(), None, [data(mixed())]).unwrap();
    let before = batch.clone();
    let error = super::drive::read_into(&mut batch, Options::default(), None, [data(broken)]);
    assert!(error.is_err());
    assert!(batch == before);
    let read = read(Options::default(), None, [data(mixed())]).unwrap();
    assert!(matches!(&read[..], [Read::Mutation(row)] if row.entries.len() == 6));
}
