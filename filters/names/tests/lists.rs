//! What the lists of a configuration let through, and what is wrong with bad ones.
#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

use acequia_names_filter::lists::Filter;

fn filter(json: &str) -> Filter {
    Filter::from_json(json).expect("a good configuration")
}

fn errors(json: &str) -> Vec<(String, String)> {
    let errors = Filter::from_json(json).expect_err("a bad configuration");
    errors.into_iter().map(|e| (e.path, e.message)).collect()
}

fn paths(json: &str) -> Vec<String> {
    errors(json).into_iter().map(|(path, _)| path).collect()
}

#[test]
fn without_lists_all_names_pass() {
    for json in [
        "{}",
        r#"{"table-include-list": [], "table-exclude-list": []}"#,
    ] {
        let filter = filter(json);
        assert!(filter.table("Singers").unwrap());
        assert!(filter.column("Singers", "Name").unwrap());
        assert!(filter.family("cf").unwrap());
        assert!(filter.qualifier("cf", &[0xFF]).unwrap());
    }
}

#[test]
fn an_include_list_lets_through_what_matches_one_pattern_as_a_whole() {
    let filter = filter(r#"{"table-include-list": ["Sing.*", "Albums"]}"#);
    assert!(filter.table("Singers").unwrap());
    assert!(filter.table("Albums").unwrap());
    assert!(!filter.table("Albums2").unwrap());
    assert!(!filter.table("singers").unwrap());
}

#[test]
fn an_exclude_list_holds_back_what_matches_one_pattern_as_a_whole() {
    let filter = filter(r#"{"table-exclude-list": [".*_tmp", "Audit"]}"#);
    assert!(!filter.table("a_tmp").unwrap());
    assert!(!filter.table("Audit").unwrap());
    assert!(filter.table("AuditLog").unwrap());
}

#[test]
fn an_empty_list_beside_a_full_one_is_no_filter() {
    let filter = filter(r#"{"table-include-list": [], "table-exclude-list": ["a"]}"#);
    assert!(filter.table("b").unwrap());
    assert!(!filter.table("a").unwrap());
}

#[test]
fn a_column_is_matched_with_its_table() {
    let filter = filter(r#"{"column-exclude-list": ["Singers\\.(SSN|Bio)"]}"#);
    assert!(!filter.column("Singers", "SSN").unwrap());
    assert!(filter.column("Albums", "SSN").unwrap());
    assert!(filter.column("Singers", "SSN2").unwrap());
}

#[test]
fn a_qualifier_is_matched_as_its_family_and_padded_base64() {
    // Source: RFC 4648, section 10: BASE64("fo") = "Zm8=".
    let filter = filter(r#"{"qualifier-include-list": ["cf:Zm8=", "cf:/\\+8="]}"#);
    assert!(filter.qualifier("cf", b"fo").unwrap());
    assert!(
        filter
            .qualifier("cf", &[0xFF, 0xEF])
            .is_ok_and(|passes| passes)
    );
    assert!(!filter.qualifier("cf", b"foo").unwrap());
    assert!(!filter.qualifier("other", b"fo").unwrap());
}

#[test]
fn an_empty_qualifier_is_matched_as_its_family_and_a_colon() {
    let only = filter(r#"{"qualifier-include-list": ["cf:"]}"#);
    assert!(only.qualifier("cf", b"").unwrap());
    assert!(!only.qualifier("cf", b"a").unwrap());
    assert!(!only.qualifier("other", b"").unwrap());
    let others = filter(r#"{"qualifier-exclude-list": ["[^:]*:"]}"#);
    assert!(!others.qualifier("cf", b"").unwrap());
    assert!(others.qualifier("cf", &[0]).unwrap());
}

#[test]
fn every_sign_of_base64_is_matched_by_its_own_pattern() {
    // Source: RFC 4648, section 4. Python's base64 gives the same.
    for (qualifier, pattern) in [
        (&[0xFB][..], r"cf:\\+w=="),
        (&[0xFF], "cf:/w=="),
        (&[0xFB, 0xEF], r"cf:\\+\\+8="),
        (&[0xFF, 0xFF, 0xFE], r"cf:///\\+"),
        (b"cf:a", "cf:Y2Y6YQ=="),
    ] {
        let include = filter(&format!(r#"{{"qualifier-include-list": ["{pattern}"]}}"#));
        let exclude = filter(&format!(r#"{{"qualifier-exclude-list": ["{pattern}"]}}"#));
        assert!(include.qualifier("cf", qualifier).unwrap(), "{pattern}");
        assert!(!exclude.qualifier("cf", qualifier).unwrap(), "{pattern}");
        assert!(!include.qualifier("cf", b"b").unwrap(), "{pattern}");
        assert!(exclude.qualifier("cf", b"b").unwrap(), "{pattern}");
    }
}

#[test]
fn a_pattern_must_match_the_whole_of_family_and_qualifier() {
    // BASE64("fo") = "Zm8=".
    for part in ["Zm8=", "cf:Zm8", "f:Zm8=", "cf"] {
        let include = filter(&format!(r#"{{"qualifier-include-list": ["{part}"]}}"#));
        assert!(!include.qualifier("cf", b"fo").unwrap(), "{part}");
    }
    // A family's lists say nothing of its qualifiers, and the other way round.
    let families = filter(r#"{"family-exclude-list": ["cf"]}"#);
    assert!(families.qualifier("cf", b"fo").unwrap());
    let qualifiers = filter(r#"{"qualifier-exclude-list": ["cf:.*"]}"#);
    assert!(qualifiers.family("cf").unwrap());
}

#[test]
fn families_have_lists_of_their_own() {
    let filter = filter(r#"{"family-include-list": ["stats_.*"]}"#);
    assert!(filter.family("stats_daily").unwrap());
    assert!(!filter.family("raw").unwrap());
    assert!(filter.table("raw").unwrap());
}

#[test]
fn both_lists_of_a_pair_are_an_error() {
    for kind in ["table", "column", "family", "qualifier"] {
        let json = format!(r#"{{"{kind}-include-list": ["a"], "{kind}-exclude-list": ["b"]}}"#);
        assert_eq!(paths(&json), [format!("{kind}-exclude-list")]);
    }
}

#[test]
fn everything_wrong_is_reported_at_once_with_its_path() {
    let json = r#"{
        "table-include-list": ["good", 7, "[a"],
        "column-include-list": "a.b",
        "column-exclude-list": null,
        "tabel-include-list": [],
        "family-include-list": ["\\X"],
        "family-exclude-list": ["b"]
    }"#;
    let mut found = paths(json);
    found.sort();
    let expected = [
        "column-exclude-list",
        "column-include-list",
        "family-exclude-list",
        "family-include-list[0]",
        "tabel-include-list",
        "table-include-list[1]",
        "table-include-list[2]",
    ];
    assert_eq!(found, expected);
}

#[test]
fn a_refused_pattern_is_named_with_the_place_and_the_reason() {
    let errors = errors(r#"{"table-include-list": ["ab\\X"]}"#);
    let message = "pattern `ab\\X` cannot be used: at character 3: `\\X`, a grapheme cluster, is not supported";
    assert_eq!(
        errors,
        [("table-include-list[0]".to_owned(), message.to_owned())]
    );
}

#[test]
fn a_configuration_that_is_no_object_is_an_error_of_the_whole() {
    for json in ["", "[]", "7", "{"] {
        assert_eq!(paths(json), [""], "{json}");
    }
}

#[test]
fn a_pattern_that_runs_into_its_limit_is_an_error_and_no_answer() {
    // A back reference takes the memory of failed places away.
    let filter = filter(r#"{"table-exclude-list": ["(a)(?:a?a?a?)*(?:a?a?a?)*(?:a?a?a?)*\\1b"]}"#);
    let error = filter.table(&"a".repeat(200)).expect_err("the step limit");
    assert!(error.to_string().contains("ran into its limit"), "{error}");
}

#[test]
fn nested_repetitions_without_references_take_no_exponential_time() {
    let filter = filter(r#"{"table-exclude-list": ["((a+)+)+b", "(?:[a-z]+_?)*", "(a|aa)+c"]}"#);
    assert!(filter.table(&format!("{}1", "a".repeat(500))).unwrap());
}

#[test]
fn deep_nesting_long_patterns_and_large_counts_are_errors() {
    for pattern in [
        format!("{}a{}", "(".repeat(5000), ")".repeat(5000)),
        format!("{}a{}", "(".repeat(100), ")".repeat(100)),
        format!("{}a{}", "[".repeat(100), "]".repeat(100)),
        "a".repeat(9000),
        "a{1001}".to_owned(),
    ] {
        let json = serde_json::json!({ "table-include-list": [pattern] }).to_string();
        assert_eq!(paths(&json), ["table-include-list[0]"]);
    }
}

#[test]
fn counts_of_counts_stay_small() {
    let nested = (0..40).fold("a".to_owned(), |inner, _| format!("(?:{inner}){{1000}}"));
    let empty = (0..40).fold(String::new(), |inner, _| format!("(?:{inner}){{1000}}"));
    let json = serde_json::json!({ "table-include-list": [nested, empty] }).to_string();
    let filter = filter(&json);
    assert!(filter.table("").unwrap());
    assert!(!filter.table("a").unwrap());
}
