//! A session of the generated client.

use std::time::Duration;

use googleapis_tonic_google_spanner_v1::google::spanner::v1::{
    CommitRequest, CreateSessionRequest, ExecuteSqlRequest, Mutation, PartialResultSet,
    TransactionOptions, commit_request, spanner_client::SpannerClient, transaction_options,
};
use jiff::Timestamp;
use tonic::transport::Channel;
use tonic::{Code, Status, Streaming};

/// Largest answer that is taken.
const MESSAGE_BYTES_MAX: usize = 64 << 20;

/// A session. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Session {
    spanner: SpannerClient<Channel>,
    name: String,
}

impl Session {
    pub(crate) async fn open(channel: Channel, database: &str) -> Self {
        let mut spanner = SpannerClient::new(channel).max_decoding_message_size(MESSAGE_BYTES_MAX);
        let request = CreateSessionRequest {
            database: database.to_owned(),
            session: None,
        };
        let created = spanner.create_session(request).await;
        let name = created.expect("a session").into_inner().name;
        Self { spanner, name }
    }

    /// Commits mutations in one transaction, and gives its commit timestamp. The emulator runs one
    /// read-write transaction at a time and aborts others, so an aborted one is tried again.
    pub(crate) async fn commit(&mut self, mutations: Vec<Mutation>) -> Timestamp {
        let request = CommitRequest {
            session: self.name.clone(),
            mutations,
            transaction: Some(commit_request::Transaction::SingleUseTransaction(
                TransactionOptions {
                    mode: Some(transaction_options::Mode::ReadWrite(
                        transaction_options::ReadWrite::default(),
                    )),
                    ..TransactionOptions::default()
                },
            )),
            ..CommitRequest::default()
        };
        loop {
            match self.spanner.commit(request.clone()).await {
                Ok(answer) => {
                    let at = answer.into_inner().commit_timestamp.expect("a timestamp");
                    return Timestamp::new(at.seconds, at.nanos).expect("an instant");
                }
                Err(status) if status.code() == Code::Aborted => {
                    tokio::time::sleep(Duration::from_millis(2)).await;
                }
                Err(status) => panic!("a commit failed: {status}"),
            }
        }
    }

    /// Runs a query; its session is set here.
    pub(crate) async fn query(
        &mut self,
        query: ExecuteSqlRequest,
    ) -> Result<Streaming<PartialResultSet>, Status> {
        let request = ExecuteSqlRequest {
            session: self.name.clone(),
            ..query
        };
        Ok(self
            .spanner
            .execute_streaming_sql(request)
            .await?
            .into_inner())
    }
}
