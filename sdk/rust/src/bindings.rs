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

/// What a names filter exports.
pub mod name_plan {
    wit_bindgen::generate!({
        path: ["../../wit", "wit"],
        world: "acequia:guest/name-plan@0.1.0",
        pub_export_macro: true,
        export_macro_name: "export_name_plan",
        default_bindings_module: "acequia_guest::bindings::name_plan",
        generate_all,
        with: {
            "acequia:connector/log@0.1.0": crate::bindings::plugin::acequia::connector::log,
        },
    });
}

/// What a deserializer of Spanner exports.
pub mod spanner_deserialize {
    wit_bindgen::generate!({
        path: ["../../wit", "wit"],
        world: "acequia:guest/spanner-deserialize@0.1.0",
        pub_export_macro: true,
        export_macro_name: "export_spanner_deserialize",
        default_bindings_module: "acequia_guest::bindings::spanner_deserialize",
        generate_all,
        with: {
            "acequia:connector/log@0.1.0": crate::bindings::plugin::acequia::connector::log,
            "acequia:connector/types@0.1.0": crate::bindings::plugin::acequia::connector::types,
        },
    });
}

/// What a record filter of Spanner exports.
pub mod spanner_keep {
    wit_bindgen::generate!({
        path: ["../../wit", "wit"],
        world: "acequia:guest/spanner-keep@0.1.0",
        pub_export_macro: true,
        export_macro_name: "export_spanner_keep",
        default_bindings_module: "acequia_guest::bindings::spanner_keep",
        generate_all,
        with: {
            "acequia:connector/log@0.1.0": crate::bindings::plugin::acequia::connector::log,
            "acequia:connector/types@0.1.0": crate::bindings::plugin::acequia::connector::types,
            "acequia:connector/spanner@0.1.0": crate::bindings::spanner_deserialize::acequia::connector::spanner,
        },
    });
}

/// What a deserializer of Bigtable exports.
pub mod bigtable_deserialize {
    wit_bindgen::generate!({
        path: ["../../wit", "wit"],
        world: "acequia:guest/bigtable-deserialize@0.1.0",
        pub_export_macro: true,
        export_macro_name: "export_bigtable_deserialize",
        default_bindings_module: "acequia_guest::bindings::bigtable_deserialize",
        generate_all,
        with: {
            "acequia:connector/log@0.1.0": crate::bindings::plugin::acequia::connector::log,
            "acequia:connector/types@0.1.0": crate::bindings::plugin::acequia::connector::types,
        },
    });
}

/// What a record filter of Bigtable exports.
pub mod bigtable_keep {
    wit_bindgen::generate!({
        path: ["../../wit", "wit"],
        world: "acequia:guest/bigtable-keep@0.1.0",
        pub_export_macro: true,
        export_macro_name: "export_bigtable_keep",
        default_bindings_module: "acequia_guest::bindings::bigtable_keep",
        generate_all,
        with: {
            "acequia:connector/log@0.1.0": crate::bindings::plugin::acequia::connector::log,
            "acequia:connector/types@0.1.0": crate::bindings::plugin::acequia::connector::types,
            "acequia:connector/bigtable@0.1.0": crate::bindings::bigtable_deserialize::acequia::connector::bigtable,
        },
    });
}

/// What a deserializer of rows exports.
pub mod rows_deserialize {
    wit_bindgen::generate!({
        path: ["../../wit", "wit"],
        world: "acequia:guest/rows-deserialize@0.1.0",
        pub_export_macro: true,
        export_macro_name: "export_rows_deserialize",
        default_bindings_module: "acequia_guest::bindings::rows_deserialize",
        generate_all,
        with: {
            "acequia:connector/log@0.1.0": crate::bindings::plugin::acequia::connector::log,
            "acequia:connector/types@0.1.0": crate::bindings::plugin::acequia::connector::types,
        },
    });
}

/// What a record filter of rows exports.
pub mod rows_keep {
    wit_bindgen::generate!({
        path: ["../../wit", "wit"],
        world: "acequia:guest/rows-keep@0.1.0",
        pub_export_macro: true,
        export_macro_name: "export_rows_keep",
        default_bindings_module: "acequia_guest::bindings::rows_keep",
        generate_all,
        with: {
            "acequia:connector/log@0.1.0": crate::bindings::plugin::acequia::connector::log,
            "acequia:connector/types@0.1.0": crate::bindings::plugin::acequia::connector::types,
            "acequia:connector/rows@0.1.0": crate::bindings::rows_deserialize::acequia::connector::rows,
        },
    });
}
