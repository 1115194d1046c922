//! The wrong configurations of `tests/golden/config`, as the command meets them.

use std::path::{Path, PathBuf};

use super::process;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/golden/config")
}

#[tokio::test]
async fn every_wrong_configuration_exits_with_2_and_all_its_mistakes() {
    let mut cases = 0;
    for entry in std::fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let is_yaml = path.extension().is_some_and(|ending| ending == "yaml");
        if !name.starts_with("error-") || !is_yaml {
            continue;
        }
        let expected = std::fs::read_to_string(path.with_extension("expected.txt")).unwrap();
        let ended = process::run(&path).await;
        assert_eq!(ended.code, Some(2), "{name}: {}", ended.stderr);
        assert_eq!(ended.stdout, "", "{name}");
        for line in expected.lines() {
            assert!(
                ended.stderr.contains(line),
                "{name}: {line}: {}",
                ended.stderr
            );
        }
        assert_eq!(
            ended.stderr.lines().count(),
            expected.lines().count(),
            "{name}"
        );
        cases += 1;
    }
    assert!(cases >= 25, "{cases} wrong configurations");
}
