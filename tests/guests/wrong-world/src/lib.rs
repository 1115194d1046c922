//! A component of another contract: it looks like a plugin, but of a package version that no host
//! has, and it asks for a host function that is not granted.

#![allow(
    missing_docs,
    unreachable_pub,
    unsafe_code,
    reason = "wit-bindgen's generated code"
)]

wit_bindgen::generate!({
    inline: "
        package acequia:connector@9.0.0;

        interface plugin {
            describe: func() -> string;
        }

        interface secrets {
            reveal: func() -> string;
        }

        world wrong {
            import secrets;
            export plugin;
        }
    ",
});

struct Wrong;

impl exports::acequia::connector::plugin::Guest for Wrong {
    fn describe() -> String {
        acequia::connector::secrets::reveal()
    }
}

#[cfg(target_arch = "wasm32")]
export!(Wrong);
