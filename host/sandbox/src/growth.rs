//! Makes a live history grow on a timer, until it is told to stop.

use std::{sync::Arc, time::Duration};

use tokio::time::{Instant, MissedTickBehavior, interval_at};

use crate::{
    history::{BuildError, Grower, Growth, Live, Until},
    world::World,
};

/// The slowest that a live history grows, in transactions a second.
const RATE_MIN: f64 = 0.001;

/// Begins the first partitions; the future then grows the history.
pub(crate) fn begin(
    world: &Arc<World>,
    growth: &Growth,
) -> Result<impl Future<Output = ()> + Send + use<>, BuildError> {
    let mut grower = Grower::new(growth.seed, &growth.live.bounds());
    world.grow(|recorded, _| grower.begin(recorded, growth.live.partitions_first))?;
    let (world, live) = (Arc::clone(world), growth.live.clone());
    Ok(async move {
        if let Err(error) = run(&world, grower, &live).await {
            tracing::error!(%error, "the live history took a step that cannot be");
        }
    })
}

async fn run(world: &World, mut grower: Grower, live: &Live) -> Result<(), BuildError> {
    let began = Instant::now();
    let mut commits = ticks(Some(Duration::from_secs_f64(1.0 / live.rate.max(RATE_MIN))));
    let mut splits = ticks(live.split_every);
    let mut merges = ticks(live.merge_every);
    let mut changes: u64 = 0;
    loop {
        let over = match live.until {
            Until::Forever => false,
            Until::Elapsed(span) => began.elapsed() >= span,
            Until::Changes(wanted) => changes >= wanted,
        };
        if over {
            return Ok(());
        }
        tokio::select! {
            () = commits.next() => changes += world.grow(|to, at| grower.commit(to, at))?,
            () = splits.next() => {
                if grower.living() < live.partitions_max {
                    world.grow(|to, at| grower.split(to, at))?;
                }
            }
            () = merges.next() => {
                world.grow(|to, at| grower.merge(to, at))?;
            }
        }
    }
}

struct Ticks(Option<tokio::time::Interval>);

impl Ticks {
    async fn next(&mut self) {
        match &mut self.0 {
            Some(interval) => {
                interval.tick().await;
            }
            None => std::future::pending().await,
        }
    }
}

fn ticks(every: Option<Duration>) -> Ticks {
    let every = every.filter(|every| !every.is_zero());
    Ticks(every.map(|every| {
        let mut interval = interval_at(Instant::now() + every, every);
        // A rate is kept over time, so ticks that were missed are made up for.
        interval.set_missed_tick_behavior(MissedTickBehavior::Burst);
        interval
    }))
}
