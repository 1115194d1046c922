//! Patterns against a JDK's own answers; `tests/java/Expected.java` says how the tables are made.
#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

use acequia_names_filter::java::Pattern;

/// What became of the rows of a table.
#[derive(Debug, Default)]
struct Tally {
    equal: usize,
    refused: Vec<String>,
    different: Vec<String>,
}

#[test]
fn every_case_is_as_in_java_or_refused_by_name() {
    let tally = compare(include_str!("java/cases.tsv"));
    for refused in &tally.refused {
        println!("refused: {refused}");
    }
    println!(
        "cases: {} as in Java, {} refused",
        tally.equal,
        tally.refused.len()
    );
    assert!(
        tally.different.is_empty(),
        "not as in Java:\n{}",
        tally.different.join("\n")
    );
    assert!(tally.equal >= 1000, "{tally:?}");
}

#[test]
fn random_patterns_are_as_in_java_or_refused_by_name() {
    let tally = compare(include_str!("java/random.tsv"));
    println!(
        "random: {} as in Java, {} refused",
        tally.equal,
        tally.refused.len()
    );
    assert!(
        tally.different.is_empty(),
        "not as in Java:\n{}",
        tally.different.join("\n")
    );
    assert!(
        tally.equal > 5 * tally.refused.len(),
        "{} refused",
        tally.refused.len()
    );
}

fn compare(table: &str) -> Tally {
    let mut tally = Tally::default();
    for line in table
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
    {
        let [pattern, name, expected] = fields(line);
        match answer(&decode(pattern), &decode(name)) {
            Ok(answer) if answer == expected => tally.equal += 1,
            Ok(answer) => tally.different.push(format!("{line}, not {answer}")),
            Err(reason) => tally.refused.push(format!("{line}: {reason}")),
        }
    }
    tally
}

/// What the pattern says, in the words of the table, or why it is refused.
fn answer(pattern: &str, name: &str) -> Result<String, String> {
    match Pattern::new(pattern) {
        Ok(pattern) => pattern
            .matches(name)
            .map(|m| m.to_string())
            .map_err(|e| e.to_string()),
        Err(e) if e.reason.is_refusal() => Err(e.reason.to_string()),
        Err(_) => Ok("error".to_owned()),
    }
}

fn fields(line: &str) -> [&str; 3] {
    let fields: Vec<&str> = line.split('\t').collect();
    fields.try_into().expect("three columns")
}

/// `%HEX;` is the character of that code point.
fn decode(text: &str) -> String {
    let mut parts = text.split('%');
    let mut decoded = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (code, rest) = part.split_once(';').expect("a `;` after the code");
        let code = u32::from_str_radix(code, 16).expect("a hexadecimal code");
        decoded.push(char::from_u32(code).expect("a character"));
        decoded.push_str(rest);
    }
    decoded
}
