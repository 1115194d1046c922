//! What was pending at a token comes back from a file: whole, or damaged.

use acequia_decode::Malformed;
use acequia_decode::rows::RowBatch;
use acequia_decode::spanner::{RowAssembler, RowStart, RowStep};
use googleapis_tonic_google_spanner_v1::google::spanner::v1::{
    PartialResultSet, ResultSetMetadata, TypeCode,
};
use prost_types::Value;

use crate::spanner::frames::{array, encode, list, of, text};
use crate::spanner::rows::drive::query;
use crate::spanner::rows::frames::{chunked, columns, first, with_token};

fn three_columns() -> ResultSetMetadata {
    let list = array(of(TypeCode::String));
    columns([
        ("a", of(TypeCode::String)),
        ("b", of(TypeCode::Int64)),
        ("c", list),
    ])
}

/// The carry of the only token of a frame.
fn carry(frame: PartialResultSet) -> Option<Vec<u8>> {
    let mut assembler = RowAssembler::new(query(), RowStart::default()).unwrap();
    assembler.push(encode(&with_token(frame, "token"))).unwrap();
    match assembler.next(&mut RowBatch::default()).unwrap() {
        RowStep::Token { token, carry } => {
            assert_eq!(token, "token");
            Some(carry)
        }
        RowStep::Empty => None,
        step => panic!("{step:?}"),
    }
}

/// Two values of a row, and a list whose last element may grow.
fn inside_a_row() -> Vec<u8> {
    let begun = [text("x"), text("-7"), list([text("whole"), text("beg")])];
    carry(chunked(first(&three_columns(), begun))).unwrap()
}

fn begin(carry: Vec<u8>) -> Result<RowAssembler, Malformed> {
    let start = RowStart {
        carry,
        ..RowStart::default()
    };
    RowAssembler::new(query(), start)
}

/// Reads on from a carry to the end of a stream.
fn read_on(
    carry: Vec<u8>,
    metadata: &ResultSetMetadata,
    values: impl IntoIterator<Item = Value>,
) -> Result<RowBatch, Malformed> {
    let (mut batch, mut assembler) = (RowBatch::default(), begin(carry)?);
    assembler.push(encode(&first(metadata, values)))?;
    loop {
        match assembler.next(&mut batch)? {
            RowStep::Empty => break,
            RowStep::Unplanned { columns } => {
                assembler.plan(vec![true; columns.len()]).unwrap();
            }
            RowStep::Row { .. } | RowStep::Covered | RowStep::Token { .. } => {}
        }
    }
    assembler.finish()?;
    Ok(batch)
}

#[test]
fn another_process_goes_on_inside_a_value() {
    let rest = [list([text("un"), text("end")])];
    let batch = read_on(inside_a_row(), &three_columns(), rest).unwrap();
    assert_eq!(batch.cell(0, 0), Some(&br#""x""#[..]));
    assert_eq!(batch.cell(0, 1), Some(&br#""-7""#[..]));
    assert_eq!(batch.cell(0, 2), Some(&br#"["whole","begun","end"]"#[..]));
}

#[test]
fn between_two_rows_nothing_is_pending() {
    let row = [text("x"), text("-7"), list([])];
    assert!(carry(first(&three_columns(), [])).unwrap().is_empty());
    let mut assembler = RowAssembler::new(query(), RowStart::default()).unwrap();
    let frame = with_token(first(&three_columns(), row), "token");
    assembler.push(encode(&frame)).unwrap();
    assembler.plan(vec![true; 3]).unwrap();
    let batch = &mut RowBatch::default();
    assert!(matches!(assembler.next(batch), Ok(RowStep::Row { .. })));
    let carry = Vec::new();
    let token = "token".into();
    assert_eq!(assembler.next(batch), Ok(RowStep::Token { token, carry }));
    assert_eq!(assembler.next(batch), Ok(RowStep::Empty));
}

#[test]
fn no_byte_of_a_carry_can_change_or_be_missing() {
    let whole = inside_a_row();
    assert!(begin(whole.clone()).is_ok());
    for at in 0..whole.len() {
        // An empty carry is nothing pending.
        assert_eq!(begin(whole[..at].to_vec()).is_ok(), at == 0, "cut at {at}");
        for change in 1..=u8::MAX {
            let mut damaged = whole.clone();
            damaged[at] ^= change;
            let error = begin(damaged).unwrap_err();
            assert_eq!(error.path(), "carry");
        }
    }
    let mut longer = whole;
    longer.push(0);
    assert!(begin(longer).is_err());
}

/// A body with the checksum that belongs to it, by the description of FNV-1a.
fn with_checksum(body: &[u8]) -> Vec<u8> {
    let mut hash: u64 = 14_695_981_039_346_656_037;
    for byte in body {
        hash ^= u64::from(*byte);
        hash = hash.wrapping_mul(1_099_511_628_211);
    }
    [body, &hash.to_le_bytes()].concat()
}

#[test]
fn what_no_assembler_wrote_is_an_answer_or_an_error() {
    let whole = inside_a_row();
    let body = &whole[..whole.len() - 8];
    assert_eq!(with_checksum(body), whole);
    for at in 0..body.len() {
        for change in 1..=u8::MAX {
            let mut damaged = body.to_vec();
            damaged[at] ^= change;
            let rest = [text(""), text("0"), list([])];
            let _ = read_on(with_checksum(&damaged), &three_columns(), rest);
        }
        let _ = read_on(with_checksum(&body[..at]), &three_columns(), [list([])]);
    }
}

#[test]
fn a_carry_that_cannot_be_is_refused_by_name() {
    let what = |body: &[u8]| begin(with_checksum(body)).unwrap_err().what();
    assert_eq!(what(&[]), "version 1");
    assert_eq!(what(&[2]), "version 1");
    // Field 3, and a number where a value belongs.
    assert_eq!(what(&[1, 0x1a, 0]), "a field of version 1");
    assert_eq!(what(&[1, 0x08, 0]), "a field of version 1");
    // Two open values.
    let open = [0x12, 2, 0x1a, 0];
    assert_eq!(
        what(&[&[1], &open[..], &open].concat()),
        "a field of version 1"
    );
    // A boolean that is open.
    assert_eq!(
        what(&[1, 0x12, 2, 0x20, 1]),
        "a chunked string, list or object"
    );
    assert_eq!(what(&[1, 0x0a, 9, 0]), "a length within the message");
    assert_eq!(begin(vec![1; 7]).unwrap_err().what(), "a checksum");
    assert_eq!(
        begin(vec![1; (64 << 10) + 1]).unwrap_err().what(),
        "at most 64 KiB"
    );
}

#[test]
fn more_is_pending_than_a_row_has_columns() {
    let one_column = columns([("a", of(TypeCode::String))]);
    let error = read_on(inside_a_row(), &one_column, []).unwrap_err();
    assert_eq!(error.what(), "a column for each pending value");
}

#[test]
fn a_token_with_more_than_64_kib_pending_is_passed_over() {
    let begun = |bytes: usize| chunked(first(&three_columns(), [text("x".repeat(bytes))]));
    assert!(carry(begun(65_000)).is_some());
    assert!(carry(begun(65_536)).is_none());
    let whole = |bytes: usize| first(&three_columns(), [text("x".repeat(bytes))]);
    assert!(carry(whole(65_000)).is_some());
    assert!(carry(whole(65_536)).is_none());
}

#[test]
fn a_character_may_be_cut_by_a_frame() {
    // `é` in two: the generated types cannot hold it.
    let half = |byte: u8| [0x12, 3, 0x1a, 1, byte];
    let metadata = columns([("a", of(TypeCode::String))]);
    let mut frame = encode(&chunked(with_token(first(&metadata, []), "token"))).to_vec();
    frame.extend(half(0xc3));
    let mut assembler = RowAssembler::new(query(), RowStart::default()).unwrap();
    assembler.push(frame.into()).unwrap();
    let Ok(RowStep::Token { carry, .. }) = assembler.next(&mut RowBatch::default()) else {
        panic!("a token");
    };
    let mut assembler = begin(carry).unwrap();
    assembler.push(encode(&first(&metadata, []))).unwrap();
    assembler.plan(vec![true]).unwrap();
    assembler.push(half(0xa9).to_vec().into()).unwrap();
    let mut batch = RowBatch::default();
    assert!(matches!(
        assembler.next(&mut batch),
        Ok(RowStep::Row { .. })
    ));
    assert_eq!(batch.cell(0, 0), Some("\"\u{e9}\"".as_bytes()));
}
