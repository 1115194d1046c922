use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::{SinkError, SinkState};

/// The state of a sink that writes files: the durable length of each in bytes, by the last component of its
/// path. The directory is left out, so that files and configuration can move together.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Lengths {
    files: BTreeMap<String, u64>,
}

impl Lengths {
    /// The lengths that a state names; none without a state.
    pub(super) fn of_state(state: Option<&SinkState>) -> Result<Self, SinkError> {
        let Some(state) = state else {
            return Ok(Self::default());
        };
        serde_json::from_str(state.as_str()).map_err(|error| SinkError::State {
            reason: format!("it is not a state of files: {error}"),
        })
    }

    /// The length of each path, `None` where the state does not name it.
    ///
    /// A file of the state that is not among the paths is an error: what was written past its cut would stay.
    pub(super) fn cuts<const N: usize>(
        mut self,
        paths: [&Path; N],
    ) -> Result<[Option<u64>; N], SinkError> {
        let mut cuts = [None; N];
        let mut names = Vec::with_capacity(N);
        for (cut, path) in cuts.iter_mut().zip(paths) {
            let name = name_of(path)?;
            if names.contains(&name) {
                return Err(SinkError::SameName { name });
            }
            *cut = self.files.remove(&name);
            names.push(name);
        }
        match self.files.pop_first() {
            None => Ok(cuts),
            Some((other, _)) => Err(SinkError::State {
                reason: format!(
                    "it is of {other}, and the configured files are {}",
                    names.join(" and ")
                ),
            }),
        }
    }

    /// Adds the durable length of a file.
    pub(super) fn add(&mut self, path: &Path, length: u64) -> Result<(), SinkError> {
        self.files.insert(name_of(path)?, length);
        Ok(())
    }

    /// The state, in one spelling for one content.
    pub(super) fn to_state(&self) -> Result<SinkState, SinkError> {
        let json = serde_json::to_string(self).map_err(|error| SinkError::State {
            reason: error.to_string(),
        })?;
        Ok(SinkState::new(json))
    }
}

fn name_of(path: &Path) -> Result<String, SinkError> {
    let name = path.file_name().ok_or_else(|| SinkError::Io {
        name: path.display().to_string(),
        action: "use this path",
        source: io::Error::new(io::ErrorKind::InvalidInput, "it has no file name"),
    })?;
    Ok(name.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_the_state_does_not_name_has_no_cut() {
        let state = SinkState::new(r#"{"files":{"a.ndjson":7}}"#);
        let cuts = Lengths::of_state(Some(&state))
            .unwrap()
            .cuts(["x/a.ndjson", "b"].map(Path::new))
            .unwrap();
        assert_eq!(cuts, [Some(7), None]);
    }

    #[test]
    fn a_state_of_another_file_is_refused_with_both_names() {
        let state = SinkState::new(r#"{"files":{"old.ndjson":7}}"#);
        let error = Lengths::of_state(Some(&state))
            .unwrap()
            .cuts([Path::new("new.ndjson")])
            .unwrap_err();
        let text = error.to_string();
        assert!(
            text.contains("old.ndjson") && text.contains("new.ndjson"),
            "{text}"
        );
    }

    #[test]
    fn two_files_of_one_name_are_refused() {
        let error = Lengths::default()
            .cuts(["a/x", "b/x"].map(Path::new))
            .unwrap_err();
        assert!(matches!(error, SinkError::SameName { name } if name == "x"));
    }

    #[test]
    fn a_state_of_another_kind_is_refused() {
        let state = SinkState::new(r#"{"offsets":[1]}"#);
        assert!(matches!(
            Lengths::of_state(Some(&state)),
            Err(SinkError::State { .. })
        ));
    }
}
