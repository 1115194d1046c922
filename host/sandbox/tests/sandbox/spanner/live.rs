//! Histories that grow while they are read.

use std::time::Duration;

use acequia_sandbox::{
    Clock, Until,
    spanner::{Dialect, FinalHeartbeat, History, Mode, Sandbox, Script, Serve, history::Live},
};

use super::{
    client::{Client, at},
    drain::drain,
};

fn fast(changes: u64) -> Live {
    Live {
        rate: 400.0,
        split_every: Some(Duration::from_millis(50)),
        merge_every: Some(Duration::from_millis(80)),
        until: Until::Changes(changes),
        ..Live::default()
    }
}

#[tokio::test]
async fn a_live_history_is_read_completely_while_it_grows() {
    let script = Script {
        clock: Clock::StartingAt(at(0.0)),
        heartbeat_min: Duration::from_millis(20),
        final_heartbeat: FinalHeartbeat::Always,
        ..Script::new(History::live(11, fast(400)))
    };
    let sandbox = Sandbox::start(script).unwrap();
    let client = Client::of(&sandbox).await;
    // Long enough for the changes on a slow machine would be a guess, so whatever was committed by
    // the end is the truth.
    let end = at(2.0);
    let found = drain(&client, at(0.0), end).await;
    let mut truth = sandbox.committed();
    truth.retain(|row| row.commit_timestamp <= end);
    assert!(!truth.is_empty() && found.splits > 0);
    found.check(&truth);
}

#[tokio::test]
async fn a_live_history_stops_growing_when_it_was_told_to() {
    let script = Script::new(History::live(11, fast(50)));
    let sandbox = Sandbox::start(script).unwrap();
    let mut before = 0;
    loop {
        tokio::time::sleep(Duration::from_millis(100)).await;
        let committed = sandbox.committed().len();
        if committed == before && committed >= 50 {
            break;
        }
        before = committed;
    }
    assert!(before < 50 + 3, "no more than one transaction beyond");
}

#[tokio::test]
async fn serving_tells_where_and_what() {
    for (dialect, mutable) in [(Dialect::GoogleSql, false), (Dialect::Postgres, true)] {
        let listen = "127.0.0.1:0".parse().unwrap();
        let live = Live {
            mutable,
            ..Live::default()
        };
        let served = Serve {
            listen,
            dialect,
            live,
            ..Serve::default()
        }
        .start()
        .unwrap();
        assert_ne!(served.address.port(), 0);
        assert_eq!(served.database, served.sandbox.database());
        assert_eq!(served.stream, "ShopStream");
        let mode = if mutable {
            Mode::Mutable
        } else {
            Mode::Immutable
        };
        Client::connect(&served.sandbox, dialect, mode).await;
    }
}

#[tokio::test]
async fn a_taken_address_is_refused_with_a_remedy() {
    let first = Serve {
        listen: "127.0.0.1:0".parse().unwrap(),
        ..Serve::default()
    }
    .start()
    .unwrap();
    let second = Serve {
        listen: first.address,
        ..Serve::default()
    }
    .start();
    assert!(
        second
            .unwrap_err()
            .to_string()
            .ends_with("choose another address or port 0")
    );
}
