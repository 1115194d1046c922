//! The services whose streams are measured, side by side.

use acequia_host::batch::Shape;

/// A service whose stream is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Service {
    /// Cloud Spanner.
    Spanner,
    /// Bigtable.
    Bigtable,
}

impl Service {
    /// The shape of its records.
    #[must_use]
    pub fn shape(self) -> Shape {
        match self {
            Self::Spanner => Shape::Spanner,
            Self::Bigtable => Shape::Bigtable,
        }
    }
}

/// Both, in the order of the report.
pub const SERVICES: [Service; 2] = [Service::Spanner, Service::Bigtable];

/// What a service is called in arguments and in the report's members.
#[must_use]
pub fn word(service: Service) -> &'static str {
    match service {
        Service::Spanner => "spanner",
        Service::Bigtable => "bigtable",
    }
}

/// The service of a [`word`].
///
/// # Errors
/// None is called so.
pub fn parse(text: &str) -> Result<Service, String> {
    let service = SERVICES.into_iter().find(|service| word(*service) == text);
    service.ok_or_else(|| format!("`{text}` is none of {}", SERVICES.map(word).join(", ")))
}
