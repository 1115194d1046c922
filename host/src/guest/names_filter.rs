//! The component that chooses tables and columns, families and qualifiers by name.

use std::sync::Arc;
use std::time::Instant;

use acequia_decode::bigtable::{Names, NamesPlan};
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
    tables: NamesKept,
    families: NamesKept,
}

/// One call of a function of `name-plan`, whose answer has an entry per name.
macro_rules! ask {
    ($self:ident.$function:ident($($argument:expr),+), $list:literal, $names:expr) => {{
        let mut instance = $self.live.take().await?;
        let limit = instance.limits.call_timeout;
        let began = Instant::now();
        let call = instance
            .functions
            .$function(&mut instance.store, $($argument),+);
        let result = timeout(limit, call).await;
        let passes = instance.ended(began, result)?.map_err(refused)?;
        answer::length($list, passes.len(), $names)?;
        $self.live.keep(instance);
        Ok(passes)
    }};
}

impl NamesFilter {
    pub(super) fn new(live: Live<NamePlan>) -> Self {
        Self {
            live,
            tables: NamesKept::new(NAMES_KEPT_MAX),
            families: NamesKept::new(NAMES_KEPT_MAX),
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
        if let Some(passes) = self.tables.name(table) {
            return Ok(passes);
        }
        let passes = self.ask_tables(&[table]).await?;
        let passes = passes.first().copied().unwrap_or_default();
        self.tables.keep_name(table, passes);
        Ok(passes)
    }

    /// Which columns of a table pass: one entry per column. The caller keeps key columns whatever
    /// the answer.
    ///
    /// # Errors
    /// As [`NamesFilter::table`].
    pub async fn columns(&mut self, table: &str, columns: &[&str]) -> Result<Vec<bool>, CallError> {
        let known = columns.iter();
        let known = known.map(|column| self.tables.within(table, column.as_bytes()));
        if let Some(known) = known.collect::<Option<Vec<bool>>>() {
            return Ok(known);
        }
        let passes = self.ask_columns(table, columns).await?;
        for (column, &passes) in columns.iter().zip(&passes) {
            self.tables.keep_within(table, column.as_bytes(), passes);
        }
        Ok(passes)
    }

    /// What to do with families and columns of Bigtable that nothing is known of.
    ///
    /// # Errors
    /// As [`NamesFilter::table`].
    pub async fn plan_names(&mut self, names: &Names) -> Result<NamesPlan, CallError> {
        let families: Vec<&str> = names.families.iter().map(String::as_str).collect();
        let mut plan = NamesPlan {
            families: self.families(&families).await?,
            columns: Vec::with_capacity(names.columns.len()),
        };
        for columns in &names.columns {
            let qualifiers: Vec<&[u8]> = columns.qualifiers.iter().map(Vec::as_slice).collect();
            plan.columns
                .push(self.qualifiers(&columns.family, &qualifiers).await?);
        }
        Ok(plan)
    }

    /// Which column families pass: one entry per family.
    ///
    /// # Errors
    /// As [`NamesFilter::table`].
    pub async fn families(&mut self, families: &[&str]) -> Result<Vec<bool>, CallError> {
        let known = families.iter().map(|family| self.families.name(family));
        if let Some(known) = known.collect::<Option<Vec<bool>>>() {
            return Ok(known);
        }
        let passes = self.ask_families(families).await?;
        for (family, &passes) in families.iter().zip(&passes) {
            self.families.keep_name(family, passes);
        }
        Ok(passes)
    }

    /// Which qualifiers of a family pass: one entry per qualifier.
    ///
    /// # Errors
    /// As [`NamesFilter::table`].
    pub async fn qualifiers(
        &mut self,
        family: &str,
        qualifiers: &[&[u8]],
    ) -> Result<Vec<bool>, CallError> {
        let known = qualifiers.iter();
        let known = known.map(|qualifier| self.families.within(family, qualifier));
        if let Some(known) = known.collect::<Option<Vec<bool>>>() {
            return Ok(known);
        }
        let passes = self.ask_qualifiers(family, qualifiers).await?;
        for (qualifier, &passes) in qualifiers.iter().zip(&passes) {
            self.families.keep_within(family, qualifier, passes);
        }
        Ok(passes)
    }

    async fn ask_tables(&mut self, tables: &[&str]) -> Result<Vec<bool>, CallError> {
        ask!(self.call_tables(tables), "tables", tables.len())
    }

    async fn ask_columns(&mut self, table: &str, columns: &[&str]) -> Result<Vec<bool>, CallError> {
        ask!(self.call_columns(table, columns), "columns", columns.len())
    }

    async fn ask_families(&mut self, families: &[&str]) -> Result<Vec<bool>, CallError> {
        ask!(self.call_families(families), "families", families.len())
    }

    async fn ask_qualifiers(
        &mut self,
        family: &str,
        qualifiers: &[&[u8]],
    ) -> Result<Vec<bool>, CallError> {
        ask!(
            self.call_qualifiers(family, qualifiers),
            "qualifiers",
            qualifiers.len()
        )
    }
}
