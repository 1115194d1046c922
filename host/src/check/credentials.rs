//! As whom the service is asked, and whether there is a token.

use super::Topic;
use super::answer::{ANSWER_TIMEOUT, in_time};
use super::findings::Findings;
use crate::chain::chain;
use crate::config::Credentials;
use crate::google::{Account, CredentialsError};

/// Waits for the token that a client gets for itself. False where there is none, so that the service
/// need not be asked.
pub(super) async fn look(
    credentials: &Credentials,
    token: impl Future<Output = Result<Option<Account>, CredentialsError>>,
    findings: &mut Findings,
) -> bool {
    findings.begin("getting a token");
    let said = named(credentials);
    match in_time(token).await {
        Ok(Ok(account)) => {
            findings.ok(Topic::Credentials, had(credentials, &said, account));
            true
        }
        Ok(Err(error)) => {
            let seen = format!("{said}: {}", told(&error));
            findings.failure(Topic::Credentials, seen, remedy(&error));
            false
        }
        Err(_elapsed) => {
            findings.failure(
                Topic::Credentials,
                format!("{said}: no token within {ANSWER_TIMEOUT:?}"),
                UNREACHABLE,
            );
            false
        }
    }
}

/// Tells that the service was not asked.
pub(super) fn not_asked(findings: &mut Findings) {
    findings.warning(
        Topic::Source,
        "the service was not asked: there is no token to ask it with",
        "see the finding on credentials",
    );
}

const UNREACHABLE: &str = "see that this machine reaches the token endpoint (name resolution, \
                           firewall, proxy), and that its clock is right";

/// The kind of the credentials. It never holds the key.
fn named(credentials: &Credentials) -> String {
    match credentials {
        Credentials::ApplicationDefault => "application-default credentials".to_owned(),
        Credentials::KeyFile(path) => format!("the key file {}", path.display()),
        Credentials::Json(_) => "the key in credentials-json".to_owned(),
        Credentials::None => "no credentials, for an emulator".to_owned(),
    }
}

fn had(credentials: &Credentials, said: &str, account: Option<Account>) -> String {
    match (credentials, account) {
        (Credentials::None, _) => said.to_owned(),
        (_, Some(account)) => format!("{said}: a token was had for {account}"),
        (_, None) => format!("{said}: a token was had"),
    }
}

/// The error with all that was tried.
fn told(error: &CredentialsError) -> String {
    let mut told = chain(error);
    if let CredentialsError::NotFound(gcp_auth::Error::NoAuthMethod(gcloud, metadata, user)) = error
    {
        for (place, error) in [
            ("the gcloud login of this user", user),
            ("the metadata server", metadata),
            ("the gcloud command", gcloud),
        ] {
            told.push_str(&format!("; {place}: {}", chain(error.as_ref())));
        }
    }
    told
}

fn remedy(error: &CredentialsError) -> &'static str {
    match error {
        CredentialsError::KeyFile { .. } => {
            "name a key file of a service account in service-account-key-file: its JSON as Google \
             hands it out"
        }
        CredentialsError::Inline => {
            "write the JSON of a service-account key into credentials-json, or name its file"
        }
        CredentialsError::NotFound(_) => {
            "set GOOGLE_APPLICATION_CREDENTIALS, run `gcloud auth application-default login`, set \
             service-account-key-file, or run where there is a metadata server"
        }
        CredentialsError::TokenEndpoint(_) => "take the key file as Google handed it out",
        CredentialsError::Token { .. } => UNREACHABLE,
        CredentialsError::Unsendable => "get another key; this one gives tokens of another kind",
    }
}
