//! How series of one process are told from those of another.

use std::hash::{BuildHasher, Hasher, RandomState};

use sha2::{Digest, Sha256};

/// An id of this process: random, with the number of the process and the name of the machine, as those
/// of Google's clients are.
///
/// Source: java-spanner, BuiltInMetricsProvider.java, `getDefaultTaskValue`
#[derive(Clone, Debug)]
pub(super) struct ClientId(String);

impl ClientId {
    /// An id that nobody else has.
    pub(super) fn new() -> Self {
        let random = format!("{:016x}{:016x}", random(), random());
        let process = std::process::id();
        let machine = machine(std::env::var("HOSTNAME").ok());
        Self(format!("{random}@{process}@{machine}"))
    }

    pub(super) fn as_str(&self) -> &str {
        &self.0
    }

    /// Ten bits of its hash in six hexadecimal digits: so few that the monitored resources stay few.
    ///
    /// Source: java-spanner, BuiltInMetricsProvider.java, `generateClientHash`
    pub(super) fn hash(&self) -> String {
        let digest = Sha256::digest(&self.0);
        let mut first = [0; 2];
        for (to, from) in first.iter_mut().zip(digest) {
            *to = from;
        }
        format!("{:06x}", u16::from_be_bytes(first) >> 6)
    }
}

/// The name that the environment gives the machine, as containers and shells do.
fn machine(hostname: Option<String>) -> String {
    let named = hostname.filter(|name| !name.trim().is_empty());
    named.unwrap_or_else(|| "localhost".to_owned())
}

/// The keys of the standard library's hashers are random.
fn random() -> u64 {
    RandomState::new().build_hasher().finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_of_this_process_and_no_other() {
        let (one, other) = (ClientId::new(), ClientId::new());
        assert_ne!(one.as_str(), other.as_str());
        let parts: Vec<_> = one.as_str().splitn(3, '@').collect();
        assert_eq!(parts[1], std::process::id().to_string());
        assert!(!parts[2].is_empty());
    }

    #[test]
    fn a_machine_without_a_name_is_localhost() {
        assert_eq!(machine(Some("pod-7".to_owned())), "pod-7");
        assert_eq!(machine(Some(" ".to_owned())), "localhost");
        assert_eq!(machine(None), "localhost");
    }

    #[test]
    fn a_hash_is_of_the_first_ten_bits() {
        // The digest of "abc" begins with ba78.
        //
        // Source: FIPS 180-4, example of SHA-256
        assert_eq!(ClientId("abc".to_owned()).hash(), "0002e9");
    }
}
