//! One `mods` object into its column: the text, its cells, and without what the plan removed.

use crate::Malformed;
use crate::spanner::batch::Objects;
use crate::spanner::json::Scanner;
use crate::spanner::schema::{Keep, Schema};

/// What became of the members of one object.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cut {
    pub(crate) kept: u32,
    pub(crate) dropped: u32,
}

/// Cuts objects. It is kept from object to object for its memory alone.
#[derive(Debug, Default)]
pub(crate) struct Cutter {
    members: Vec<Member>,
    /// Per column, the last object that had it.
    seen: Vec<u64>,
    object: u64,
}

/// A member that is kept: its column, and where it stands in the object's text.
#[derive(Debug)]
struct Member {
    column: usize,
    name_start: usize,
    value_start: usize,
    value_stop: usize,
}

impl Cutter {
    /// Appends one object. `None` is an object that was not sent.
    ///
    /// # Errors
    /// The text is not one JSON object or null, names a column twice, or names one that the
    /// schema does not have. The column of objects is then left with half an object.
    pub(crate) fn append(
        &mut self,
        objects: &mut Objects,
        text: Option<&str>,
        schema: &Schema,
        keep: Keep<'_>,
    ) -> Result<Cut, Malformed> {
        let Some(text) = text else {
            objects.close();
            return Ok(Cut::default());
        };
        let mut scanner = Scanner::new(text);
        if scanner.peek() == b'n' {
            objects.texts.open().extend(scanner.value()?.as_bytes());
            scanner.finish()?;
            objects.close();
            return Ok(Cut::default());
        }
        let dropped = self.scan(&mut scanner, schema, keep)?;
        scanner.finish()?;
        if dropped == 0 {
            self.copy_whole(objects, text);
        } else {
            self.rebuild(objects, text);
        }
        objects.close();
        let kept = u32::try_from(self.members.len()).unwrap_or(u32::MAX);
        Ok(Cut { kept, dropped })
    }

    /// Finds the members that are kept and counts the others.
    fn scan(
        &mut self,
        scanner: &mut Scanner<'_>,
        schema: &Schema,
        keep: Keep<'_>,
    ) -> Result<u32, Malformed> {
        self.members.clear();
        self.object += 1;
        if self.seen.len() < schema.columns.len() {
            self.seen.resize(schema.columns.len(), 0);
        }
        let (mut dropped, mut before) = (0, None);
        scanner.members(|scanner| {
            let (column, name_start) = column(scanner, schema, before)?;
            let seen = self.seen.get_mut(column);
            if seen.is_some_and(|seen| std::mem::replace(seen, self.object) == self.object) {
                return Err(at(name_start, "each member once"));
            }
            scanner.peek();
            let value_start = scanner.position();
            scanner.value()?;
            before = Some(column);
            if keep.passes(column) {
                self.members.push(Member {
                    column,
                    name_start,
                    value_start,
                    value_stop: scanner.position(),
                });
            } else {
                dropped += 1;
            }
            Ok(())
        })?;
        Ok(dropped)
    }

    fn copy_whole(&self, objects: &mut Objects, text: &str) {
        let base = objects.texts.bytes().len();
        objects.texts.open().extend_from_slice(text.as_bytes());
        let members = self.members.iter();
        objects.push_cells(members.map(|member| {
            let (start, stop) = (base + member.value_start, base + member.value_stop);
            (member.column, start, stop)
        }));
    }

    fn rebuild(&self, objects: &mut Objects, text: &str) {
        let mut open = b'{';
        for member in &self.members {
            let bytes = objects.texts.open();
            bytes.push(open);
            let begin = bytes.len();
            let span = text.get(member.name_start..member.value_stop);
            bytes.extend_from_slice(span.unwrap_or_default().as_bytes());
            let start = begin + member.value_start - member.name_start;
            let stop = begin + member.value_stop - member.name_start;
            objects.push_cell(member.column, start, stop);
            open = b',';
        }
        let bytes = objects.texts.open();
        if self.members.is_empty() {
            bytes.push(b'{');
        }
        bytes.push(b'}');
    }
}

/// Reads the name of a member. It is mostly the one that is expected, and then it is not scanned.
#[inline]
fn column(
    scanner: &mut Scanner<'_>,
    schema: &Schema,
    before: Option<usize>,
) -> Result<(usize, usize), Malformed> {
    scanner.peek();
    let start = scanner.position();
    for (column, member) in schema.expected(before) {
        if scanner.take(member) {
            return Ok((column, start));
        }
    }
    let name = scanner.member()?;
    let found = schema.find(&name.unescaped()?);
    let column = found.ok_or_else(|| at(start, "a member that column_types names"))?;
    Ok((column, start))
}

fn at(offset: usize, expected: &'static str) -> Malformed {
    Malformed::expected(expected).offset(offset)
}
