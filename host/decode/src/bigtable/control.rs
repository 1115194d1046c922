//! Heartbeats, and the message that closes a stream.
//!
//! Source: google/bigtable/v2/bigtable.proto, `ReadChangeStreamResponse.Heartbeat` and
//! `ReadChangeStreamResponse.CloseStream`; google/bigtable/v2/data.proto, `StreamContinuationToken`;
//! google/rpc/status.proto, `Status`.

use super::{RowRange, Step, Successor};
use crate::wire::{Fields, Payload, int32, utf8};
use crate::{Malformed, timestamp};

pub(super) fn heartbeat(message: &[u8]) -> Result<Step, Malformed> {
    let (mut token, mut low_watermark) = (None, None);
    let mut fields = Fields::new(message);
    while let Some(field) = fields.next()? {
        match field {
            (1, Payload::Bytes(message)) => token = Some(Token::read(message)?),
            (2, Payload::Bytes(message)) => {
                let at = timestamp::read(message);
                low_watermark = Some(at.map_err(|error| error.within("estimated_low_watermark"))?);
            }
            (1..=2, _) => return Err(Malformed::expected("a field of Heartbeat")),
            _ => {}
        }
    }
    let missing = |field| Malformed::expected("a value").within(field);
    Ok(Step::Heartbeat {
        token: token.ok_or_else(|| missing("continuation_token"))?.text,
        low_watermark: low_watermark.ok_or_else(|| missing("estimated_low_watermark"))?,
    })
}

pub(super) fn close(message: &[u8]) -> Result<Step, Malformed> {
    let (mut status, mut tokens, mut targets) = ((0, String::new()), Vec::new(), Vec::new());
    let mut fields = Fields::new(message);
    while let Some(field) = fields.next()? {
        match field {
            (1, Payload::Bytes(message)) => status = self::status(message)?,
            (2, Payload::Bytes(message)) => {
                let token = Token::read(message).and_then(Token::into_successor);
                tokens
                    .push(token.map_err(|error| {
                        error.index(tokens.len()).within("continuation_tokens")
                    })?);
            }
            (3, Payload::Bytes(partition)) => {
                let target = RowRange::read(partition);
                targets.push(
                    target.map_err(|error| error.index(targets.len()).within("new_partitions"))?,
                );
            }
            (1..=3, _) => return Err(Malformed::expected("a field of CloseStream")),
            _ => {}
        }
    }
    let (code, message) = status;
    let successors = pair(tokens, targets)?;
    if (code == 0) != successors.is_empty() {
        return Err(Malformed::expected(
            "tokens with a status that is not OK, and only then",
        ));
    }
    Ok(Step::Close {
        code,
        message,
        successors,
    })
}

/// Tokens and new partitions belong together by their index. Without new partitions a token's own
/// partition is to be read on.
fn pair(
    mut successors: Vec<Successor>,
    targets: Vec<RowRange>,
) -> Result<Vec<Successor>, Malformed> {
    if !targets.is_empty() && targets.len() != successors.len() {
        return Err(Malformed::expected("as many new_partitions as tokens"));
    }
    for (successor, target) in successors.iter_mut().zip(targets) {
        successor.target = target;
    }
    Ok(successors)
}

fn status(message: &[u8]) -> Result<(i32, String), Malformed> {
    let (mut code, mut words) = (0, String::new());
    let mut fields = Fields::new(message);
    while let Some(field) = fields.next()? {
        match field {
            (1, Payload::Varint(number)) => code = int32(number),
            (2, Payload::Bytes(text)) => utf8(text)?.clone_into(&mut words),
            (1..=2, _) => return Err(Malformed::expected("a field of Status").within("status")),
            _ => {}
        }
    }
    Ok((code, words))
}

/// A `StreamContinuationToken`.
struct Token<'a> {
    partition: Option<&'a [u8]>,
    text: Box<str>,
}

impl<'a> Token<'a> {
    fn read(message: &'a [u8]) -> Result<Self, Malformed> {
        let (mut partition, mut token) = (None, "");
        let mut fields = Fields::new(message);
        while let Some(field) = fields.next()? {
            match field {
                (1, Payload::Bytes(message)) => partition = Some(message),
                (2, Payload::Bytes(text)) => token = utf8(text)?,
                (1..=2, _) => {
                    return Err(Malformed::expected("a field of StreamContinuationToken"));
                }
                _ => {}
            }
        }
        if token.is_empty() {
            return Err(Malformed::expected("a value").within("token"));
        }
        Ok(Self {
            partition,
            text: token.into(),
        })
    }

    /// A successor that reads the token's own partition on.
    fn into_successor(self) -> Result<Successor, Malformed> {
        let partition = self.partition.ok_or_else(|| Malformed::expected("a value"));
        let range = partition
            .and_then(RowRange::read)
            .map_err(|error| error.within("partition"))?;
        Ok(Successor {
            target: range.clone(),
            range,
            token: self.text,
        })
    }
}
