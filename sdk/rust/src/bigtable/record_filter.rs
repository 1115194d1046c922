//! Choosing mutations by their values.

use super::Mutation;
use crate::{ConfigError, Description};

/// Chooses mutations by their values. Exported with
/// [`export_bigtable_record_filter!`](crate::export_bigtable_record_filter).
///
/// No state is kept between batches: any instance may see any batch, and a batch may come again.
pub trait RecordFilter: Sized + 'static {
    /// Says what this component is. It needs no configuration.
    fn describe() -> Description;

    /// Takes the configuration, a JSON object as text (`{}` when there is none).
    ///
    /// # Errors
    ///
    /// All that is wrong with it, at once.
    fn configure(config: &str) -> Result<Self, Vec<ConfigError>>;

    /// Whether a mutation goes on.
    ///
    /// # Errors
    ///
    /// A message for the operator, which stops the run.
    fn keep(&self, mutation: &Mutation<'_>) -> Result<bool, String>;
}

/// Exports a [`RecordFilter`] as the world `bigtable-record-filter`. Used once in a crate.
#[macro_export]
macro_rules! export_bigtable_record_filter {
    ($guest:ident) => {
        $crate::export_record_filter!(
            $guest,
            bigtable,
            Mutations,
            bigtable_keep,
            export_bigtable_keep
        );
    };
}
