//! From a configured endpoint to one that connects.

use tonic::transport::{ClientTlsConfig, Endpoint};

use crate::config;

/// Why a client could not be made.
#[derive(Debug, thiserror::Error)]
pub enum ConnectError {
    /// The endpoint is no URI that gRPC can use.
    #[error("the endpoint {endpoint} cannot be used")]
    Endpoint {
        /// The endpoint as configured.
        endpoint: String,
        /// What is wrong with it.
        #[source]
        source: tonic::transport::Error,
    },
    /// A configured text cannot stand in a header.
    #[error("{what} cannot be sent in a header")]
    Header {
        /// The option.
        what: &'static str,
    },
}

/// The endpoint; `service` is where Google serves it.
pub(super) fn endpoint(
    configured: &config::Endpoint,
    service: &str,
) -> Result<Endpoint, ConnectError> {
    let text = match configured {
        config::Endpoint::Google => service.to_owned(),
        config::Endpoint::Custom(uri) => uri.clone(),
        config::Endpoint::Emulator { host, port } if host.contains(':') => {
            format!("http://[{host}]:{port}")
        }
        config::Endpoint::Emulator { host, port } => format!("http://{host}:{port}"),
    };
    let cannot_be_used = |source| ConnectError::Endpoint {
        endpoint: text.clone(),
        source,
    };
    let endpoint = Endpoint::from_shared(text.clone()).map_err(cannot_be_used)?;
    match configured {
        config::Endpoint::Emulator { .. } => Ok(endpoint),
        config::Endpoint::Google | config::Endpoint::Custom(_) => endpoint
            .tls_config(ClientTlsConfig::new().with_native_roots())
            .map_err(cannot_be_used),
    }
}
