//! What does not fit is refused before anything is read, with the reason.

use acequia_host::config::{GuestRef, Origin};
use acequia_host::guest::{LoadError, MisfitError, OriginError, World};
use serde_json::json;
use sha2::{Digest as _, Sha256};

use crate::guests::{LIMITS, guest, path, place, plugins};

async fn load_error(place: &GuestRef) -> LoadError {
    match plugins(LIMITS).deserializer(place).await {
        Ok(_) => panic!("it loads"),
        Err(error) => error,
    }
}

async fn load_error_of_bytes(bytes: &[u8]) -> LoadError {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("guest.wasm");
    std::fs::write(&file, bytes).unwrap();
    load_error(&place(Origin::Path(file), json!({}))).await
}

#[tokio::test]
async fn a_record_filter_is_no_deserializer() {
    let error = load_error(&guest("keep-even", json!({}))).await;
    assert_eq!(
        error.to_string(),
        "spanner-deserialize is missing: this component exports plugin and spanner-keep, so it is a \
         Spanner record filter"
    );
}

#[tokio::test]
async fn a_component_of_another_contract_is_refused_for_its_exports_and_its_imports() {
    let LoadError::Misfit(misfit) = load_error(&guest("wrong-world", json!({}))).await else {
        panic!("it is refused for something else")
    };
    assert_eq!(
        misfit,
        MisfitError {
            world: World::SpannerDeserializer,
            missing: vec!["plugin".to_owned(), "spanner-deserialize".to_owned()],
            found: vec!["acequia:connector/plugin@9.0.0".to_owned()],
            not_granted: vec!["acequia:connector/secrets@9.0.0".to_owned()],
        }
    );
}

#[tokio::test]
async fn a_pinned_component_loads_with_its_digest_only() {
    let sha256: [u8; 32] = Sha256::digest(std::fs::read(path("shapes")).unwrap()).into();
    let mut place = guest("shapes", json!({}));
    place.sha256 = Some(sha256);
    let shapes = plugins(LIMITS).deserializer(&place).await.unwrap();
    assert_eq!(shapes.about().sha256, sha256);

    let mut pinned = sha256;
    pinned[0] ^= 1;
    place.sha256 = Some(pinned);
    let error = load_error(&place).await;
    assert!(
        matches!(error, LoadError::Origin(OriginError::Digest { found, .. }) if found == sha256),
        "{error}"
    );
}

#[tokio::test]
async fn a_component_is_asked_for_its_name_version_and_parameters() {
    let shapes = plugins(LIMITS)
        .deserializer(&guest("shapes", json!({})))
        .await
        .unwrap();
    let about = shapes.about();
    assert_eq!(
        (about.name.as_str(), about.version.as_str()),
        ("shapes", "0.1.0")
    );
    assert_eq!(about.parameters[0].name, "mode");
    assert!(about.pure);
}

#[tokio::test]
async fn bytes_that_are_no_webassembly_are_refused() {
    for bytes in [&b""[..], b"#!/bin/sh\n", b"\0asm\x02\0\0\0"] {
        let error = load_error_of_bytes(bytes).await;
        assert!(
            matches!(error, LoadError::Origin(OriginError::NotWasm)),
            "{error}"
        );
    }
}

#[tokio::test]
async fn a_core_module_without_a_wit_section_exports_nothing() {
    let error = load_error_of_bytes(b"\0asm\x01\0\0\0").await;
    assert!(
        matches!(&error, LoadError::Misfit(misfit) if misfit.found.is_empty()),
        "{error}"
    );
}

#[tokio::test]
async fn a_damaged_component_does_not_compile() {
    let error = load_error_of_bytes(b"\0asm\x0d\0\x01\0damaged").await;
    assert!(matches!(error, LoadError::Compile(_)), "{error}");
}

#[tokio::test]
async fn a_missing_file_and_an_unknown_built_in_are_named() {
    let missing = place(Origin::Path("/nowhere/guest.wasm".into()), json!({}));
    let error = load_error(&missing).await;
    assert_eq!(error.to_string(), "/nowhere/guest.wasm cannot be read");

    let unknown = place(Origin::Builtin("yaml".to_owned()), json!({}));
    let error = load_error(&unknown).await;
    assert!(
        error
            .to_string()
            .starts_with("there is no built-in yaml; there are json"),
        "{error}"
    );
}
