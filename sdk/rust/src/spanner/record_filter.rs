//! Choosing change records by their values.

use super::DataChange;
use crate::{ConfigError, Description};

/// Chooses change records by their values. Exported with
/// [`export_spanner_record_filter!`](crate::export_spanner_record_filter).
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

    /// Whether a record goes on.
    ///
    /// # Errors
    ///
    /// A message for the operator, which stops the run.
    fn keep(&self, change: &DataChange<'_>) -> Result<bool, String>;
}

/// Exports a [`RecordFilter`] as the world `spanner-record-filter`. Used once in a crate.
#[macro_export]
macro_rules! export_spanner_record_filter {
    ($guest:ident) => {
        $crate::export_record_filter!($guest, spanner, Changes, spanner_keep, export_spanner_keep);
    };
}
