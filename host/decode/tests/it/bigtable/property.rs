//! Random streams, cut at random: our reading equals that of the generated types.

use acequia_decode::bigtable::{Options, Step};
use proptest::prelude::*;

use super::chunker::cut;
use super::drive::{Keep, Read, read};
use super::frames::{close, data, heartbeat};
use super::generate::change;
use super::slow;
use crate::random::Random;
use crate::soak;

fn everything(_family: &str, _qualifier: Option<&[u8]>) -> bool {
    true
}

/// A filter by names: any rule will do.
fn odd_names(family: &str, qualifier: Option<&[u8]>) -> bool {
    match qualifier {
        None => family != "g",
        Some(qualifier) => qualifier.len() % 2 == 1 || qualifier.is_empty(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: soak::times(512, 100), ..ProptestConfig::default() })]

    #[test]
    fn streams_read_as_the_generated_types_read_them(seed: u64, size in 0_usize..8) {
        let random = &mut Random(seed);
        let changes: Vec<_> = (0..size).map(|_| change(random)).collect();
        let mut frames = Vec::new();
        for change in &changes {
            if change.chunks.is_empty() {
                frames.push(data(change.clone()));
            } else {
                frames.extend(cut(random, change).into_iter().map(data));
            }
            frames.push(heartbeat(&change.token, 7));
        }
        frames.push(close(0, [], []));
        for (asked, keep) in [(None, everything as Keep), (Some(odd_names as Keep), odd_names)] {
            let found = read(Options::default(), asked, frames.iter().cloned()).unwrap();
            let mut expected = Vec::new();
            for change in &changes {
                expected.push(Read::Mutation(slow::row(change, keep)));
                expected.push(Read::Step(Step::Heartbeat {
                    token: change.token.as_str().into(),
                    low_watermark: "1970-01-01T00:00:07Z".parse().unwrap(),
                }));
            }
            expected.push(Read::Step(Step::Close {
                code: 0,
                message: String::new(),
                successors: vec![],
            }));
            prop_assert_eq!(found, expected);
        }
    }
}
