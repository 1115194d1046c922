//! What `wit-bindgen` generates, one module per exported interface.
//!
//! Each export macro carries the description of its own interface alone, so that a component need
//! not export what it does not claim to. A type is generated in the first module that needs it and
//! taken from there by the others.
#![allow(
    missing_docs,
    unreachable_pub,
    unsafe_code,
    clippy::allow_attributes_without_reason,
    clippy::missing_errors_doc,
    clippy::too_many_lines,
    rust_2018_idioms,
    reason = "generated code"
)]

/// What every guest exports.
pub mod plugin {
    wit_bindgen::generate!({
        path: ["../../wit", "wit"],
        world: "acequia:guest/plugin@0.1.0",
        pub_export_macro: true,
        export_macro_name: "export_plugin",
        default_bindings_module: "acequia_guest::bindings::plugin",
        additional_derives: [PartialEq, Eq],
        generate_all,
    });
}

/// What a deserializer exports.
pub mod deserialize {
    wit_bindgen::generate!({
        path: ["../../wit", "wit"],
        world: "acequia:guest/spanner-deserialize@0.1.0",
        pub_export_macro: true,
        export_macro_name: "export_deserialize",
        default_bindings_module: "acequia_guest::bindings::deserialize",
        generate_all,
        with: {
            "acequia:connector/log@0.1.0": crate::bindings::plugin::acequia::connector::log,
            "acequia:connector/types@0.1.0": crate::bindings::plugin::acequia::connector::types,
        },
    });
}

/// What a record filter exports.
pub mod keep {
    wit_bindgen::generate!({
        path: ["../../wit", "wit"],
        world: "acequia:guest/spanner-keep@0.1.0",
        pub_export_macro: true,
        export_macro_name: "export_keep",
        default_bindings_module: "acequia_guest::bindings::keep",
        generate_all,
        with: {
            "acequia:connector/log@0.1.0": crate::bindings::plugin::acequia::connector::log,
            "acequia:connector/types@0.1.0": crate::bindings::plugin::acequia::connector::types,
            "acequia:connector/spanner@0.1.0": crate::bindings::deserialize::acequia::connector::spanner,
        },
    });
}

/// What a names filter exports.
pub mod names {
    wit_bindgen::generate!({
        path: ["../../wit", "wit"],
        world: "acequia:guest/name-plan@0.1.0",
        pub_export_macro: true,
        export_macro_name: "export_names",
        default_bindings_module: "acequia_guest::bindings::names",
        generate_all,
        with: {
            "acequia:connector/log@0.1.0": crate::bindings::plugin::acequia::connector::log,
        },
    });
}
