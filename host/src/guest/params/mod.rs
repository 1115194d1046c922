//! A batch as the parameter of a call. Everything is borrowed.

pub(super) mod bigtable;
pub(super) mod rows;
pub(super) mod spanner;

use acequia_decode::{Blobs, Texts, Times};

use super::bindings::acequia::connector::types;

fn texts(texts: &Texts) -> types::TextsParam<'_> {
    types::TextsParam {
        bytes: texts.bytes(),
        ends: texts.ends(),
    }
}

fn blobs(blobs: &Blobs) -> types::BlobsParam<'_> {
    types::BlobsParam {
        bytes: blobs.bytes(),
        ends: blobs.ends(),
    }
}

fn times(times: &Times) -> types::Times<'_> {
    types::Times {
        seconds: &times.seconds,
        nanos: &times.nanos,
    }
}
