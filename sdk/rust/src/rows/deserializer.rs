//! Turning rows into outputs.

use super::Row;
use crate::{ConfigError, Control, ControlOutput, Description, Failure, Output};

/// Turns rows into outputs. Exported with
/// [`export_rows_deserializer!`](crate::export_rows_deserializer).
///
/// No state is kept between batches: any instance may see any batch, and a batch may come again.
pub trait Deserializer: Sized + 'static {
    /// Says what this component is. It needs no configuration.
    fn describe() -> Description;

    /// Says what this component is as it is configured: where its values hold ids, if that follows
    /// from the configuration. Default: what it says without one.
    fn described(&self) -> Description {
        Self::describe()
    }

    /// Takes the configuration, a JSON object as text (`{}` when there is none).
    ///
    /// # Errors
    ///
    /// All that is wrong with it, at once.
    fn configure(config: &str) -> Result<Self, Vec<ConfigError>>;

    /// Turns one row into outputs: none, one or several.
    ///
    /// # Errors
    ///
    /// Why it gives none. What it has written to `out` is taken back.
    fn deserialize(&self, row: &Row<'_>, out: &mut Output) -> Result<(), Failure>;

    /// Turns a control record into outputs; none drops it.
    fn control(&self, event: &Control) -> Vec<ControlOutput>;
}

/// Exports a [`Deserializer`] as the world `rows-deserializer`. Used once in a crate.
#[macro_export]
macro_rules! export_rows_deserializer {
    ($guest:ident) => {
        $crate::export_deserializer!(
            $guest,
            rows,
            Rows,
            rows_deserialize,
            export_rows_deserialize
        );
    };
}
