//! Choosing rows by their values.

use super::Row;
use crate::{ConfigError, Description};

/// Chooses rows by their values. Exported with
/// [`export_rows_record_filter!`](crate::export_rows_record_filter).
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

    /// Whether a row goes on.
    ///
    /// # Errors
    ///
    /// A message for the operator, which stops the run.
    fn keep(&self, row: &Row<'_>) -> Result<bool, String>;
}

/// Exports a [`RecordFilter`] as the world `rows-record-filter`. Used once in a crate.
#[macro_export]
macro_rules! export_rows_record_filter {
    ($guest:ident) => {
        $crate::export_record_filter!($guest, rows, Rows, rows_keep, export_rows_keep);
    };
}
