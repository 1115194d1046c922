//! What a request asks for, or why it is refused.

use std::net::IpAddr;

use http::header::HOST;
use http::uri::Authority;
use http::{Method, Request, StatusCode};

/// What can be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asked {
    Page,
    Status,
    Metrics,
    Health,
    Readiness,
}

/// Reads a request. The query of its path is ignored, and so is a body.
///
/// # Errors
///
/// The status code and a sentence.
pub(super) fn read<B>(
    request: &Request<B>,
    loopback: bool,
) -> Result<Asked, (StatusCode, &'static str)> {
    if loopback && !names_this_machine(request) {
        return Err((
            StatusCode::MISDIRECTED_REQUEST,
            "this server is asked by address, or as localhost\n",
        ));
    }
    let asked = match request.uri().path() {
        "/" => Asked::Page,
        "/status" => Asked::Status,
        "/metrics" => Asked::Metrics,
        "/healthz" => Asked::Health,
        "/readyz" => Asked::Readiness,
        _ => return Err((StatusCode::NOT_FOUND, "there is nothing at this path\n")),
    };
    match *request.method() {
        Method::GET | Method::HEAD => Ok(asked),
        _ => Err((StatusCode::METHOD_NOT_ALLOWED, "only GET and HEAD\n")),
    }
}

/// A page from elsewhere whose name was made to lead here sends its own name. On the loopback
/// address nobody has another name than these.
fn names_this_machine<B>(request: &Request<B>) -> bool {
    let header = request.headers().get(HOST);
    let named = match header.map(|host| host.to_str()) {
        Some(Ok(host)) => host.parse::<Authority>().ok(),
        Some(Err(_)) => None,
        // HTTP/1.0 knows no such header, and browsers no HTTP/1.0.
        None => return request.uri().authority().is_none(),
    };
    named.is_some_and(|authority| {
        let host = authority.host();
        let address = host.trim_start_matches('[').trim_end_matches(']');
        host.eq_ignore_ascii_case("localhost") || address.parse::<IpAddr>().is_ok()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(method: &str, path: &str, host: Option<&str>) -> Result<Asked, StatusCode> {
        let mut request = Request::builder().method(method).uri(path);
        if let Some(host) = host {
            request = request.header(HOST, host);
        }
        read(&request.body(()).unwrap(), true).map_err(|(code, _)| code)
    }

    #[test]
    fn each_path_is_what_it_says_and_nothing_else_is_there() {
        let local = Some("127.0.0.1:9464");
        assert_eq!(asked("GET", "/", local), Ok(Asked::Page));
        assert_eq!(asked("GET", "/status?x=1", local), Ok(Asked::Status));
        assert_eq!(asked("HEAD", "/metrics", local), Ok(Asked::Metrics));
        assert_eq!(
            asked("GET", "/../etc/passwd", local),
            Err(StatusCode::NOT_FOUND)
        );
        assert_eq!(asked("GET", "//status", local), Err(StatusCode::NOT_FOUND));
        assert_eq!(
            asked("POST", "/status", local),
            Err(StatusCode::METHOD_NOT_ALLOWED)
        );
        assert_eq!(
            asked("DELETE", "/", local),
            Err(StatusCode::METHOD_NOT_ALLOWED)
        );
    }

    #[test]
    fn on_loopback_a_name_from_elsewhere_is_refused() {
        for host in ["localhost", "LOCALHOST:80", "127.0.0.1", "[::1]:9464"] {
            assert_eq!(asked("GET", "/", Some(host)), Ok(Asked::Page), "{host}");
        }
        for host in ["evil.example", "localhost.evil.example:9464", "", "a b"] {
            let refused = Err(StatusCode::MISDIRECTED_REQUEST);
            assert_eq!(asked("GET", "/", Some(host)), refused, "{host}");
        }
        assert_eq!(asked("GET", "/", None), Ok(Asked::Page));
    }
}
