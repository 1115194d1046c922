//! Access tokens: application-default, a service-account key, or none for an emulator.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use gcp_auth::{CustomServiceAccount, TokenProvider};
use tokio::sync::Mutex;
use tonic::metadata::{AsciiMetadataValue, MetadataValue};

use super::account::{Account, TokenEndpointError};
use crate::config::Credentials;

/// Why there is no access token.
#[derive(Debug, thiserror::Error)]
pub enum CredentialsError {
    /// The key file cannot be read or is no service-account key.
    #[error("the service-account key file {path} cannot be used")]
    KeyFile {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        #[source]
        source: gcp_auth::Error,
    },
    /// The inline key is no service-account key. The parser's own message could show parts of it.
    #[error("credentials-json is no service-account key")]
    Inline,
    /// No application-default credentials were found.
    #[error(
        "no application-default credentials were found: set GOOGLE_APPLICATION_CREDENTIALS, run \
         `gcloud auth application-default login`, or set service-account-key-file"
    )]
    NotFound(#[source] gcp_auth::Error),
    /// The key says where tokens come from, and that cannot be asked.
    #[error("the service-account key cannot be used")]
    TokenEndpoint(#[from] TokenEndpointError),
    /// The token could not be had.
    #[error(
        "no access token could be had {}",
        .account.as_ref().map_or_else(
            || "with application-default credentials".to_owned(),
            |account| format!("for {account}"),
        )
    )]
    Token {
        /// Whose token, and where it was asked for; none where no key says it.
        account: Option<Box<Account>>,
        /// What went wrong.
        #[source]
        source: gcp_auth::Error,
    },
    /// The token cannot stand in a header.
    #[error("the access token cannot be sent")]
    Unsendable,
}

/// Makes the `authorization` header of each call.
pub(super) struct Authorization {
    credentials: Credentials,
    scopes: &'static [&'static str],
    provider: Mutex<Option<Provider>>,
    /// How often the credentials were forgotten. Many calls are made with one token; those of an
    /// earlier one say nothing of the last.
    renewals: AtomicU64,
    /// A token was refused, and no call has been taken since.
    refused: AtomicBool,
}

/// Gives tokens.
#[derive(Clone)]
struct Provider {
    tokens: Arc<dyn TokenProvider>,
    account: Option<Account>,
}

/// A token was given.
pub(super) struct Granted {
    pub(super) header: AsciiMetadataValue,
    /// Whose it is, where a key says it.
    pub(super) account: Option<Account>,
}

impl Authorization {
    pub(super) fn new(credentials: Credentials, scopes: &'static [&'static str]) -> Self {
        Self {
            credentials,
            scopes,
            provider: Mutex::new(None),
            renewals: AtomicU64::new(0),
            refused: AtomicBool::new(false),
        }
    }

    /// The header's value; none where no credentials are used. Tokens are cached by the provider
    /// until they expire.
    pub(super) async fn header(&self) -> Result<Option<AsciiMetadataValue>, CredentialsError> {
        Ok(self.grant().await?.map(|granted| granted.header))
    }

    /// The header, and whose token it holds.
    pub(super) async fn grant(&self) -> Result<Option<Granted>, CredentialsError> {
        let mut slot = self.provider.lock().await;
        let provider = match slot.as_ref() {
            Some(provider) => provider.clone(),
            None => match provider(&self.credentials).await? {
                Some(provider) => slot.insert(provider).clone(),
                None => return Ok(None),
            },
        };
        drop(slot);
        let Provider { tokens, account } = provider;
        let token = match tokens.token(self.scopes).await {
            Ok(token) => token,
            Err(source) => {
                let account = account.map(Box::new);
                return Err(CredentialsError::Token { account, source });
            }
        };
        let mut value = MetadataValue::try_from(format!("Bearer {}", token.as_str()))
            .map_err(|_invalid| CredentialsError::Unsendable)?;
        value.set_sensitive(true);
        Ok(Some(Granted {
            header: value,
            account,
        }))
    }

    /// How often the credentials were forgotten, to be asked before the header of a call.
    pub(super) fn renewals(&self) -> u64 {
        self.renewals.load(Ordering::Relaxed)
    }

    /// A call was refused that was made after so many renewals: forgets the token and where it came
    /// from, so that the next call reads the credentials anew. False if that was tried already and
    /// helped nothing.
    pub(super) async fn refresh(&self, renewals: u64) -> bool {
        let mut provider = self.provider.lock().await;
        if self.renewals() != renewals {
            return true;
        }
        *provider = None;
        self.renewals.fetch_add(1, Ordering::Relaxed);
        !self.refused.swap(true, Ordering::Relaxed)
    }

    /// A call was taken.
    pub(super) fn accepted(&self) {
        self.refused.store(false, Ordering::Relaxed);
    }
}

async fn provider(credentials: &Credentials) -> Result<Option<Provider>, CredentialsError> {
    Ok(match credentials {
        Credentials::None => None,
        Credentials::KeyFile(path) => {
            let account = account_of_file(path)?;
            let tokens = CustomServiceAccount::from_file(path).map_err(|source| {
                CredentialsError::KeyFile {
                    path: path.clone(),
                    source,
                }
            })?;
            Some(Provider {
                tokens: Arc::new(tokens),
                account,
            })
        }
        Credentials::Json(secret) => {
            let account = Account::of_key(secret.reveal())?;
            let tokens = CustomServiceAccount::from_json(secret.reveal())
                .map_err(|_may_show_the_key| CredentialsError::Inline)?;
            Some(Provider {
                tokens: Arc::new(tokens),
                account,
            })
        }
        Credentials::ApplicationDefault => {
            let key_file = std::env::var_os("GOOGLE_APPLICATION_CREDENTIALS");
            let account = match &key_file {
                Some(path) => account_of_file(Path::new(path))?,
                None => None,
            };
            let tokens = gcp_auth::provider()
                .await
                .map_err(CredentialsError::NotFound)?;
            Some(Provider { tokens, account })
        }
    })
}

/// A file that cannot be read is told by whoever reads the key in it.
fn account_of_file(path: &Path) -> Result<Option<Account>, TokenEndpointError> {
    std::fs::read_to_string(path).map_or(Ok(None), |text| Account::of_key(&text))
}
