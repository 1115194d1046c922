//! The component that chooses tables and columns by name.

use std::sync::Arc;
use std::time::Instant;

use acequia_decode::spanner::TablePlan;
use tokio::time::timeout;

use super::about::About;
use super::answer;
use super::call::{CallError, refused};
use super::limits::NAMES_KEPT_MAX;
use super::live::Live;
use super::meter::Meter;
use super::names_kept::NamesKept;
use super::world::NamePlan;

/// A loaded component of the world `names-filter`. Each name is asked for once; the answers are kept
/// within a bound.
pub struct NamesFilter {
    live: Live<NamePlan>,
    kept: NamesKept,
}

impl NamesFilter {
    pub(super) fn new(live: Live<NamePlan>) -> Self {
        Self {
            live,
            kept: NamesKept::new(NAMES_KEPT_MAX),
        }
    }

    /// What is known of the component.
    #[must_use]
    pub fn about(&self) -> &About {
        self.live.about()
    }

    /// What the component costs, over all its instances.
    #[must_use]
    pub fn meter(&self) -> Arc<Meter> {
        Arc::clone(self.live.meter())
    }

    /// The component's name, as logs and metrics show it.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.live.about().name
    }

    /// What to do with a table that has these columns, the key columns left out.
    ///
    /// # Errors
    /// As [`NamesFilter::table`].
    pub async fn plan(&mut self, table: &str, columns: &[String]) -> Result<TablePlan, CallError> {
        if !self.table(table).await? {
            return Ok(TablePlan {
                table: false,
                columns: vec![false; columns.len()],
            });
        }
        let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
        Ok(TablePlan {
            table: true,
            columns: self.columns(table, &columns).await?,
        })
    }

    /// Whether a table passes.
    ///
    /// # Errors
    /// If the component gives up, is stopped, or breaks the contract. That stops the run: it is
    /// never read as a yes or a no.
    pub async fn table(&mut self, table: &str) -> Result<bool, CallError> {
        if let Some(passes) = self.kept.table(table) {
            return Ok(passes);
        }
        let passes = self.ask_tables(&[table]).await?;
        let passes = passes.first().copied().unwrap_or_default();
        self.kept.keep_table(table, passes);
        Ok(passes)
    }

    /// Which columns of a table pass: one entry per column. The caller keeps key columns whatever
    /// the answer.
    ///
    /// # Errors
    /// As [`NamesFilter::table`].
    pub async fn columns(&mut self, table: &str, columns: &[&str]) -> Result<Vec<bool>, CallError> {
        let known = columns.iter().map(|column| self.kept.column(table, column));
        if let Some(known) = known.collect::<Option<Vec<bool>>>() {
            return Ok(known);
        }
        let passes = self.ask_columns(table, columns).await?;
        for (column, &passes) in columns.iter().zip(&passes) {
            self.kept.keep_column(table, column, passes);
        }
        Ok(passes)
    }

    async fn ask_tables(&mut self, tables: &[&str]) -> Result<Vec<bool>, CallError> {
        let mut instance = self.live.take().await?;
        let limit = instance.limits.call_timeout;
        let began = Instant::now();
        let call = instance.functions.call_tables(&mut instance.store, tables);
        let result = timeout(limit, call).await;
        let passes = instance.ended(began, result)?.map_err(refused)?;
        answer::length("tables", passes.len(), tables.len())?;
        self.live.keep(instance);
        Ok(passes)
    }

    async fn ask_columns(&mut self, table: &str, columns: &[&str]) -> Result<Vec<bool>, CallError> {
        let mut instance = self.live.take().await?;
        let limit = instance.limits.call_timeout;
        let began = Instant::now();
        let call = instance
            .functions
            .call_columns(&mut instance.store, table, columns);
        let result = timeout(limit, call).await;
        let passes = instance.ended(began, result)?.map_err(refused)?;
        answer::length("columns", passes.len(), columns.len())?;
        self.live.keep(instance);
        Ok(passes)
    }
}
