//! SQL requests: which statement it is, whether it may run, and its answer.

use std::{collections::BTreeMap, sync::Arc};

use bytes::Bytes;
use googleapis_tonic_google_spanner_v1::google::spanner::v1::{
    ExecuteSqlRequest, TypeCode, execute_sql_request::QueryMode,
};
use http::HeaderValue;
use tonic::{Request, Status};

use super::{
    arguments::{Arguments, check_call, value},
    check::{self, Rules},
    flood::{FloodError, Served},
    query::{Prepared, Query, Stage},
    session::Sessions,
    stats::{Counters, ROOT, Stats},
};
use crate::{
    fault::Faults,
    grpc::Messages,
    spanner::{
        batch::{Plans, RowWire, ServerTiming, Transactions, VERSION_RETENTION_DEFAULT},
        fault::{On, expired},
        history::{Entry, ValueCapture},
        script::{Dialect, FinalHeartbeat, RETENTION_DEFAULT, Script},
        sql::{Call, Catalog, Select, Statement, answer, parse},
        tables::{Chosen, Tables},
        wire::{Framer, Layout, Rows, build::text, frame_of, result_set},
        world::World,
    },
    strike::Strike,
};

/// The database, its stream and everything that answers for them.
#[derive(Debug)]
pub(crate) struct Spanner {
    pub(crate) sessions: Sessions,
    pub(crate) world: Arc<World>,
    pub(crate) faults: Arc<Faults<On>>,
    pub(super) counters: Counters,
    catalog: Catalog,
    rules: Rules,
    layout: Arc<Layout>,
    final_heartbeat: FinalHeartbeat,
    prepared: BTreeMap<String, Prepared>,
    flood: Option<Served>,
    pub(super) tables: Tables,
    pub(crate) transactions: Arc<Transactions>,
    pub(super) plans: Plans,
    pub(super) row_wire: RowWire,
    pub(super) server_timing: Option<HeaderValue>,
}

/// What a statement reads.
enum Said {
    /// A change stream.
    ChangeStream(Call),
    /// INFORMATION_SCHEMA.
    Catalog(Select),
    /// A table, or a query that is written down.
    Rows(Chosen),
    /// `SELECT 1`.
    One,
}

impl Spanner {
    pub(crate) fn new(script: &Script, world: Arc<World>) -> Result<Self, FloodError> {
        let counters = Counters::default();
        let layout = Arc::new(Layout {
            dialect: script.dialect,
            mode: script.mode,
            function: super::arguments::function(&script.stream, script.dialect, script.mode),
            wire: script.wire.clone(),
        });
        let flood = script.history.flood.as_ref();
        let flood = flood
            .map(|flood| Served::encode(&layout, flood))
            .transpose()?;
        let prepared = if script.history.growth.is_some() {
            BTreeMap::new()
        } else {
            prepare(&world, &layout)
        };
        Ok(Self {
            sessions: Sessions::new(counters.clone()),
            faults: Faults::new(script.faults.clone()),
            catalog: catalog(script),
            rules: Rules {
                stream: script.stream.clone(),
                mode: script.mode,
                retention: script.retention.unwrap_or(RETENTION_DEFAULT),
                heartbeat_min: script.heartbeat_min,
            },
            final_heartbeat: script.final_heartbeat,
            world,
            counters,
            layout,
            prepared,
            flood,
            tables: Tables::of(script),
            transactions: Arc::new(Transactions::new(
                script
                    .batch
                    .version_retention
                    .unwrap_or(VERSION_RETENTION_DEFAULT),
            )),
            plans: Plans::new(&script.batch.shares),
            row_wire: script.batch.wire.clone(),
            server_timing: script
                .batch
                .server_timing
                .and_then(ServerTiming::header)
                .and_then(|timing| timing.parse().ok()),
        })
    }

    pub(super) fn dialect(&self) -> Dialect {
        self.layout.dialect
    }

    pub(crate) fn stats(&self) -> Stats {
        self.counters.get()
    }

    pub(crate) async fn wait_for(&self, enough: impl Fn(&Stats) -> bool) -> Stats {
        self.counters.wait_for(enough).await
    }

    /// Meets a fault for calls that do not stream.
    pub(super) async fn strike_at_once(&self, on: &On) -> Result<(), Status> {
        self.faults
            .strike_at_once(|fault| fault == on, expired())
            .await
    }

    /// `ExecuteSql`.
    pub(super) async fn execute(
        &self,
        request: Request<ExecuteSqlRequest>,
    ) -> Result<Bytes, Status> {
        match self.statement("ExecuteSql", &request)? {
            Said::ChangeStream(_) => Err(check::unsupported("the ExecuteSql API")),
            Said::One => Ok(result_set(one())),
            Said::Catalog(select) => {
                self.strike_at_once(&On::Catalog).await?;
                self.rows(&select, request.get_ref()).map(result_set)
            }
            Said::Rows(chosen) => self.whole_result(&chosen, request.get_ref()).await,
        }
    }

    /// `ExecuteStreamingSql`.
    pub(super) async fn stream(
        &self,
        request: Request<ExecuteSqlRequest>,
    ) -> Result<Messages, Status> {
        let sql = request.get_ref();
        if let Ok(part) = self.plans.part(&sql.partition_token) {
            self.counters
                .request("ExecuteStreamingSql", request.metadata(), sql);
            return self.part_of_query(part, &request).await;
        }
        let rows = match self.statement("ExecuteStreamingSql", &request)? {
            Said::ChangeStream(call) => return self.change_stream(&call, &request),
            Said::Rows(chosen) => return self.whole_query(&chosen, &request).await,
            Said::One => one(),
            Said::Catalog(select) => {
                self.strike_at_once(&On::Catalog).await?;
                self.rows(&select, request.get_ref())?
            }
        };
        Ok(Box::pin(futures::stream::iter([Ok(frame_of(rows))])))
    }

    fn statement(
        &self,
        method: &str,
        request: &Request<ExecuteSqlRequest>,
    ) -> Result<Said, Status> {
        let sql = request.get_ref();
        self.counters.request(method, request.metadata(), sql);
        self.sessions.get(&sql.session)?;
        check_mode(sql)?;
        if let Some(query) = self.tables.query(&sql.sql, sql.params.as_ref()) {
            return Ok(Said::Rows(query));
        }
        let statement = parse(&sql.sql, self.catalog.dialect);
        let statement = statement.map_err(|unread| Status::invalid_argument(unread.to_string()))?;
        Ok(match statement {
            Statement::ChangeStream(call) => Said::ChangeStream(call),
            Statement::Catalog(select) => Said::Catalog(select),
            Statement::Table(from) => Said::Rows(self.tables.select(&from.table, &from.columns)?),
            Statement::One => Said::One,
        })
    }

    fn rows(&self, select: &Select, request: &ExecuteSqlRequest) -> Result<Rows, Status> {
        let rows = answer(&self.catalog, select, |operand| {
            value(operand, request).ok().flatten()
        });
        let refused = |reason| Status::invalid_argument(format!("{reason}: {}", request.sql));
        rows.map_err(refused)
    }

    fn change_stream(
        &self,
        call: &Call,
        request: &Request<ExecuteSqlRequest>,
    ) -> Result<Messages, Status> {
        let sql = request.get_ref();
        check_call(call, &self.layout.function, self.layout.dialect)?;
        check::transaction(sql)?;
        if !sql.partition_token.is_empty() || sql.data_boost_enabled {
            return Err(Status::invalid_argument(
                "the statement cannot be partitioned",
            ));
        }
        let arguments = Arguments::of(call, sql)?;
        let now = self.world.clock.now();
        let asked = self
            .world
            .look(|stream, _, _| self.rules.check(arguments, stream, now))?;
        let token = asked.token.clone();
        if token.is_some() && matches!(self.flood, Some(Served::AtOnce(..))) {
            self.world
                .look(|stream, _, _| check::from_the_beginning(&asked, stream))?;
        }
        let fault = self.faults.claim(|on| match (on, &token) {
            (On::AnyQuery, _) | (On::Root, None) => true,
            (On::Token(wanted), Some(token)) => wanted == token,
            (On::Root | On::Token(_) | On::Catalog | On::Sessions | On::Batch(_), _) => false,
        });
        let cursor = token
            .as_ref()
            .map_or(0, |token| self.world.cursor(token, asked.start));
        let query = Query {
            world: Arc::clone(&self.world),
            framer: Framer::new(&self.layout),
            strike: Strike::new(fault, request.extensions(), expired()),
            final_heartbeat: self.final_heartbeat,
            open: self.counters.open(token.as_deref().unwrap_or(ROOT)),
            frames: Arc::default(),
            next: 0,
            cursor,
            // The first heartbeat is due an interval after the start.
            sent_at: now.max(asked.start),
            silent: true,
            stage: Stage::Reads,
            current: None,
            asked,
        };
        let query = match &self.flood {
            Some(flood) if token.is_some() => query.flooded(flood),
            Some(_) | None => {
                let prepared = token.as_ref().and_then(|token| self.prepared.get(token));
                query.starting_with(prepared)
            }
        };
        Ok(Box::pin(query.messages()))
    }
}

fn catalog(script: &Script) -> Catalog {
    let capture = script.history.recorded.capture.clone();
    Catalog {
        dialect: script.dialect,
        stream: script.stream.clone(),
        mode: script.mode,
        retention: script.retention,
        capture: (capture != ValueCapture::default()).then(|| capture.as_str().to_owned()),
        watch: script.watch.clone(),
        tables: script.tables.clone(),
        version_retention: script.batch.version_retention,
    }
}

/// Source: `google/spanner/v1/spanner.proto`, `ExecuteSqlRequest.query_mode`: with a partition token
/// only NORMAL.
pub(super) fn check_mode(sql: &ExecuteSqlRequest) -> Result<(), Status> {
    if sql.query_mode() == QueryMode::Normal {
        return Ok(());
    }
    Err(Status::invalid_argument(
        "the sandbox only knows query_mode NORMAL",
    ))
}

/// Encodes every partition of a history that does not grow.
fn prepare(world: &World, layout: &Arc<Layout>) -> BTreeMap<String, Prepared> {
    world.look(|stream, _, _| {
        let partitions = stream.partitions.values().filter_map(|partition| {
            let last = partition.entries.last().map(Entry::at)?;
            let frames = Framer::new(layout).frames(&partition.entries);
            let prepared = Prepared {
                frames,
                entries: partition.entries.len(),
                last,
            };
            Some((partition.token.clone(), prepared))
        });
        partitions.collect()
    })
}

fn one() -> Rows {
    Rows {
        columns: vec![(String::new(), TypeCode::Int64)],
        rows: vec![vec![text("1")]],
    }
}
