//! Places in a stream of rows, and the resume tokens that name them.

use bytes::Bytes;
use tonic::Status;

/// The first byte of tokens: they are bytes, and no text.
const MARK: u8 = 0xfe;

/// What every message of a stream that cannot be resumed carries.
pub(super) const DUMMY: &[u8] = b"\xfedummy";

/// A place in the rows of one partition.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Position {
    /// Whole rows before it.
    pub(super) row: usize,
    /// Whole values of the row before it.
    pub(super) cell: usize,
    /// How it lies within a value: of the value's chunks of so many bytes, so many are before it; of
    /// the chunks that the rest was cut into then, so many; and so on.
    pub(super) cuts: Vec<Cut>,
}

/// So many chunks of so many bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cut {
    pub(super) budget: usize,
    pub(super) chunks: usize,
}

impl Position {
    /// The token of this place in the stream `of`.
    pub(super) fn token(&self, of: &str) -> Bytes {
        let cuts = self.cuts.iter();
        let cuts: String = cuts
            .map(|cut| format!("/{}*{}", cut.budget, cut.chunks))
            .collect();
        let text = format!("{of} {}.{}{cuts}", self.row, self.cell);
        let bytes = std::iter::once(MARK).chain(text.into_bytes());
        bytes.collect()
    }

    /// The place that a token of the stream `of` names.
    pub(super) fn of_token(token: &[u8], of: &str) -> Result<Self, Status> {
        let wrong = || Status::invalid_argument("Invalid resume token.");
        let text = token.strip_prefix(&[MARK]).ok_or_else(wrong)?;
        let text = std::str::from_utf8(text).map_err(|_| wrong())?;
        let place = text
            .strip_prefix(of)
            .and_then(|text| text.strip_prefix(' '));
        place.and_then(read).ok_or_else(wrong)
    }
}

fn read(place: &str) -> Option<Position> {
    let mut parts = place.split('/');
    let (row, cell) = parts.next()?.split_once('.')?;
    let cuts = parts.map(|cut| {
        let (budget, chunks) = cut.split_once('*')?;
        Some(Cut {
            budget: budget.parse().ok()?,
            chunks: chunks.parse().ok()?,
        })
    });
    Some(Position {
        row: row.parse().ok()?,
        cell: cell.parse().ok()?,
        cuts: cuts.collect::<Option<_>>()?,
    })
}
