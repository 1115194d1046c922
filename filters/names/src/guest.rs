//! The filter as a component.

use acequia_guest::{ConfigError, Description, NamesFilter, export_names_filter};

use crate::java::MatchError;
use crate::lists::{Filter, MEMBERS};

impl NamesFilter for Filter {
    fn describe() -> Description {
        let start = Description::new("names", env!("CARGO_PKG_VERSION"));
        MEMBERS.iter().fold(start, |description, (name, doc)| {
            description.with_parameter(name, doc)
        })
    }

    fn configure(config: &str) -> Result<Self, Vec<ConfigError>> {
        let as_config_error = |e: crate::lists::ListError| ConfigError::new(&e.path, e.message);
        Self::from_json(config).map_err(|errors| errors.into_iter().map(as_config_error).collect())
    }

    fn tables(&self, tables: &[String]) -> Result<Vec<bool>, String> {
        each(tables, |table| self.table(table))
    }

    fn columns(&self, table: &str, columns: &[String]) -> Result<Vec<bool>, String> {
        each(columns, |column| self.column(table, column))
    }

    fn families(&self, families: &[String]) -> Result<Vec<bool>, String> {
        each(families, |family| self.family(family))
    }

    fn qualifiers(&self, family: &str, qualifiers: &[Vec<u8>]) -> Result<Vec<bool>, String> {
        each(qualifiers, |qualifier| self.qualifier(family, qualifier))
    }
}

fn each<T>(
    names: &[T],
    passes: impl Fn(&T) -> Result<bool, MatchError>,
) -> Result<Vec<bool>, String> {
    names
        .iter()
        .map(|name| passes(name).map_err(|e| e.to_string()))
        .collect()
}

export_names_filter!(Filter);
