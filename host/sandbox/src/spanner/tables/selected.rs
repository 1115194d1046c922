//! Rows that a read or a query has, by their number.

use std::sync::Arc;

use googleapis_tonic_google_spanner_v1::google::spanner::v1::struct_type::Field;
use prost_types::Value;
use serde_json::Value as Json;

use super::{cell::cell, contents::Drawn, query::Query, types};
use crate::spanner::history::Row;

/// Columns and the rows that go with them.
#[derive(Clone, Debug)]
pub(crate) struct Selected {
    pub(super) columns: Vec<Named>,
    pub(super) rows: Held,
}

/// A column of the result.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Named {
    /// What the result calls it.
    pub(super) name: String,
    /// The table's column; empty for a query's.
    pub(super) of: String,
    pub(super) r#type: Json,
}

#[derive(Clone, Debug)]
pub(super) enum Held {
    Rows(Vec<Row>),
    Drawn(Drawn),
    /// These of the drawn ones.
    Some(Drawn, Vec<usize>),
    Query(Arc<Query>),
}

impl Selected {
    pub(crate) fn len(&self) -> usize {
        match &self.rows {
            Held::Rows(rows) => rows.len(),
            Held::Drawn(drawn) => drawn.count,
            Held::Some(_, numbers) => numbers.len(),
            Held::Query(query) => query.rows.len(),
        }
    }

    pub(crate) fn fields(&self) -> Vec<Field> {
        let field = |column: &Named| types::field(&column.name, &column.r#type);
        self.columns.iter().map(field).collect()
    }

    /// The cells of a row; none behind the last row.
    pub(crate) fn row(&self, number: usize) -> Vec<Value> {
        match &self.rows {
            Held::Rows(rows) => rows.get(number).map(|row| self.cells(row)),
            Held::Drawn(drawn) => (number < drawn.count).then(|| self.cells(&(drawn.row)(number))),
            Held::Some(drawn, numbers) => {
                let number = numbers.get(number);
                number.map(|&number| self.cells(&(drawn.row)(number)))
            }
            Held::Query(query) => query.rows.get(number).map(|row| {
                let values = row.iter().chain(std::iter::repeat(&Json::Null));
                let cells = self.columns.iter().zip(values);
                cells
                    .map(|(column, value)| cell(&column.r#type, value))
                    .collect()
            }),
        }
        .unwrap_or_default()
    }

    fn cells(&self, row: &Row) -> Vec<Value> {
        let value = |column: &Named| {
            let value = row.get(&column.of).unwrap_or(&Json::Null);
            cell(&column.r#type, value)
        };
        self.columns.iter().map(value).collect()
    }
}
