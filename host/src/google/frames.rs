//! A tonic codec that encodes a generated request and hands a response out as its bytes.

use std::marker::PhantomData;

use bytes::{Buf, Bytes};
use prost::Message;
use tonic::Status;
use tonic::codec::{Codec, DecodeBuf, Decoder, EncodeBuf, Encoder};

/// Encodes `T`; responses are the message's bytes, not decoded and, where the transport's buffer
/// allows, not copied.
pub(super) struct FrameCodec<T>(PhantomData<T>);

impl<T> Default for FrameCodec<T> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

impl<T: Message + 'static> Codec for FrameCodec<T> {
    type Encode = T;
    type Decode = Bytes;
    type Encoder = MessageEncoder<T>;
    type Decoder = FrameDecoder;

    fn encoder(&mut self) -> Self::Encoder {
        MessageEncoder(PhantomData)
    }

    fn decoder(&mut self) -> Self::Decoder {
        FrameDecoder
    }
}

/// Encodes the request.
pub(super) struct MessageEncoder<T>(PhantomData<T>);

impl<T: Message> Encoder for MessageEncoder<T> {
    type Item = T;
    type Error = Status;

    fn encode(&mut self, item: T, buffer: &mut EncodeBuf<'_>) -> Result<(), Status> {
        item.encode(buffer)
            .map_err(|error| Status::internal(error.to_string()))
    }
}

/// Takes the response's bytes out of the transport's buffer.
pub(super) struct FrameDecoder;

impl Decoder for FrameDecoder {
    type Item = Bytes;
    type Error = Status;

    fn decode(&mut self, buffer: &mut DecodeBuf<'_>) -> Result<Option<Bytes>, Status> {
        let length = buffer.remaining();
        Ok(Some(buffer.copy_to_bytes(length)))
    }
}
