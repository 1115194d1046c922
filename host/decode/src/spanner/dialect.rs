//! The one place that tells the shapes apart.

use bytes::Bytes;

use crate::Malformed;
use crate::spanner::item::{Item, Items, Kind};
use crate::spanner::layout::{Layout, sole_column};
use crate::spanner::record::{DataRecord, EachMod};
use crate::spanner::schema::{Column, Schema};
use crate::spanner::{Shape, Step, googlesql, mutable, postgres};

/// A shape, and what the stream's metadata says about it.
#[derive(Debug)]
pub(crate) struct Dialect {
    shape: Shape,
    /// For GoogleSQL only; empty for the others.
    layout: Layout,
    /// The row type as it was sent first.
    row_type: Option<Vec<u8>>,
}

impl Dialect {
    pub(crate) fn new(shape: Shape) -> Self {
        Self {
            shape,
            layout: Layout::default(),
            row_type: None,
        }
    }

    /// Takes the row type. A stream may send it again, but only the same.
    pub(crate) fn describe(&mut self, row_type: &[u8]) -> Result<(), Malformed> {
        match &self.row_type {
            Some(first) if first == row_type => return Ok(()),
            Some(_) => return Err(Malformed::expected("the row type that was sent before")),
            None => {}
        }
        match self.shape {
            Shape::GoogleSql => self.layout = Layout::resolve(row_type)?,
            Shape::PostgresJson | Shape::MutableProto => drop(sole_column(row_type)?),
        }
        self.row_type = Some(row_type.to_vec());
        Ok(())
    }

    pub(crate) fn is_described(&self) -> bool {
        self.row_type.is_some()
    }

    /// Finds the records of a row.
    pub(crate) fn split(&self, row: &Bytes, items: &mut Items) -> Result<(), Malformed> {
        match self.shape {
            Shape::GoogleSql => googlesql::split(&self.layout, row, items),
            Shape::PostgresJson => postgres::split(row, items),
            Shape::MutableProto => mutable::split(row, items),
        }
    }

    pub(crate) fn data<'a>(&self, item: &'a [u8]) -> Result<DataRecord<'a>, Malformed> {
        match self.shape {
            Shape::GoogleSql => googlesql::data(&self.layout, item),
            Shape::PostgresJson => postgres::data(item),
            Shape::MutableProto => mutable::data(item),
        }
    }

    pub(crate) fn columns(&self, columns: &[u8]) -> Result<Vec<Column>, Malformed> {
        match self.shape {
            Shape::GoogleSql => googlesql::columns(&self.layout, columns),
            Shape::PostgresJson => postgres::columns(columns),
            Shape::MutableProto => mutable::columns(columns),
        }
    }

    pub(crate) fn mods(
        &self,
        mods: &[u8],
        schema: &Schema,
        each: &mut EachMod<'_>,
    ) -> Result<(), Malformed> {
        match self.shape {
            Shape::GoogleSql => googlesql::mods(&self.layout, mods, each),
            Shape::PostgresJson => postgres::mods(mods, each),
            Shape::MutableProto => mutable::mods(mods, schema, each),
        }
    }

    /// Reads a record that changes no row.
    pub(crate) fn control(&self, item: &Item) -> Result<Step, Malformed> {
        let bytes = &item.bytes;
        match (item.kind, self.shape) {
            (Kind::Heartbeat, Shape::GoogleSql) => googlesql::heartbeat(&self.layout, bytes),
            (Kind::Heartbeat, Shape::PostgresJson) => postgres::heartbeat(bytes),
            (Kind::Heartbeat, Shape::MutableProto) => mutable::heartbeat(bytes),
            (Kind::Children, Shape::GoogleSql) => googlesql::children(&self.layout, bytes),
            (Kind::Children, Shape::PostgresJson) => postgres::children(bytes),
            (Kind::PartitionStart, Shape::MutableProto) => mutable::partition_start(bytes),
            (Kind::PartitionEnd, Shape::MutableProto) => mutable::partition_end(bytes),
            (Kind::PartitionEvent, Shape::MutableProto) => mutable::partition_event(bytes),
            (
                Kind::Data
                | Kind::Children
                | Kind::PartitionStart
                | Kind::PartitionEnd
                | Kind::PartitionEvent,
                _,
            ) => Err(Malformed::expected("a kind of record that this shape has")),
        }
    }
}
