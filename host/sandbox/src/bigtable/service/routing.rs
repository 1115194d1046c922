//! The routing header, by which the service finds the table before it reads the request.
//!
//! Source: java-bigtable, `EnhancedBigtableStub.composeRequestParams`, which sends the table and the
//! app profile; the generated clients of other languages send the table alone.

use tonic::{Status, metadata::MetadataMap};

const HEADER: &str = "x-goog-request-params";

/// Whether the header names `table` and, if it names an app profile, this one.
pub(super) fn check(headers: &MetadataMap, table: &str, app_profile: &str) -> Result<(), Status> {
    expect(headers, "table_name", table)?;
    match parameter(headers, "app_profile_id") {
        Some(named) if named != app_profile => Err(differs("app_profile_id")),
        Some(_) | None => Ok(()),
    }
}

/// Whether the header names the resource that an admin call is about.
pub(super) fn check_name(headers: &MetadataMap, name: &str) -> Result<(), Status> {
    expect(headers, "name", name)
}

fn expect(headers: &MetadataMap, name: &str, value: &str) -> Result<(), Status> {
    match parameter(headers, name) {
        None => Err(Status::invalid_argument(format!(
            "Missing routing header: {HEADER} must contain {name}"
        ))),
        Some(named) if named != value => Err(differs(name)),
        Some(_) => Ok(()),
    }
}

fn differs(name: &str) -> Status {
    Status::invalid_argument(format!("{HEADER}: {name} differs from that of the request"))
}

fn parameter(headers: &MetadataMap, name: &str) -> Option<String> {
    let header = headers.get(HEADER)?.to_str().ok()?;
    header
        .split('&')
        .filter_map(|pair| pair.split_once('='))
        .find(|(key, _)| *key == name)
        .and_then(|(_, value)| decoded(value))
}

/// Undoes percent encoding.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'+' => b' ',
            b'%' => {
                let digits = [rest.next()?, rest.next()?];
                u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?
            }
            _ => byte,
        });
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use tonic::metadata::MetadataMap;

    use super::check;

    fn is_taken(header: Option<&str>) -> bool {
        let mut headers = MetadataMap::new();
        if let Some(header) = header {
            headers.insert("x-goog-request-params", header.parse().unwrap());
        }
        check(&headers, "projects/p/tables/t", "a b").is_ok()
    }

    #[test]
    fn the_header_names_the_table_and_may_name_the_app_profile() {
        assert!(is_taken(Some(
            "table_name=projects%2Fp%2Ftables%2Ft&app_profile_id=a%20b"
        )));
        assert!(is_taken(Some(
            "app_profile_id=a+b&table_name=projects/p/tables/t"
        )));
        assert!(is_taken(Some("table_name=projects%2fp%2ftables%2ft")));
        for wrong in [
            None,
            Some(""),
            Some("app_profile_id=a+b"),
            Some("table_name=projects%2Fp%2Ftables%2Fother"),
            Some("table_name=projects%2Fp%2Ftables%2Ft&app_profile_id=default"),
            Some("table_name=projects%2"),
        ] {
            assert!(!is_taken(wrong), "{wrong:?}");
        }
    }
}
