//! Choosing by name.

use crate::{ConfigError, Description};

/// Chooses tables, columns, families and qualifiers by name. Exported with
/// [`export_names_filter!`](crate::export_names_filter).
///
/// The answers depend on the names and the configuration alone: the host asks once per name and
/// keeps the answer. Each answer has one entry per name asked for, in that order. An error stops
/// the run; it is a message for the operator.
pub trait NamesFilter: Sized + 'static {
    /// Says what this component is. It needs no configuration.
    fn describe() -> Description;

    /// Takes the configuration, a JSON object as text (`{}` when there is none).
    ///
    /// # Errors
    ///
    /// All that is wrong with it, at once.
    fn configure(config: &str) -> Result<Self, Vec<ConfigError>>;

    /// Which tables pass.
    ///
    /// # Errors
    ///
    /// A message for the operator, if that cannot be said.
    fn tables(&self, tables: &[String]) -> Result<Vec<bool>, String>;

    /// Which columns of a table pass.
    ///
    /// # Errors
    ///
    /// A message for the operator, if that cannot be said.
    fn columns(&self, table: &str, columns: &[String]) -> Result<Vec<bool>, String>;

    /// Which column families pass.
    ///
    /// # Errors
    ///
    /// A message for the operator, if that cannot be said.
    fn families(&self, families: &[String]) -> Result<Vec<bool>, String>;

    /// Which qualifiers of a family pass.
    ///
    /// # Errors
    ///
    /// A message for the operator, if that cannot be said.
    fn qualifiers(&self, family: &str, qualifiers: &[Vec<u8>]) -> Result<Vec<bool>, String>;
}

/// Exports a [`NamesFilter`] as the world `names-filter`. Used once in a crate.
#[macro_export]
macro_rules! export_names_filter {
    ($guest:ident) => {
        const _: () = {
            use ::core::result::Result;
            use ::std::{string::String, vec::Vec};

            $crate::export_guest!($guest as $crate::NamesFilter);

            impl $crate::bindings::name_plan::exports::acequia::connector::name_plan::Guest
                for Exported
            {
                fn tables(tables: Vec<String>) -> Result<Vec<bool>, String> {
                    STATE.with(|state| $crate::NamesFilter::tables(state.configured()?, &tables))
                }

                fn columns(table: String, columns: Vec<String>) -> Result<Vec<bool>, String> {
                    STATE.with(|state| {
                        $crate::NamesFilter::columns(state.configured()?, &table, &columns)
                    })
                }

                fn families(families: Vec<String>) -> Result<Vec<bool>, String> {
                    STATE
                        .with(|state| $crate::NamesFilter::families(state.configured()?, &families))
                }

                fn qualifiers(
                    family: String,
                    qualifiers: Vec<Vec<u8>>,
                ) -> Result<Vec<bool>, String> {
                    STATE.with(|state| {
                        $crate::NamesFilter::qualifiers(state.configured()?, &family, &qualifiers)
                    })
                }
            }

            #[cfg(target_arch = "wasm32")]
            $crate::bindings::name_plan::export_name_plan!(
                Exported with_types_in $crate::bindings::name_plan
            );
        };
    };
}
