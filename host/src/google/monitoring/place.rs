//! Where Bigtable served a call.

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use googleapis_tonic_google_bigtable_v2::google::bigtable::v2::ResponseParams;
use http::HeaderMap;
use prost::Message;

/// Source: java-bigtable, MetadataExtractorInterceptor.java
const RESPONSE_PARAMS: &str = "x-goog-ext-425905942-bin";

/// gRPC sends binary headers without padding and takes them with it.
///
/// Source: https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md, "Binary-Header"
const BINARY_HEADER: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// The cluster and its zone; empty where the service did not say it.
#[derive(Clone, Debug, Default, Eq, Ord, PartialEq, PartialOrd)]
pub(in super::super) struct Place {
    pub(super) cluster: String,
    pub(super) zone: String,
}

impl Place {
    /// What the headers of an answer, or the trailers of a failure, say.
    pub(super) fn of(headers: &HeaderMap) -> Self {
        let header = headers.get(RESPONSE_PARAMS);
        let bytes = header.and_then(|value| BINARY_HEADER.decode(value.as_bytes()).ok());
        let params = bytes.and_then(|bytes| ResponseParams::decode(bytes.as_slice()).ok());
        params.map_or_else(Self::default, |params| Self {
            cluster: params.cluster_id.unwrap_or_default(),
            zone: params.zone_id.unwrap_or_default(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(value: &str) -> Place {
        let mut headers = HeaderMap::new();
        headers.insert(RESPONSE_PARAMS, value.parse().unwrap());
        Place::of(&headers)
    }

    #[test]
    fn the_cluster_and_the_zone_are_read_with_padding_and_without() {
        // Field 1 is the zone, field 2 the cluster: 0a 01 7a, 12 02 63 31.
        //
        // Source: google/bigtable/v2/response_params.proto
        let place = Place {
            cluster: "c1".to_owned(),
            zone: "z".to_owned(),
        };
        assert_eq!(said("CgF6EgJjMQ"), place);
        assert_eq!(said("CgF6EgJjMQ=="), place);
    }

    #[test]
    fn what_is_not_said_or_cannot_be_read_is_nowhere() {
        assert_eq!(Place::of(&HeaderMap::new()), Place::default());
        assert_eq!(said("not base64!"), Place::default());
        assert_eq!(said("////"), Place::default());
    }
}
