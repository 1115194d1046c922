//! A client made from the generated one, and short ways to ask.

use std::{collections::BTreeMap, time::Duration};

use acequia_sandbox::{
    Clock, rfc3339,
    spanner::{Dialect, History, Mode, Sandbox, Script},
};
use googleapis_tonic_google_spanner_v1::google::spanner::v1::{
    CreateSessionRequest, ExecuteSqlRequest, PartialResultSet, Session,
    spanner_client::SpannerClient,
};
use jiff::Timestamp;
use prost_types::{Struct, Value, value::Kind};
use tonic::{
    Status, Streaming,
    transport::{Channel, Endpoint},
};

use super::decode::{Record, records};

/// The instant at which the tests' streams are created, in seconds after which others are named.
pub(crate) fn at(seconds: f64) -> Timestamp {
    let base: Timestamp = "2026-03-01T10:00:00Z".parse().unwrap();
    base.checked_add(jiff::SignedDuration::from_secs_f64(seconds))
        .unwrap()
}

/// A script for `history` whose clock begins an hour after the stream.
pub(crate) fn script(history: History) -> Script {
    Script {
        clock: Clock::StartingAt(at(3600.0)),
        heartbeat_min: Duration::from_millis(50),
        ..Script::new(history)
    }
}

pub(crate) struct Client {
    pub(crate) spanner: SpannerClient<Channel>,
    pub(crate) session: String,
    dialect: Dialect,
    mode: Mode,
}

/// Arguments of a change-stream query.
#[derive(Clone)]
pub(crate) struct Ask {
    pub(crate) token: Option<String>,
    pub(crate) start: String,
    pub(crate) end: Option<String>,
    pub(crate) heartbeat_ms: String,
}

pub(crate) fn ask(token: Option<&str>, start: Timestamp) -> Ask {
    Ask {
        token: token.map(str::to_owned),
        start: rfc3339(start),
        end: None,
        heartbeat_ms: "100".to_owned(),
    }
}

impl Ask {
    pub(crate) fn until(self, end: Timestamp) -> Self {
        Self {
            end: Some(rfc3339(end)),
            ..self
        }
    }
}

pub(crate) const GOOGLESQL: &str = "SELECT ChangeRecord FROM READ_ShopStream(start_timestamp => @s, \
     end_timestamp => @e, partition_token => @t, read_options => NULL, heartbeat_milliseconds => @h)";
pub(crate) const POSTGRES: &str =
    r#"SELECT * FROM "spanner"."read_json_ShopStream"($1,$2,$3,$4,null)"#;
pub(crate) const POSTGRES_PROTO: &str =
    r#"SELECT * FROM "spanner"."read_proto_bytes_ShopStream"($1,$2,$3,$4,null)"#;

impl Client {
    pub(crate) async fn connect(sandbox: &Sandbox, dialect: Dialect, mode: Mode) -> Self {
        let address = format!("http://{}", sandbox.address());
        let channel = Endpoint::from_shared(address)
            .unwrap()
            .connect()
            .await
            .unwrap();
        let mut spanner = SpannerClient::new(channel).max_decoding_message_size(64 << 20);
        let request = CreateSessionRequest {
            database: sandbox.database().to_owned(),
            session: Some(Session {
                multiplexed: true,
                ..Session::default()
            }),
        };
        let session = spanner.create_session(request).await.unwrap().into_inner();
        assert!(session.multiplexed);
        Self {
            spanner,
            session: session.name,
            dialect,
            mode,
        }
    }

    pub(crate) async fn of(sandbox: &Sandbox) -> Self {
        Self::connect(sandbox, Dialect::GoogleSql, Mode::Immutable).await
    }

    pub(crate) fn request(&self, ask: &Ask) -> ExecuteSqlRequest {
        let (sql, names) = match (self.dialect, self.mode) {
            (Dialect::GoogleSql, _) => (GOOGLESQL, ["s", "e", "t", "h"]),
            (Dialect::Postgres, Mode::Immutable) => (POSTGRES, ["p1", "p2", "p3", "p4"]),
            (Dialect::Postgres, Mode::Mutable) => (POSTGRES_PROTO, ["p1", "p2", "p3", "p4"]),
        };
        let values = [
            text(&ask.start),
            ask.end.as_deref().map_or_else(null, text),
            ask.token.as_deref().map_or_else(null, text),
            text(&ask.heartbeat_ms),
        ];
        let fields: BTreeMap<String, Value> = names
            .iter()
            .map(|&name| name.to_owned())
            .zip(values)
            .collect();
        ExecuteSqlRequest {
            session: self.session.clone(),
            sql: sql.to_owned(),
            params: Some(Struct {
                fields: fields.into_iter().collect(),
            }),
            ..ExecuteSqlRequest::default()
        }
    }

    pub(crate) async fn open(&self, ask: &Ask) -> Result<Streaming<PartialResultSet>, Status> {
        self.send(self.request(ask)).await
    }

    pub(crate) async fn send(
        &self,
        request: ExecuteSqlRequest,
    ) -> Result<Streaming<PartialResultSet>, Status> {
        let answer = self.spanner.clone().execute_streaming_sql(request).await?;
        Ok(answer.into_inner())
    }

    /// The status with which a query ends, at the opening or later.
    pub(crate) async fn refusal(&self, ask: &Ask) -> Status {
        self.refusal_of(self.request(ask)).await
    }

    pub(crate) async fn refusal_of(&self, request: ExecuteSqlRequest) -> Status {
        let mut stream = match self.send(request).await {
            Ok(stream) => stream,
            Err(status) => return status,
        };
        loop {
            match stream.message().await {
                Ok(Some(_)) => {}
                Ok(None) => panic!("the query ended well"),
                Err(status) => return status,
            }
        }
    }

    /// All messages of a query that ends well.
    pub(crate) async fn frames(&self, ask: &Ask) -> Vec<PartialResultSet> {
        let mut stream = self.open(ask).await.unwrap();
        let mut frames = Vec::new();
        while let Some(frame) = stream.message().await.unwrap() {
            frames.push(frame);
        }
        frames
    }

    /// All records of a query that ends well.
    pub(crate) async fn read(&self, ask: &Ask) -> Vec<Record> {
        records(&self.frames(ask).await)
    }
}

pub(crate) fn text(text: &str) -> Value {
    Value {
        kind: Some(Kind::StringValue(text.to_owned())),
    }
}

pub(crate) fn null() -> Value {
    Value {
        kind: Some(Kind::NullValue(0)),
    }
}
