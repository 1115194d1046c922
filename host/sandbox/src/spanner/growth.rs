//! Makes a live history grow on a timer, until it is told to stop.

use std::sync::Arc;

use tokio::time::Instant;

use crate::{
    growth::Ticks,
    spanner::{
        history::{BuildError, Grower, Growth, Live},
        world::World,
    },
};

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
    let mut commits = Ticks::per_second(live.rate);
    let mut splits = Ticks::every(live.split_every);
    let mut merges = Ticks::every(live.merge_every);
    let mut changes: u64 = 0;
    loop {
        if live.until.is_over(began.elapsed(), changes) {
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
