//! Turning change records into outputs.

use crate::{ConfigError, Control, ControlOutput, DataChange, Description, Failure, Output};

/// Turns change records into outputs. Exported with
/// [`export_deserializer!`](crate::export_deserializer).
///
/// No state is kept between batches: any instance may see any batch, and a batch may come again.
pub trait Deserializer: Sized + 'static {
    /// Says what this component is. It needs no configuration.
    fn describe() -> Description;

    /// Takes the configuration, a JSON object as text (`{}` when there is none).
    ///
    /// # Errors
    ///
    /// All that is wrong with it, at once.
    fn configure(config: &str) -> Result<Self, Vec<ConfigError>>;

    /// Turns one record into outputs: none, one or several.
    ///
    /// # Errors
    ///
    /// Why it gives none. What it has written to `out` is taken back.
    fn deserialize(&self, change: &DataChange<'_>, out: &mut Output) -> Result<(), Failure>;

    /// Turns a control record into outputs; none drops it.
    fn control(&self, event: &Control) -> Vec<ControlOutput>;
}

/// Exports a [`Deserializer`] as the world `spanner-deserializer`. Used once in a crate.
#[macro_export]
macro_rules! export_deserializer {
    ($guest:ident) => {
        const _: () = {
            use $crate::bindings::{deserialize, plugin};

            ::std::thread_local! {
                static STATE: $crate::glue::State<$guest> = const { $crate::glue::State::new() };
            }

            #[allow(dead_code, reason = "natively, nothing is exported")]
            struct Exported;

            impl plugin::exports::acequia::connector::plugin::Guest for Exported {
                fn describe() -> $crate::Description {
                    <$guest as $crate::Deserializer>::describe()
                }

                fn configure(
                    config: ::std::string::String,
                ) -> ::core::result::Result<(), ::std::vec::Vec<$crate::ConfigError>> {
                    STATE.with(|state| {
                        state.set(<$guest as $crate::Deserializer>::configure(&config))
                    })
                }
            }

            impl deserialize::exports::acequia::connector::spanner_deserialize::Guest for Exported {
                fn deserialize(batch: $crate::Changes) -> $crate::glue::Outputs {
                    STATE.with(|state| $crate::glue::deserialize(state.get(), &batch))
                }

                fn deserialize_control(
                    event: $crate::Control,
                ) -> ::std::vec::Vec<$crate::ControlOutput> {
                    STATE.with(|state| $crate::glue::control(state.get(), &event))
                }
            }

            #[cfg(target_arch = "wasm32")]
            $crate::bindings::plugin::export_plugin!(
                Exported with_types_in $crate::bindings::plugin
            );
            #[cfg(target_arch = "wasm32")]
            $crate::bindings::deserialize::export_deserialize!(
                Exported with_types_in $crate::bindings::deserialize
            );
        };
    };
}
