//! A file into lines, and the first line into what it says of the file.

use std::io::{BufRead, Read as _};
use std::path::Path;

use super::format::{FORMAT, Header, Mark, VERSION, shape};
use super::read_error::{LINE_BYTES_MAX, LineError, ReadError};
use crate::batch::Shape;

/// The first line, and the shape of the records that follow. What is no text there is no recording
/// either.
pub(super) fn header(from: &mut impl BufRead, path: &Path) -> Result<(Header, Shape), ReadError> {
    let first = match next_line(from, path, 1) {
        Ok(first) => first.unwrap_or_default(),
        Err(ReadError::Line { path, .. }) => return Err(ReadError::Foreign { path }),
        Err(error) => return Err(error),
    };
    let path = || path.to_owned();
    let mark = serde_json::from_str::<Mark>(&first).ok();
    match mark {
        Some(mark) if mark.format == FORMAT && mark.version == VERSION => {}
        Some(mark) if mark.format == FORMAT => {
            return Err(ReadError::Version {
                path: path(),
                found: mark.version,
            });
        }
        Some(_) | None => return Err(ReadError::Foreign { path: path() }),
    }
    let header: Header = serde_json::from_str(&first).map_err(|error| ReadError::Line {
        path: path(),
        line: 1,
        reason: LineError::of_json(&error),
    })?;
    match shape(&header.shape) {
        Some(shape) => Ok((header, shape)),
        None => Err(ReadError::Shape {
            path: path(),
            found: header.shape,
        }),
    }
}

/// One line; none at the end.
pub(super) fn next_line(
    from: &mut impl BufRead,
    path: &Path,
    line: u64,
) -> Result<Option<String>, ReadError> {
    let mut bytes = Vec::new();
    let read = from.take(LINE_BYTES_MAX + 1).read_until(b'\n', &mut bytes);
    let read = read.map_err(|source| ReadError::Io {
        path: path.to_owned(),
        source,
    })?;
    let wrong = |reason| ReadError::Line {
        path: path.to_owned(),
        line,
        reason,
    };
    match u64::try_from(read) {
        Ok(0) => Ok(None),
        Ok(length) if length <= LINE_BYTES_MAX => String::from_utf8(bytes)
            .map(Some)
            .map_err(|_error| wrong(LineError::NotUtf8)),
        Ok(_) | Err(_) => Err(wrong(LineError::TooLong)),
    }
}
