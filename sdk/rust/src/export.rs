//! What all export macros begin with.

/// Declares the type `Exported`, which exports what every guest does, and its configured guest
/// `STATE`. The macro around it adds the interface of its own world.
#[doc(hidden)]
#[macro_export]
macro_rules! export_guest {
    ($guest:ident as $role:path) => {
        $crate::export_guest!($guest as $role, |_| <$guest as $role>::describe());
    };
    ($guest:ident as $role:path, $described:expr) => {
        ::std::thread_local! {
            static STATE: $crate::glue::State<$guest> = const { $crate::glue::State::new() };
        }

        #[allow(dead_code, reason = "natively, nothing is exported")]
        struct Exported;

        impl $crate::bindings::plugin::exports::acequia::connector::plugin::Guest for Exported {
            fn describe() -> $crate::Description {
                let described: fn(&$guest) -> $crate::Description = $described;
                let configured = STATE.with(|state| state.get().map(described));
                configured.unwrap_or_else(<$guest as $role>::describe)
            }

            fn configure(
                config: ::std::string::String,
            ) -> ::core::result::Result<(), ::std::vec::Vec<$crate::ConfigError>> {
                STATE.with(|state| state.set(<$guest as $role>::configure(&config)))
            }
        }

        #[cfg(target_arch = "wasm32")]
        $crate::bindings::plugin::export_plugin!(
            Exported with_types_in $crate::bindings::plugin
        );
    };
}

/// Exports a deserializer of one source.
#[doc(hidden)]
#[macro_export]
macro_rules! export_deserializer {
    ($guest:ident, $room:ident, $batch:ident, $part:ident, $export:ident) => {
        const _: () = {
            $crate::export_guest!(
                $guest as $crate::$room::Deserializer,
                <$guest as $crate::$room::Deserializer>::described
            );

            impl $crate::bindings::$part::exports::acequia::connector::$part::Guest for Exported {
                fn deserialize(batch: $crate::$room::$batch) -> $crate::glue::Outputs {
                    STATE.with(|state| $crate::$room::glue::deserialize(state.get(), &batch))
                }

                fn deserialize_control(
                    event: $crate::Control,
                ) -> ::std::vec::Vec<$crate::ControlOutput> {
                    STATE.with(|state| $crate::$room::glue::control(state.get(), &event))
                }
            }

            #[cfg(target_arch = "wasm32")]
    $crate::bindings::$part::$export!(Exported with_types_in $crate::bindings::$part);
        };
    };
}

/// Exports a record filter of one source.
#[doc(hidden)]
#[macro_export]
macro_rules! export_record_filter {
    ($guest:ident, $room:ident, $batch:ident, $part:ident, $export:ident) => {
        const _: () = {
            use ::core::result::Result;
            use ::std::{string::String, vec::Vec};

            $crate::export_guest!($guest as $crate::$room::RecordFilter);

            impl $crate::bindings::$part::exports::acequia::connector::$part::Guest for Exported {
                fn keep(batch: $crate::$room::$batch) -> Result<Vec<u8>, String> {
                    STATE.with(|state| $crate::$room::glue::keep(state.configured()?, &batch))
                }
            }

            #[cfg(target_arch = "wasm32")]
    $crate::bindings::$part::$export!(Exported with_types_in $crate::bindings::$part);
        };
    };
}
