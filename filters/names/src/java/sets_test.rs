//! Every class, property, script and block over every character, against a JDK's own answers.

use super::ast::Node;
use super::charset::CharSet;
use super::parse::parse;

const TABLE: &str = include_str!("../../tests/java/sets.tsv");

#[test]
fn every_set_has_the_characters_it_has_in_java() {
    let mut different = Vec::new();
    for line in TABLE.lines().filter(|line| !line.starts_with('#')) {
        let (pattern, expected) = line.split_once('\t').expect("a tab");
        let found = match parse(pattern) {
            Ok(parsed) => {
                let Node::Set(set) = parsed.node else {
                    panic!("{pattern} is no set")
                };
                summary(&set)
            }
            Err(fault) if fault.reason.is_refusal() => {
                println!("refused: {pattern}: {}", fault.reason);
                continue;
            }
            Err(_) => "error\t0".to_owned(),
        };
        if found != expected {
            different.push(format!("{line}, not {found}"));
        }
    }
    assert!(
        different.is_empty(),
        "not as in Java:\n{}",
        different.join("\n")
    );
}

/// How many characters a set has, and a hash of which, as `Expected.java` makes it.
fn summary(set: &CharSet) -> String {
    let mut count = 0;
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for c in set.ranges().iter().flat_map(|(from, to)| *from..=*to) {
        count += 1;
        hash = (hash ^ u64::from(u32::from(c))).wrapping_mul(0x100_0000_01b3);
    }
    format!("{count}\t{hash:x}")
}
