//! Routing cookies: what the service wants to hear again when a call is tried again.

use tonic::metadata::{Ascii, KeyRef, MetadataKey, MetadataMap, MetadataValue};

/// How the names of routing cookies begin.
///
/// Source: java-bigtable, CookiesHolder.java: copied from initial and trailing metadata into the retry.
const PREFIX: &str = "x-goog-cbt-cookie";

/// Cookies that are kept of one call. The service sends one or two.
const COOKIES_MAX: usize = 32;

/// The cookies of a partition's last call.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cookies(Vec<(MetadataKey<Ascii>, MetadataValue<Ascii>)>);

impl Cookies {
    /// Takes what stands in the metadata; a name that is known gets its new value.
    pub(crate) fn take(&mut self, metadata: &MetadataMap) {
        for name in metadata.keys() {
            let KeyRef::Ascii(name) = name else {
                continue;
            };
            let value = metadata.get(name);
            let Some(value) = value.filter(|_| name.as_str().starts_with(PREFIX)) else {
                continue;
            };
            self.0.retain(|(known, _)| known != name);
            if self.0.len() < COOKIES_MAX {
                self.0.push((name.clone(), value.clone()));
            }
        }
    }

    /// Puts them into the metadata of the next call.
    pub(crate) fn give(&self, metadata: &mut MetadataMap) {
        for (name, value) in &self.0 {
            metadata.insert(name.clone(), value.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cookies_of_headers_and_trailers_go_into_the_next_call_and_others_do_not() {
        let mut headers = MetadataMap::new();
        headers.insert("x-goog-cbt-cookie-routing", "a".parse().unwrap());
        headers.insert("server-timing", "gfet4t7; dur=1".parse().unwrap());
        let mut trailers = MetadataMap::new();
        trailers.insert("x-goog-cbt-cookie-routing", "b".parse().unwrap());
        trailers.insert("x-goog-cbt-cookie-other", "c".parse().unwrap());
        let mut cookies = Cookies::default();
        cookies.take(&headers);
        cookies.take(&trailers);
        let mut next = MetadataMap::new();
        cookies.give(&mut next);
        assert_eq!(next.len(), 2);
        assert_eq!(next.get("x-goog-cbt-cookie-routing").unwrap(), "b");
        assert_eq!(next.get("x-goog-cbt-cookie-other").unwrap(), "c");
    }
}
