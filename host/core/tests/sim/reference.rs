//! What the log must hold: for every key, its commits in order.

use super::sink::Line;
use super::world::World;

/// A fold over the log.
#[derive(Clone)]
pub(super) struct Reference {
    /// Per key, the records that must come, in commit order.
    chains: Vec<Vec<usize>>,
    /// Per key, how many of them came.
    next: Vec<usize>,
    /// Per record, its place in its chain, if it must come.
    places: Vec<Option<usize>>,
    /// The tick at which reading began, or began again.
    pub(super) since: u64,
    start: u64,
    /// Whether repeats are wrong.
    exact: bool,
}

impl Reference {
    pub(super) fn new(world: &World, start: u64, bound: Option<u64>, exact: bool) -> Self {
        let mut chains = vec![Vec::new(); world.keys];
        let mut places = vec![None; world.records.len()];
        for (index, record) in world.records.iter().enumerate() {
            if record.outputs && bound.is_none_or(|bound| record.at <= bound) {
                places[index] = Some(chains[record.key].len());
                chains[record.key].push(index);
            }
        }
        let mut reference = Self {
            next: vec![0; chains.len()],
            chains,
            places,
            since: start,
            start,
            exact,
        };
        reference.begin(world, start);
        reference
    }

    /// The same, with nothing in the log but these lines. Each rewind is of the log at a length, or
    /// of all of a log that was cut below it.
    pub(super) fn replayed(
        &self,
        world: &World,
        log: &[Line],
        rewinds: &[(usize, u64)],
    ) -> Result<Self, String> {
        let mut replayed = self.clone();
        replayed.begin(world, self.start);
        let mut rewinds = rewinds.iter().peekable();
        for (index, line) in log.iter().enumerate() {
            while let Some((_, tick)) = rewinds.next_if(|(length, _)| *length == index) {
                replayed.rewind(world, *tick)?;
            }
            replayed.append(world, *line)?;
        }
        for (_, tick) in rewinds {
            replayed.rewind(world, *tick)?;
        }
        Ok(replayed)
    }

    /// Everything from `tick` on must come again.
    fn rewind(&mut self, world: &World, tick: u64) -> Result<(), String> {
        match self.first_missing(world) {
            Some(missing) if missing < tick => Err(format!(
                "INV-7: a rewind to tick {tick} skips the record at tick {missing}"
            )),
            _ => {
                self.begin(world, tick);
                Ok(())
            }
        }
    }

    pub(super) fn append(&mut self, world: &World, line: Line) -> Result<(), String> {
        let record = match line {
            Line::Gap { at, key: None } => {
                self.begin(world, at);
                return Ok(());
            }
            Line::Gap { at, key: Some(key) } => {
                self.begin_key(world, key, at);
                return Ok(());
            }
            Line::Record(record) => record,
        };
        let key = world.records[record].key;
        let Some(place) = self.places[record] else {
            return Err(format!(
                "INV-7: record {record} is past the bound or was filtered"
            ));
        };
        let expected = self.next[key];
        if place > expected {
            return Err(format!(
                "INV-6: key {key} got its commit {place} before its commit {expected}"
            ));
        }
        if place < expected && self.exact {
            return Err(format!("INV-6: key {key} got its commit {place} twice"));
        }
        self.next[key] = expected.max(place + 1);
        Ok(())
    }

    fn begin(&mut self, world: &World, at: u64) {
        self.since = at;
        for key in 0..self.chains.len() {
            self.begin_key(world, key, at);
        }
    }

    fn begin_key(&mut self, world: &World, key: usize, at: u64) {
        let chain = &self.chains[key];
        self.next[key] = chain.partition_point(|record| world.records[*record].at < at);
    }

    /// Whether the record came, or need not come.
    pub(super) fn has(&self, world: &World, record: usize) -> bool {
        self.places[record].is_none_or(|place| place < self.next[world.records[record].key])
    }

    /// The tick of the first record that did not come.
    pub(super) fn first_missing(&self, world: &World) -> Option<u64> {
        let missing = |(key, chain): (usize, &Vec<usize>)| chain.get(self.next[key]).copied();
        self.chains
            .iter()
            .enumerate()
            .filter_map(missing)
            .map(|record| world.records[record].at)
            .min()
    }
}
