//! Where compiled components are kept between runs.

use std::env;
use std::path::PathBuf;

use tracing::warn;
use wasmtime::{Cache, CacheConfig};

/// Where compiled components are kept. Compiling a component of 40 KB takes 60 ms, one in Python
/// 11 s and 300 MiB; from the cache both take milliseconds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum CodeCache {
    /// `$XDG_CACHE_HOME/acequia/components`, or `~/.cache/acequia/components`.
    #[default]
    User,
    /// This directory. It must be an absolute path.
    Directory(PathBuf),
    /// Nowhere: every run compiles.
    Off,
}

impl CodeCache {
    /// Opens the cache. A directory that cannot be made costs time, not the run: it is a warning.
    pub(super) fn open(&self) -> Option<Cache> {
        let directory = match self {
            Self::Off => return None,
            Self::Directory(directory) => directory.clone(),
            Self::User => user_directory().or_else(|| {
                warn!(
                    "neither XDG_CACHE_HOME nor HOME is set: components are compiled at each start"
                );
                None
            })?,
        };
        let mut config = CacheConfig::new();
        config.with_directory(&directory);
        match Cache::new(config) {
            Ok(cache) => Some(cache),
            Err(error) => {
                let error = error.root_cause().to_string();
                warn!(directory = %directory.display(), error, "components are compiled at each start: the cache cannot be used");
                None
            }
        }
    }
}

fn user_directory() -> Option<PathBuf> {
    let absolute = |name| {
        env::var_os(name)
            .map(PathBuf::from)
            .filter(|path| path.is_absolute())
    };
    absolute("XDG_CACHE_HOME")
        .or_else(|| absolute("HOME").map(|home| home.join(".cache")))
        .map(|cache| cache.join("acequia").join("components"))
}
