//! How bytes stand in a JSON text.

use acequia_guest::json;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// How row keys, qualifiers and values are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Encoding {
    /// As a string in standard Base64 with padding.
    #[default]
    Base64,
    /// As the string that they are, or as an object with Base64 where they are not UTF-8. A string is
    /// never an object, so nothing is taken for something else.
    Utf8,
}

impl Encoding {
    /// Appends the JSON value of some bytes.
    pub(crate) fn write(self, out: &mut Vec<u8>, bytes: &[u8]) {
        match self {
            Self::Base64 => write_base64(out, bytes),
            Self::Utf8 => match core::str::from_utf8(bytes) {
                Ok(text) => json::string(out, text),
                Err(_) => {
                    out.extend_from_slice(b"{\"base64\":");
                    write_base64(out, bytes);
                    out.push(b'}');
                }
            },
        }
    }
}

/// Appends a string, of which no character needs an escape.
fn write_base64(out: &mut Vec<u8>, bytes: &[u8]) {
    out.push(b'"');
    let start = out.len();
    out.resize(
        start + base64::encoded_len(bytes.len(), true).unwrap_or_default(),
        0,
    );
    let room = out.get_mut(start..).unwrap_or_default();
    let written = STANDARD.encode_slice(bytes, room).unwrap_or_default();
    out.truncate(start + written);
    out.push(b'"');
}
