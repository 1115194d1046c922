//! Requests are decoded into the generated types; responses are bytes that were encoded before, so
//! that nothing is done per record between a frame and the wire.

use std::marker::PhantomData;

use bytes::{Buf, BufMut, Bytes};
use prost::Message;
use tonic::{
    Status,
    codec::{Codec, DecodeBuf, Decoder, EncodeBuf, Encoder},
};

#[derive(Debug)]
pub(crate) struct Frames<Request>(PhantomData<fn() -> Request>);

impl<Request> Default for Frames<Request> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

impl<Request: Message + Default + 'static> Codec for Frames<Request> {
    type Encode = Bytes;
    type Decode = Request;
    type Encoder = Raw;
    type Decoder = Typed<Request>;

    fn encoder(&mut self) -> Raw {
        Raw
    }

    fn decoder(&mut self) -> Typed<Request> {
        Typed(PhantomData)
    }
}

#[derive(Debug)]
pub(crate) struct Raw;

impl Encoder for Raw {
    type Item = Bytes;
    type Error = Status;

    fn encode(&mut self, frame: Bytes, into: &mut EncodeBuf<'_>) -> Result<(), Status> {
        into.put_slice(&frame);
        Ok(())
    }
}

#[derive(Debug)]
pub(crate) struct Typed<Request>(PhantomData<fn() -> Request>);

impl<Request: Message + Default + 'static> Decoder for Typed<Request> {
    type Item = Request;
    type Error = Status;

    fn decode(&mut self, from: &mut DecodeBuf<'_>) -> Result<Option<Request>, Status> {
        let length = from.remaining();
        let request = Request::decode(from.take(length));
        request
            .map(Some)
            .map_err(|error| Status::internal(error.to_string()))
    }
}
