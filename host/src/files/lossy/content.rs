use super::random::Random;

/// The content of one file: as a process sees it, and as it is on the disk.
#[derive(Debug, Default)]
pub(super) struct Content {
    seen: Vec<u8>,
    durable: Vec<u8>,
    /// The writes between the two, in order.
    pending: Vec<Write>,
}

#[derive(Debug)]
enum Write {
    Append(Vec<u8>),
    Truncate(usize),
}

impl Content {
    pub(super) fn seen(&self) -> &[u8] {
        &self.seen
    }

    pub(super) fn append(&mut self, bytes: &[u8]) {
        self.seen.extend_from_slice(bytes);
        self.pending.push(Write::Append(bytes.to_vec()));
    }

    pub(super) fn truncate(&mut self, length: usize) {
        self.seen.resize(length, 0);
        self.pending.push(Write::Truncate(length));
    }

    pub(super) fn sync(&mut self) {
        self.durable.clone_from(&self.seen);
        self.pending.clear();
    }

    /// Keeps the first `arrived` writes and, of the next one, what the disk got to.
    pub(super) fn crash(&mut self, arrived: usize, random: &mut Random) {
        for (index, write) in self.pending.drain(..).enumerate() {
            match write {
                Write::Append(bytes) if index < arrived => self.durable.extend_from_slice(&bytes),
                Write::Append(bytes) if index == arrived => tear(&mut self.durable, &bytes, random),
                Write::Truncate(length) if index < arrived => self.durable.resize(length, 0),
                Write::Append(_) | Write::Truncate(_) => break,
            }
        }
        self.seen.clone_from(&self.durable);
    }

    pub(super) fn pending(&self) -> usize {
        self.pending.len()
    }
}

/// A part of the bytes arrives; sometimes only the length does, and the bytes read as zeros.
fn tear(durable: &mut Vec<u8>, bytes: &[u8], random: &mut Random) {
    let arrived = random.up_to(bytes.len());
    let only_length = random.up_to(3) == 0;
    durable.extend(
        bytes
            .iter()
            .take(arrived)
            .map(|byte| if only_length { 0 } else { *byte }),
    );
}
