//! `google.bigtable.v2.Bigtable` and what readers of change streams need of its two admin services.

mod admin;
mod check;
mod flood;
mod names;
mod read;
mod request;
mod routing;
mod stats;

use std::{collections::VecDeque, sync::Arc, time::Duration};

use futures::{StreamExt, future::BoxFuture};
use googleapis_tonic_google_bigtable_v2::google::bigtable::v2::{
    GenerateInitialChangeStreamPartitionsRequest, GenerateInitialChangeStreamPartitionsResponse,
};
use prost::Message;
use tonic::{Request, Response, Status, body::Body, metadata::MetadataMap};

pub(crate) use admin::{InstanceAdmin, TableAdmin};
pub(crate) use names::{INSTANCE, TABLE};
pub use request::From;
pub use stats::{CALLS_KEPT_MAX, Seen, SeenRead, Stats};

use self::{
    check::Rules,
    flood::Flow,
    read::{Read, Stage},
    request::ReadRequest,
    stats::Counters,
};
use super::{
    fault::On,
    history::Flood,
    script::{Cookies, Script},
    wire,
    world::{Reader, World},
};
use crate::{
    fault::Faults,
    grpc::{self, Messages, Opening, Streams},
    strike::Strike,
};

/// How long a stream may be silent when a read does not say.
///
/// Source: `google/bigtable/v2/bigtable.proto`, `ReadChangeStreamRequest.heartbeat_duration`.
const HEARTBEAT_DEFAULT: Duration = Duration::from_secs(5);

/// The table, its stream and everything that answers for them.
#[derive(Debug)]
pub(crate) struct Bigtable {
    pub(crate) world: Arc<World>,
    pub(crate) faults: Arc<Faults<On>>,
    counters: Counters,
    rules: Rules,
    script: Script,
    flood: Option<Arc<Flood>>,
}

impl Bigtable {
    pub(crate) fn new(script: Script, world: Arc<World>) -> Self {
        Self {
            world,
            faults: Faults::new(script.faults.clone()),
            counters: Counters::default(),
            rules: Rules::of(&script),
            flood: script.history.flood.clone().map(Arc::new),
            script,
        }
    }

    pub(crate) fn stats(&self) -> Stats {
        self.counters.get()
    }

    pub(crate) async fn wait_for(&self, enough: impl Fn(&Stats) -> bool) -> Stats {
        self.counters.wait_for(enough).await
    }

    /// Meets a fault for calls that do not stream.
    async fn strike_at_once(&self, on: &On) -> Result<(), Status> {
        let expired = self.rules.expired();
        let struck = self.faults.strike_at_once(|fault| fault == on, expired);
        struck.await.map_err(|status| self.refused(status))
    }

    /// `GenerateInitialChangeStreamPartitions`.
    async fn partitions(
        &self,
        request: Request<GenerateInitialChangeStreamPartitionsRequest>,
    ) -> Result<Response<Messages>, Status> {
        let (asked, headers) = (request.get_ref(), request.metadata());
        let seen = Seen {
            method: "GenerateInitialChangeStreamPartitions".to_owned(),
            name: asked.table_name.clone(),
            app_profile_id: asked.app_profile_id.clone(),
            ..Seen::default()
        };
        self.counters.call(headers, seen);
        self.admit(headers, &asked.table_name, &asked.app_profile_id)?;
        self.strike_at_once(&On::Partitions).await?;
        let partitions = self.world.partitions().into_iter().map(|range| {
            let response = GenerateInitialChangeStreamPartitionsResponse {
                partition: Some(wire::partition(&range)),
            };
            Ok(response.encode_to_vec().into())
        });
        let partitions: Vec<_> = partitions.collect();
        Ok(self.answered(Box::pin(futures::stream::iter(partitions))))
    }

    /// `ReadChangeStream`.
    fn read(&self, request: &Request<ReadRequest>) -> Result<Response<Messages>, Status> {
        let (asked, headers) = (request.get_ref(), request.metadata());
        let read = asked.seen();
        let seen = Seen {
            method: "ReadChangeStream".to_owned(),
            name: asked.table_name.clone(),
            app_profile_id: asked.app_profile_id.clone(),
            read: read.as_ref().ok().cloned(),
            ..Seen::default()
        };
        self.counters.call(headers, seen);
        let retention = self.admit(headers, &asked.table_name, &asked.app_profile_id)?;
        let read = read?;
        // Counted first: a change of the topology in between is then seen as one.
        let opened = self.world.topologies();
        let position = self.world.look(|stream, now, _| {
            let (range, from) = (&read.range, &read.from);
            self.rules.position(range, from, stream, (now, retention))
        })?;
        check::from_the_beginning(self.flood.as_deref(), &read.from)?;
        let flow = self
            .flood
            .as_ref()
            .and_then(|flood| Flow::new(flood, &read.range));
        let fault = self.faults.claim(|on| match on {
            On::AnyRead => true,
            On::Range(range) => *range == read.range,
            On::Partitions | On::Table | On::AppProfile => false,
        });
        let read = Read {
            open: self.counters.open(&read.range),
            reader: Reader {
                range: read.range,
                position,
                end: read.end,
                opened,
                delay: self.script.replication_delay,
            },
            heartbeat: read.heartbeat.unwrap_or(HEARTBEAT_DEFAULT),
            wire: self.script.wire,
            closes: self.script.closes,
            slow_reader_after: self.script.slow_reader_after,
            strike: Strike::new(fault, request.extensions(), self.rules.expired()),
            flow,
            messages: VecDeque::new(),
            handed_over: None,
            sent_at: self.world.clock.now(),
            stage: Stage::Reads,
            world: Arc::clone(&self.world),
        };
        let cookies = self.script.cookies;
        let counters = self.counters.clone();
        let messages = read
            .messages()
            .map(move |message| message.map_err(|status| with_cookie(cookies, &counters, status)));
        Ok(self.answered(Box::pin(messages)))
    }

    /// Whether a call about the table may go on; the stream's retention.
    fn admit(
        &self,
        headers: &MetadataMap,
        table: &str,
        app_profile: &str,
    ) -> Result<Duration, Status> {
        routing::check(headers, table, app_profile)?;
        self.rules.readable(table, app_profile)
    }

    fn answered(&self, messages: Messages) -> Response<Messages> {
        let mut response = Response::new(messages);
        if self.script.cookies == Cookies::Initial {
            self.counters.give_cookie(response.metadata_mut());
        }
        response
    }

    fn refused(&self, status: Status) -> Status {
        with_cookie(self.script.cookies, &self.counters, status)
    }
}

fn with_cookie(cookies: Cookies, counters: &Counters, mut status: Status) -> Status {
    if cookies == Cookies::Trailing {
        counters.give_cookie(status.metadata_mut());
    }
    status
}

impl grpc::Routes for Bigtable {
    const NAME: &'static str = "google.bigtable.v2.Bigtable";

    fn route(
        self: Arc<Self>,
        request: http::Request<Body>,
    ) -> BoxFuture<'static, http::Response<Body>> {
        Box::pin(async move {
            match grpc::method(&request) {
                "ReadChangeStream" => grpc::streaming::<ReadRequest, _>(self, request).await,
                "GenerateInitialChangeStreamPartitions" => {
                    type Asked = GenerateInitialChangeStreamPartitionsRequest;
                    grpc::streaming::<Asked, _>(self, request).await
                }
                _ => grpc::unserved(&request),
            }
        })
    }
}

impl Streams<ReadRequest> for Bigtable {
    fn open(self: Arc<Self>, request: Request<ReadRequest>) -> Opening {
        Box::pin(async move { self.read(&request) })
    }
}

impl Streams<GenerateInitialChangeStreamPartitionsRequest> for Bigtable {
    fn open(
        self: Arc<Self>,
        request: Request<GenerateInitialChangeStreamPartitionsRequest>,
    ) -> Opening {
        Box::pin(async move { self.partitions(request).await })
    }
}
