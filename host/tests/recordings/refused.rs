//! What is damaged, newer or foreign is refused by name, line and reason.

use std::path::Path;

use acequia_host::recording::Reader;

const HEADER: &str = r#"{"format":"acequia-recording","version":1,"shape":"spanner-changes"}"#;
const TABLE: &str = r#"{"table":{"name":"T","columns":[{"name":"Id","type":{"code":"INT64"},"is_primary_key":true}]}}"#;

fn change(keys: &str) -> String {
    format!(
        r#"{{"change":{{"table":"T","mod_type":"INSERT","mods":[{{"keys":{keys}}}],"commit_timestamp":"2026-01-02T03:04:05Z","record_sequence":"0","server_transaction_id":"tx"}}}}"#
    )
}

/// Why a file of these lines is refused.
fn refused(lines: &[&str]) -> String {
    let text = lines.join("\n");
    let reader = match Reader::over(text.as_bytes(), Path::new("cases.ndjson")) {
        Ok(reader) => reader,
        Err(error) => return error.to_string(),
    };
    let mut parts = reader.skip_while(Result::is_ok);
    let error = parts.next().unwrap().unwrap_err();
    assert!(parts.next().is_none(), "nothing comes after an error");
    error.to_string()
}

#[test]
fn another_file_is_no_recording() {
    for first in [
        "",
        "apiVersion: 0.1.0",
        "{}",
        r#"{"format":"other","version":1}"#,
        r#"{"format":"acequia-recording"}"#,
    ] {
        let said = refused(&[first, TABLE]);
        assert!(
            said.starts_with("cases.ndjson is not a recording"),
            "{said}"
        );
        assert!(said.contains("acequia record"), "{said}");
    }
    let bytes = Reader::over(&b"\x7fELF\xff\xfe\n"[..], Path::new("cases.ndjson"));
    assert!(bytes.is_err_and(|error| error.to_string().contains("is not a recording")));
}

#[test]
fn a_newer_version_and_another_shape_are_told_by_name() {
    let said = refused(&[r#"{"format":"acequia-recording","version":2,"shape":"x","more":1}"#]);
    assert!(
        said.contains("version 2") && said.contains("reads version 1"),
        "{said}"
    );
    let said = refused(&[r#"{"format":"acequia-recording","version":1,"shape":"bigtable"}"#]);
    assert!(
        said.contains("\"bigtable\"") && said.contains("\"spanner-changes\""),
        "{said}"
    );
}

#[test]
fn a_damaged_line_is_told_by_its_number_and_reason() {
    let good = change(r#"{"Id":"1"}"#);
    let cut = &good[..good.len() - 20];
    for (line, reason) in [
        (cut, "EOF while parsing"),
        ("{\"chnge\":{}}", "unknown variant `chnge`"),
        ("[]", "expected value"),
        (
            &good.replace("mod_type", "mod-type"),
            "unknown field `mod-type`",
        ),
        (
            &good.replace(r#","record_sequence":"0""#, ""),
            "missing field `record_sequence`",
        ),
        (
            &good.replace("\"T\"", "\"U\""),
            "no table \"U\" is described above",
        ),
        (
            &good.replace("2026-01-02", "2026-13-02"),
            "expected an RFC 3339 timestamp at commit_timestamp",
        ),
        (
            &change(r#"{"Name":"Ada"}"#),
            "expected a member that column_types names at mods[0].keys",
        ),
        (
            &change(r#"{"Id":"1","Id":"2"}"#),
            "expected each member once at mods[0].keys",
        ),
        (&change("1"), "at mods[0].keys"),
        (TABLE, "a table is called \"T\" already"),
    ] {
        let said = refused(&[HEADER, TABLE, "", &good, line]);
        assert!(said.starts_with("cases.ndjson, line 5: "), "{said}");
        assert!(said.contains(reason), "{reason}: {said}");
    }
}

#[test]
fn a_row_value_is_never_part_of_the_reason() {
    for line in [
        change("\"s3cret\""),
        change(r#"{"Id":"s3cret""#),
        change(r#"{"s3cret-no-column":1}"#).replace("\"mods\":[", "\"mods\":[\"s3cret\","),
    ] {
        let said = refused(&[HEADER, TABLE, &line]);
        assert!(!said.contains("s3cret"), "{said}");
    }
}
