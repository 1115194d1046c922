//! The columns of rows, from the metadata of their stream.

use crate::Malformed;
use crate::spanner::layout::struct_fields;
use crate::spanner::mutable::type_json;
use crate::spanner::rows::render::Form;

/// Columns of a row. Spanner's tables have at most 1024, and so has a result.
///
/// Source: https://cloud.google.com/spanner/quotas
const COLUMNS_MAX: usize = 4096;

/// One column.
#[derive(Debug)]
pub(crate) struct RowColumn {
    /// Empty for one that a query leaves unnamed.
    pub(crate) name: String,
    pub(crate) type_json: String,
    pub(crate) form: Form,
}

/// Reads the columns of a row type.
pub(crate) fn read(row_type: &[u8]) -> Result<Vec<RowColumn>, Malformed> {
    let fields = struct_fields(row_type)?;
    if !(1..=COLUMNS_MAX).contains(&fields.len()) {
        return Err(Malformed::expected("1 to 4096 columns"));
    }
    let columns = fields.iter().enumerate().map(|(index, (name, of))| {
        let column = column(name, of);
        column.map_err(|error| error.index(index).within("fields"))
    });
    columns.collect()
}

fn column(name: &str, of: &[u8]) -> Result<RowColumn, Malformed> {
    Ok(RowColumn {
        name: name.to_owned(),
        type_json: type_json(of)?,
        form: Form::of(of)?,
    })
}
