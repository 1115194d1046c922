//! Makes a live history grow on a timer, until it is told to stop.

use std::sync::Arc;

use tokio::time::Instant;

use super::{
    history::{BuildError, Grower, Growth, Live},
    world::World,
};
use crate::growth::Ticks;

/// Begins the first partitions; the future then grows the history.
pub(crate) fn begin(
    world: &Arc<World>,
    growth: &Growth,
) -> Result<impl Future<Output = ()> + Send + use<>, BuildError> {
    let mut grower = Grower::new(growth.seed, &growth.live.bounds());
    world.grow(|recorded, at| grower.begin(recorded, at, growth.live.partitions_first))?;
    let (world, live) = (Arc::clone(world), growth.live.clone());
    Ok(async move {
        if let Err(error) = run(&world, grower, &live).await {
            tracing::error!(%error, "the live history took a step that cannot be");
        }
    })
}

async fn run(world: &World, mut grower: Grower, live: &Live) -> Result<(), BuildError> {
    let began = Instant::now();
    let mut writes = Ticks::per_second(live.rate);
    let mut splits = Ticks::every(live.split_every);
    let mut merges = Ticks::every(live.merge_every);
    let mut moves = Ticks::every(live.move_every);
    let mut mutations: u64 = 0;
    loop {
        if live.until.is_over(began.elapsed(), mutations) {
            return Ok(());
        }
        tokio::select! {
            () = writes.next() => {
                world.grow(|to, at| grower.write(to, at))?;
                mutations += 1;
            }
            () = splits.next() => {
                world.grow(|to, at| {
                    if to.boundaries(at).count() < live.partitions_max {
                        grower.split(to, at)
                    } else {
                        Ok(false)
                    }
                })?;
            }
            () = merges.next() => {
                world.grow(|to, at| grower.merge(to, at))?;
            }
            () = moves.next() => {
                world.grow(|to, at| grower.moves(to, at))?;
            }
        }
    }
}
