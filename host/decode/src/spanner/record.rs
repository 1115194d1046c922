//! A data change record of any shape, read as far as the batch needs it.

use std::borrow::Cow;

use crate::Malformed;
use crate::spanner::instant::Instant;

/// Bytes of a transaction id or of a record sequence. Spanner's are below 100; every id of a
/// modification holds both, so a longer one would multiply.
const ID_PART_BYTES_MAX: usize = 1024;

/// A data change record. Fields that were not sent are empty.
#[derive(Debug, Default)]
pub(crate) struct DataRecord<'a> {
    pub(crate) commit: Option<Instant<'a>>,
    pub(crate) sequence: Cow<'a, str>,
    pub(crate) transaction: Cow<'a, str>,
    pub(crate) is_last: bool,
    pub(crate) table: Cow<'a, str>,
    /// The columns as the shape describes them: equal bytes describe equal columns.
    pub(crate) columns: Cow<'a, [u8]>,
    /// What holds the modifications, in the shape's own encoding.
    pub(crate) mods: &'a [u8],
    pub(crate) mod_type: Cow<'a, str>,
    pub(crate) capture_type: Cow<'a, str>,
    pub(crate) records: i64,
    pub(crate) partitions: i64,
    pub(crate) tag: Cow<'a, str>,
    pub(crate) is_system: bool,
    /// A row of a table, read at the commit timestamp: no transaction wrote it.
    pub(crate) is_read: bool,
}

impl<'a> DataRecord<'a> {
    /// The commit timestamp, once everything that a record cannot do without is there.
    pub(crate) fn commit(&self) -> Result<&Instant<'a>, Malformed> {
        let missing = |field| Malformed::expected("a value").within(field);
        for (field, text) in [
            ("record_sequence", &self.sequence),
            ("server_transaction_id", &self.transaction),
        ] {
            if text.is_empty() && !self.is_read {
                return Err(missing(field));
            }
            if text.len() > ID_PART_BYTES_MAX {
                return Err(Malformed::expected("at most 1024 bytes").within(field));
            }
        }
        if self.table.is_empty() {
            return Err(missing("table_name"));
        }
        self.commit
            .as_ref()
            .ok_or_else(|| missing("commit_timestamp"))
    }
}

/// One modification: three JSON objects, `None` for one that was not sent.
#[derive(Clone, Copy, Default)]
pub struct Mod<'a> {
    /// The primary key.
    pub keys: Option<&'a str>,
    /// The values after it.
    pub new_values: Option<&'a str>,
    /// The values before it.
    pub old_values: Option<&'a str>,
}

/// Takes the modifications of a record one by one.
pub(crate) type EachMod<'a> = dyn FnMut(Mod<'_>) -> Result<(), Malformed> + 'a;
