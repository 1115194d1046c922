//! Keys that give a token, and keys that do not.

use std::net::{SocketAddr, TcpListener};

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::super::place::Place;
use super::{check_with, command, two_changes};

pub(super) const EMAIL: &str = "reader@shop.iam.gserviceaccount.com";

/// A key file of a service account whose tokens come from `token_uri`.
pub(super) fn key(token_uri: &str) -> Value {
    json!({
        "type": "service_account",
        "project_id": "shop",
        "private_key_id": "made-for-a-test",
        "private_key": PRIVATE_KEY,
        "client_email": EMAIL,
        "client_id": "1",
        "auth_uri": "https://accounts.google.com/o/oauth2/auth",
        "token_uri": token_uri,
    })
}

/// A place that asks the service as the account of a key file. Nothing listens at its endpoint.
fn place(token_uri: &str) -> Place {
    let (_sandbox, mut place) = two_changes(|_| {});
    place.unset("emulator-endpoint");
    place.set("endpoint", json!(format!("https://{}", nobody())));
    place.set("service-account-key-file", json!("key.json"));
    std::fs::write(place.path("key.json"), key(token_uri).to_string()).unwrap();
    place
}

/// An address that nothing listens at.
pub(super) fn nobody() -> SocketAddr {
    TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
}

fn hides_the_key(report: &Value) {
    let told = report.to_string();
    let line = PRIVATE_KEY.lines().nth(1).unwrap();
    assert!(
        !told.contains(line) && !told.contains("PRIVATE KEY"),
        "{told}"
    );
}

#[tokio::test]
async fn a_key_file_that_reaches_no_token_endpoint_tells_what_was_tried() {
    let address = nobody();
    let token_uri = format!("http://{address}/token");
    let place = place(&token_uri);
    let told = check_with(&place, command(&place.config())).await;
    let said = [
        "key.json",
        EMAIL,
        &token_uri,
        "host 127.0.0.1",
        "Connection refused",
    ];
    told.fails("credentials", &said, "reaches the token endpoint");
    told.says("source", "warning", &["was not asked"], "credentials");
    // What needs no service is looked at all the same.
    assert_ne!(told.seen("sink", "ok"), "");
    assert_ne!(told.seen("components", "ok"), "");
    hides_the_key(&told.report);
    assert!(!told.stderr.contains("PRIVATE KEY"), "{}", told.stderr);
}

#[tokio::test]
async fn a_key_in_the_file_itself_or_named_by_the_environment_tells_the_same() {
    let token_uri = format!("http://{}/token", nobody());
    let mut inline = place(&token_uri);
    inline.unset("service-account-key-file");
    inline.set("credentials-json", json!(key(&token_uri).to_string()));
    let told = check_with(&inline, command(&inline.config())).await;
    told.fails(
        "credentials",
        &["credentials-json", EMAIL, &token_uri],
        "token endpoint",
    );
    hides_the_key(&told.report);

    let mut found = place(&token_uri);
    found.unset("service-account-key-file");
    let mut command = command(&found.config());
    command.env("GOOGLE_APPLICATION_CREDENTIALS", found.path("key.json"));
    let told = check_with(&found, command).await;
    let said = ["application-default credentials", EMAIL, &token_uri];
    told.fails("credentials", &said, "token endpoint");
}

#[tokio::test]
async fn a_token_that_is_had_is_told_and_the_service_is_asked() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let token_uri = format!("http://{}/token", listener.local_addr().unwrap());
    let place = place(&token_uri);
    let checked = check_with(&place, command(&place.config()));
    let told = tokio::select! {
        told = checked => told,
        () = give_tokens(listener) => panic!("giving tokens does not end"),
    };
    told.says(
        "credentials",
        "ok",
        &["key.json", EMAIL, "host 127.0.0.1"],
        "",
    );
    told.fails(
        "source",
        &["https://127.0.0.1:"],
        "reaches https://127.0.0.1:",
    );
    assert!(!told.report.to_string().contains("a-secret-token"));
}

/// Answers every request with a token.
pub(super) async fn give_tokens(listener: tokio::net::TcpListener) {
    const TOKEN: &str =
        r#"{"access_token":"a-secret-token","expires_in":3600,"token_type":"Bearer"}"#;
    loop {
        let (mut connection, _) = listener.accept().await.unwrap();
        // What is asked does not matter, but a connection is closed well only when it is read.
        let mut request = Vec::new();
        while !is_whole(&request) {
            connection.read_buf(&mut request).await.unwrap();
        }
        let answer = format!(
            "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\
             connection: close\r\n\r\n{TOKEN}",
            TOKEN.len()
        );
        connection.write_all(answer.as_bytes()).await.unwrap();
    }
}

/// Whether all of a request is there, by its length.
fn is_whole(request: &[u8]) -> bool {
    let text = String::from_utf8_lossy(request).to_lowercase();
    let Some((head, body)) = text.split_once("\r\n\r\n") else {
        return false;
    };
    let length = head
        .lines()
        .find_map(|line| line.strip_prefix("content-length: "));
    length.is_some_and(|length| body.len() >= length.trim().parse().unwrap())
}

#[tokio::test]
async fn a_key_whose_token_endpoint_is_none_is_refused() {
    let place = place("not an address");
    let told = check_with(&place, command(&place.config())).await;
    told.fails(
        "credentials",
        &["key.json", "token_uri"],
        "as Google handed it out",
    );
    hides_the_key(&told.report);
}

#[tokio::test]
async fn a_key_file_that_is_missing_or_none_is_refused() {
    let place = place("http://127.0.0.1:1/token");
    for content in [None, Some("{}"), Some("not JSON")] {
        let path = place.path("key.json");
        match content {
            None => std::fs::remove_file(&path).unwrap(),
            Some(content) => std::fs::write(&path, content).unwrap(),
        }
        let told = check_with(&place, command(&place.config())).await;
        told.fails(
            "credentials",
            &["key.json", "cannot be used"],
            "service-account-key-file",
        );
    }
}

/// Made for this test with `openssl genpkey -algorithm RSA`; it opens nothing.
const PRIVATE_KEY: &str = "\
-----BEGIN PRIVATE KEY-----
MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC1ePikheVRRUeO
hJhr2Bm5QLJu+sKq4DwTgpxbQ4WFBLMRCID1/xbMb/2xU9tBjmUrH9B/T+LuDVis
4i9xpoE9XYRc64UIg8gi/N50rvdJt2uQc6Iz0Ch3935s7dyu3D7k287LugKB0JkF
aEZqIiWjhFutZb9UhdwAWPyzNHyt8wVlZCiki/sdRdK75mgvETb6FAiQRoMc49ms
DFwqoGoBTStbdzG4eE6heSWJKJeVQW5mpB6gJEfNBVd5Ut29K1N6R2HwVEjEIobF
4K0kjb5U474CsGdpHwRwvaP8c91YA2HZseZ7VQRnk0rSAWLCMiLNLgUyOczFsYK5
MjBWoxNPAgMBAAECggEAAY1RzxJoFixaAtGGfjGgcrGndQSHArAdQ2t0C+HFdBBI
ucYRWElAuCnjCQ+3CdX+boJ8pYIY5kFN91iN4FJ0u4Ifvi2zexGpdgcknenbKpG7
hUY/5mKK3g/LUIIuR36RuSJaH+rs15BhpqawJ3s4SDA7Gn4Kx13HtmcMbjnuMQyl
zD1KdNqrfd1AjA5jcVdUpy5t1MNC8h1bYfTu1vaRQY3vlRlqXfUjoz6V/Q4pRsOm
qzsfOJ3cYo6xLAMr5L8yQRM3n1ofLn8nE7Q37oIkXK0K4jqJ8wsNy3ltOKl/zQbw
YFugF7lIdDEqzNjoQVfUMb7Ztan8cpmPtNzRP86rlQKBgQD9wg/Jnr2Uy9Nf+3NF
9cZeqNlQlRMg4j/pB04mBMefgpYTpJ4S3n6LMgHmEYW6z/5QYFu9aq9+CjzFV6fs
1AJ6Z0gMTEJx509KS1iKxSeKE9AsBqS5+FSEV1Y6fRzLNtKW7Lx6Rig1DnZKwVyB
yDipeE18FXG0EKI+t4uuDUSYtQKBgQC3E2rj3cjCyplPq7Kezr+LH6LZPD5AB831
+yZwqEmBIiOBNDkM3k/QgWeczh58bvjtqh4nUqZX18ISYXQtAj0sE3eYEG7E/u13
AZclAmuECaByHhuU98E2GGOrOgtFCyhjHHVUwTiam0jZsVHvP9EJK0s0JzJ2+9l1
mNGejBbScwKBgQDw9BK1qkvuPFTr8QIWTjgcrkwb3lIZiXySM2ObajJ7Xi5PXKLU
2/xhBA0Vf1Hyf4nGnJjAFcup7OKjqIZFtVLdE7EwLEFzkuaRb1YV/vt6ezHSfERy
akEmoR+5zg9HTzlMImMd3/xR1PeyKEVE3vAey6MXzez3xEurLfIuRV77eQKBgBH2
/tMzbULoHJk70QBSa2tchF9q0PT5jxVnOsNtUCEy12cTV9HScuST/jXd6BHv1c+E
lQbozlfqXSnulDbidFxB4Md0PVppZaX66vj/vssrIqpwF+bLVRNY21bvEDILQUBQ
h5b0ivho6oIqK08d5QZQUEXi3sncNt+aSl+TgZ3PAoGAM701siNy5+JWohPXImLf
56GrPRkwlPKBvxDJEGY7dixCVsi/WioCXIbMsgFHxlQSlknQRWoOrlfMnJphZvWd
86mTdG/z9SnbEDmRKNx6DUdSfGR7iNH29OBokwCE0XuKqyCZoQRhIVIIx5D3Cxrr
lAORkIM7ceD29qgvoY++D2I=
-----END PRIVATE KEY-----
";
