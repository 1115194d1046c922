//! Whose access token is asked for, and where: what of a key may be told.

use std::fmt;

use http::Uri;
use serde::Deserialize;

/// A service account, as its key describes it. It holds nothing secret.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Account {
    /// Its e-mail address.
    pub email: String,
    /// Where its tokens come from; always with a host.
    pub token_endpoint: Uri,
}

/// The key's `token_uri` cannot be asked.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
#[error("its token_uri is no address with a scheme and a host")]
pub struct TokenEndpointError;

/// The members of a key that may be told. The others are not even read.
#[derive(Deserialize)]
struct Told {
    client_email: Option<String>,
    token_uri: Option<String>,
}

impl Account {
    /// The account of a key's JSON text; none where the text is no such key, which whoever reads it
    /// in earnest has to say.
    ///
    /// # Errors
    ///
    /// The key names an endpoint that cannot be asked: the client that makes tokens would break off
    /// on it.
    pub(super) fn of_key(text: &str) -> Result<Option<Self>, TokenEndpointError> {
        let Ok(Told {
            client_email: Some(email),
            token_uri: Some(token_uri),
        }) = serde_json::from_str(text)
        else {
            return Ok(None);
        };
        let token_endpoint: Uri = token_uri.parse().map_err(|_invalid| TokenEndpointError)?;
        match (token_endpoint.scheme_str(), token_endpoint.host()) {
            (Some("http" | "https"), Some(_)) => Ok(Some(Self {
                email,
                token_endpoint,
            })),
            (Some(_) | None, _) => Err(TokenEndpointError),
        }
    }
}

/// `EMAIL from ENDPOINT (host HOST)`.
impl fmt::Display for Account {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            email,
            token_endpoint,
        } = self;
        let host = token_endpoint.host().unwrap_or_default();
        write!(f, "{email} from {token_endpoint} (host {host})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(token_uri: &str) -> String {
        format!(r#"{{"client_email":"a@b.example","token_uri":"{token_uri}","private_key":"x"}}"#)
    }

    #[test]
    fn an_account_is_told_by_its_address_and_endpoint_and_not_by_its_key() {
        let account = Account::of_key(&key("https://tokens.example/token")).unwrap();
        assert_eq!(
            account.unwrap().to_string(),
            "a@b.example from https://tokens.example/token (host tokens.example)"
        );
    }

    #[test]
    fn an_endpoint_that_cannot_be_asked_is_refused_before_it_is() {
        for wrong in ["", "not a uri", "/token", "tokens.example", "ftp://a/b"] {
            assert_eq!(
                Account::of_key(&key(wrong)),
                Err(TokenEndpointError),
                "{wrong}"
            );
        }
    }

    #[test]
    fn what_is_no_key_has_no_account() {
        for text in ["", "[]", "{}", r#"{"client_email":"a"}"#] {
            assert_eq!(Account::of_key(text), Ok(None), "{text}");
        }
    }
}
