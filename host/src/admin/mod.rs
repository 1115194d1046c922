//! The admin server: what a run does, for people and for monitoring.
//!
//! | path | what |
//! |---|---|
//! | `/` | a page that shows the status |
//! | `/status` | the status as JSON |
//! | `/metrics` | metrics in Prometheus' text format |
//! | `/healthz` | 200 while the loop answers, whatever it waits for |
//! | `/readyz` | 200 while it reads, with a line for each thing that is not as it should be; 503 before and after |
//!
//! It only tells: no request changes anything, and no row value is told. It has no login, so it
//! listens on the loopback address unless the configuration says otherwise. Each request has limits
//! on its size and its time, and all who ask at one time share one look at the run.

mod answer;
mod desk;
mod limits;
mod request;
mod server;

pub(crate) use desk::{Desk, Watched};
pub(crate) use server::{AdminError, Server};
