//! Streams of rows: `StreamingRead`, and `ExecuteStreamingSql` of tables and of queries that are written
//! down, with a partition token or without.

use std::sync::Arc;

use bytes::Bytes;
use googleapis_tonic_google_spanner_v1::google::spanner::v1::{
    ExecuteSqlRequest, ReadRequest, ResultSet, ResultSetMetadata, Session, TransactionSelector,
};
use prost::Message;
use prost_types::ListValue;
use tonic::{Extensions, Request, Status};

use super::Spanner;
use crate::{
    grpc::{self, Messages},
    spanner::{
        batch::{Asked, Part, RowFrames, RowStream, SeenBatch, Used, too_old},
        fault::{On, RowsOf},
        tables::Chosen,
        wire::metadata_of,
    },
    strike::Strike,
};

/// What a stream is asked for beside its rows.
struct Reading<'a> {
    session: &'a Session,
    selector: Option<&'a TransactionSelector>,
    resume_token: Bytes,
    is_query: bool,
    data_boost: bool,
    /// The most rows; 0 for all.
    limit: usize,
    extensions: &'a Extensions,
}

impl Spanner {
    pub(super) async fn streaming_read(
        &self,
        request: Request<ReadRequest>,
    ) -> Result<Messages, Status> {
        let headers = grpc::ascii(request.metadata());
        let read = request.get_ref();
        let part = self.plans.part(&read.partition_token);
        let seen = SeenBatch {
            headers,
            table: read.table.clone(),
            index: read.index.clone(),
            columns: read.columns.clone(),
            partition_token: read.partition_token.clone(),
            partition: part.as_ref().ok().map(|part| part.number),
            resume_token: read.resume_token.clone(),
            data_boost: read.data_boost_enabled,
            directed_read: read.directed_read_options.clone(),
            ..SeenBatch::of("StreamingRead", &read.session)
        };
        let seen = seen.options(read.request_options.as_ref());
        self.counters
            .batch(seen.selector(read.transaction.as_ref()));
        let session = self.sessions.get(&read.session)?;
        let reading = Reading {
            session: &session,
            selector: read.transaction.as_ref(),
            resume_token: read.resume_token.clone(),
            is_query: false,
            data_boost: read.data_boost_enabled,
            limit: usize::try_from(read.limit).unwrap_or(0),
            extensions: request.extensions(),
        };
        if !read.partition_token.is_empty() {
            // Source: `google/spanner/v1/spanner.proto`, `ReadRequest.limit`.
            if read.limit != 0 {
                return Err(Status::invalid_argument(
                    "A limit cannot be specified if partition_token is set",
                ));
            }
            return self.part(part?, &Asked::from(read), reading).await;
        }
        let (table, index, columns) = (&read.table, &read.index, &read.columns);
        let chosen = self
            .tables
            .read(table, index, columns, read.key_set.as_ref())?;
        self.whole(&chosen, reading).await
    }

    /// A statement with a partition token that is known.
    pub(super) async fn part_of_query(
        &self,
        part: Part,
        request: &Request<ExecuteSqlRequest>,
    ) -> Result<Messages, Status> {
        let sql = request.get_ref();
        let seen = SeenBatch {
            headers: grpc::ascii(request.metadata()),
            sql: sql.sql.clone(),
            partition_token: sql.partition_token.clone(),
            partition: Some(part.number),
            resume_token: sql.resume_token.clone(),
            data_boost: sql.data_boost_enabled,
            directed_read: sql.directed_read_options.clone(),
            ..SeenBatch::of("ExecuteStreamingSql", &sql.session)
        };
        let seen = seen.options(sql.request_options.as_ref());
        self.counters.batch(seen.selector(sql.transaction.as_ref()));
        let session = self.sessions.get(&sql.session)?;
        super::sql::check_mode(sql)?;
        let reading = of_statement(&session, request);
        self.part(part, &Asked::from(sql), reading).await
    }

    /// A statement without a partition token, or with one that is not known.
    pub(super) async fn whole_query(
        &self,
        chosen: &Chosen,
        request: &Request<ExecuteSqlRequest>,
    ) -> Result<Messages, Status> {
        let sql = request.get_ref();
        if !sql.partition_token.is_empty() {
            self.plans.part(&sql.partition_token)?;
        }
        let session = self.sessions.get(&sql.session)?;
        self.whole(chosen, of_statement(&session, request)).await
    }

    /// All rows of a statement, as the answer to a call that does not stream.
    pub(super) async fn whole_result(
        &self,
        chosen: &Chosen,
        sql: &ExecuteSqlRequest,
    ) -> Result<Bytes, Status> {
        if !sql.partition_token.is_empty() || sql.data_boost_enabled {
            return Err(Status::invalid_argument(
                "the sandbox streams partitions: use ExecuteStreamingSql",
            ));
        }
        let session = self.sessions.get(&sql.session)?;
        let selector = sql.transaction.as_ref();
        let used = self
            .transactions
            .to_read(&session, selector, &self.world)
            .await?;
        let selected = self.tables.rows(chosen, &self.world, used.at);
        let metadata = ResultSetMetadata {
            transaction: used.told,
            ..metadata_of(selected.fields())
        };
        let rows = (0..selected.len()).map(|number| ListValue {
            values: selected.row(number),
        });
        let answer = ResultSet {
            metadata: Some(metadata),
            rows: rows.collect(),
            ..ResultSet::default()
        };
        Ok(answer.encode_to_vec().into())
    }

    async fn whole(&self, chosen: &Chosen, reading: Reading<'_>) -> Result<Messages, Status> {
        // Source: `google/spanner/v1/spanner.proto`, `data_boost_enabled`.
        if reading.data_boost {
            return Err(Status::invalid_argument(
                "data_boost_enabled can only be set together with a partition_token",
            ));
        }
        let transactions = &self.transactions;
        let used = transactions
            .to_read(reading.session, reading.selector, &self.world)
            .await?;
        let selected = self.tables.rows(chosen, &self.world, used.at);
        let limit = if reading.limit == 0 {
            usize::MAX
        } else {
            reading.limit
        };
        let rows = 0..selected.len().min(limit);
        let told = used.told.clone();
        let name = "whole".to_owned();
        let frames = RowFrames::new(Arc::new(selected), rows, &self.row_wire, name, told);
        self.stream_rows(frames, &used, chosen.table(), None, &reading)
    }

    async fn part(
        &self,
        part: Part,
        asked: &Asked,
        reading: Reading<'_>,
    ) -> Result<Messages, Status> {
        let transactions = &self.transactions;
        let used = transactions
            .to_read(reading.session, reading.selector, &self.world)
            .await?;
        let plan = &part.plan;
        // Source: Cloud Spanner emulator, `common/errors.cc`, `ReadFromDifferentSession` and the two
        // that follow it.
        let differs = [
            (plan.session != reading.session.name, "a different session"),
            (plan.used.id != used.id, "a different transaction"),
            (plan.asked != *asked, "different read or sql parameters"),
        ];
        if let Some((_, what)) = differs.iter().find(|(differs, _)| *differs) {
            return Err(Status::invalid_argument(format!(
                "Partitioned request was created for {what}."
            )));
        }
        let find = || self.tables.rows(&plan.chosen, &self.world, used.at);
        let selected = plan.selected(find);
        let rows = self.plans.rows(part.number, selected.len());
        let frames = RowFrames::new(selected, rows, &self.row_wire, part.name, None);
        let table = plan.chosen.table();
        self.stream_rows(frames, &used, table, Some(part.number), &reading)
    }

    fn stream_rows(
        &self,
        frames: RowFrames,
        used: &Used,
        table: &str,
        partition: Option<usize>,
        reading: &Reading<'_>,
    ) -> Result<Messages, Status> {
        let frames = frames.resume(&reading.resume_token)?;
        let stream = RowsOf {
            table,
            partition,
            is_query: reading.is_query,
            data_boost: reading.data_boost,
        };
        let fault = self.faults.claim(|on| match on {
            On::Batch(on) => on.fits(&stream),
            On::AnyQuery | On::Root | On::Token(_) | On::Catalog | On::Sessions => false,
        });
        let stream = RowStream {
            world: Arc::clone(&self.world),
            transactions: Arc::clone(&self.transactions),
            at: used.at,
            frames,
            strike: Strike::new(fault, reading.extensions, too_old(used.at)),
            open: self.counters.open_rows(),
            over: false,
        };
        Ok(Box::pin(stream.messages()))
    }
}

fn of_statement<'a>(session: &'a Session, request: &'a Request<ExecuteSqlRequest>) -> Reading<'a> {
    let sql = request.get_ref();
    Reading {
        session,
        selector: sql.transaction.as_ref(),
        resume_token: sql.resume_token.clone(),
        is_query: true,
        data_boost: sql.data_boost_enabled,
        limit: 0,
        extensions: request.extensions(),
    }
}
