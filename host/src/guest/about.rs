//! What is known of a loaded component.

use std::time::Instant;

use tokio::time::timeout;

use super::instance::{Instance, Stopped};
use super::limits::ERROR_MESSAGE_BYTES_MAX;
use super::message::clip;
use super::world::{Interface, World};

/// What is known of a loaded component: what it says of itself, and what the host has seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct About {
    /// Its kind.
    pub world: World,
    /// Its name, as logs and metrics show it.
    pub name: String,
    /// Its own version.
    pub version: String,
    /// The parameters that it takes.
    pub parameters: Vec<Parameter>,
    /// The JSON pointer at which the id of the input stands in the values that it writes.
    pub record_id: Option<String>,
    /// The SHA-256 digest of the bytes that it was made from.
    pub sha256: [u8; 32],
    /// Whether it imports the log at most. One that was built for WASI may read clocks and random
    /// numbers, and so may answer differently when asked again.
    pub pure: bool,
}

/// One parameter of a component.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name: a member of the component's configuration.
    pub name: String,
    /// What it does, which values it takes, and its default.
    pub doc: String,
}

/// Asks an instance what it is.
pub(super) async fn describe<I: Interface>(
    instance: &mut Instance<I>,
    sha256: [u8; 32],
    pure: bool,
) -> Result<About, Stopped> {
    let limit = instance.limits.call_timeout;
    let began = Instant::now();
    let call = instance.plugin.call_describe(&mut instance.store);
    let result = timeout(limit, call).await;
    let said = instance.ended(began, result)?;
    let line = |text: &str| clip(text, ERROR_MESSAGE_BYTES_MAX);
    let parameters = said.parameters.iter();
    let parameters = parameters.map(|parameter| Parameter {
        name: line(&parameter.name),
        doc: line(&parameter.doc),
    });
    Ok(About {
        world: I::WORLD,
        name: line(&said.name),
        version: line(&said.version),
        parameters: parameters.collect(),
        record_id: said.record_id,
        sha256,
        pure,
    })
}
