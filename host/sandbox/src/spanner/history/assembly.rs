//! The steps that a history is made of. Each keeps the records of a partition in order of time.

use std::sync::Arc;

use jiff::Timestamp;

use super::{
    Recorded,
    builder::{BuildError, Commit},
    capture::{RowChange, columns_of},
    change::{Column, DataChange, End, Entry, Mod, Partition},
};

impl Recorded {
    pub(super) fn begin(
        &mut self,
        token: &str,
        parents: &[&str],
        start: Timestamp,
    ) -> Result<(), BuildError> {
        let partition = Partition {
            token: token.to_owned(),
            parents: parents.iter().map(|&parent| parent.to_owned()).collect(),
            start,
            end: None,
            entries: Vec::new(),
        };
        match self.partitions.insert(token.to_owned(), partition) {
            Some(_) => Err(BuildError::Twice(token.to_owned())),
            None => Ok(()),
        }
    }

    pub(super) fn transaction(&mut self, at: Timestamp, commit: &Commit) -> Result<(), BuildError> {
        self.transactions += 1;
        let id = commit
            .id
            .clone()
            .unwrap_or_else(|| format!("tx{:010}", self.transactions));
        for (token, change) in self.records(at, &id, commit) {
            self.add(&token, Entry::Change(Arc::new(change)))?;
        }
        Ok(())
    }

    /// The records of a transaction: in each partition one for every run of changes of the same
    /// table, kind and columns.
    ///
    /// Source: <https://cloud.google.com/spanner/docs/change-streams/details>, data change records.
    fn records(&self, at: Timestamp, id: &str, commit: &Commit) -> Vec<(String, DataChange)> {
        let mut records: Vec<(String, DataChange)> = Vec::new();
        for (token, changes) in &commit.parts {
            for change in changes {
                let row = change.captured(&self.capture);
                let columns = columns_of(change.table(), &row);
                if let Some((_, last)) = records.last_mut().filter(|(owner, last)| {
                    owner == token
                        && last.table_name == change.table().name
                        && last.mod_type == *change.mod_type()
                        && last.column_types == columns
                }) {
                    last.mods.push(row);
                } else {
                    let sequence = self.sequence(records.len());
                    let record = self.record_of(at, id, commit, change, (columns, row), sequence);
                    records.push((token.clone(), record));
                }
            }
        }
        let (count, partitions) = (as_count(records.len()), as_count(commit.parts.len()));
        let mut later: Vec<String> = Vec::new();
        for (token, record) in records.iter_mut().rev() {
            record.is_last_record_in_transaction_in_partition = !later.contains(token);
            record.number_of_records_in_transaction = count;
            record.number_of_partitions_in_transaction = partitions;
            later.push(token.clone());
        }
        records
    }

    fn record_of(
        &self,
        at: Timestamp,
        id: &str,
        commit: &Commit,
        change: &RowChange,
        (column_types, row): (Vec<Column>, Mod),
        record_sequence: String,
    ) -> DataChange {
        DataChange {
            commit_timestamp: at,
            record_sequence,
            server_transaction_id: id.to_owned(),
            is_last_record_in_transaction_in_partition: false,
            table_name: change.table().name.clone(),
            column_types,
            mods: vec![row],
            mod_type: change.mod_type().clone(),
            value_capture_type: self.capture.clone(),
            number_of_records_in_transaction: 0,
            number_of_partitions_in_transaction: 0,
            transaction_tag: commit.tag.clone(),
            is_system_transaction: commit.system,
        }
    }

    /// Source: the documented examples of both partition modes: eight digits, or sixteen hexadecimal
    /// ones and eight more.
    fn sequence(&self, index: usize) -> String {
        if self.mutable {
            format!("{index:016x}-00000000")
        } else {
            format!("{index:08}")
        }
    }

    pub(super) fn split(
        &mut self,
        at: Timestamp,
        token: &str,
        children: &[&str],
    ) -> Result<(), BuildError> {
        let named = children.iter().map(|&child| child.to_owned()).collect();
        self.end(at, token, End::Split(named))?;
        children
            .iter()
            .try_for_each(|child| self.begin(child, &[token], at))
    }

    pub(super) fn merge(
        &mut self,
        at: Timestamp,
        parents: &[&str],
        child: &str,
    ) -> Result<(), BuildError> {
        let with: Vec<String> = parents.iter().map(|&parent| parent.to_owned()).collect();
        for parent in parents {
            self.end(
                at,
                parent,
                End::Merge {
                    into: child.to_owned(),
                    with: with.clone(),
                },
            )?;
        }
        self.begin(child, parents, at)
    }

    pub(super) fn move_to(
        &mut self,
        at: Timestamp,
        token: &str,
        child: &str,
    ) -> Result<(), BuildError> {
        self.end(at, token, End::Move(child.to_owned()))?;
        self.begin(child, &[token], at)
    }

    pub(super) fn starts(
        &mut self,
        at: Timestamp,
        by: &str,
        tokens: &[&str],
    ) -> Result<(), BuildError> {
        self.mutable = true;
        let sequence = self.event_sequence(by, at)?;
        let named = tokens.iter().map(|&token| token.to_owned()).collect();
        self.add(
            by,
            Entry::PartitionStart {
                start: at,
                sequence,
                tokens: named,
            },
        )?;
        tokens
            .iter()
            .try_for_each(|token| self.begin(token, &[by], at))
    }

    pub(super) fn moves_range(
        &mut self,
        at: Timestamp,
        from: &str,
        to: &str,
    ) -> Result<(), BuildError> {
        self.mutable = true;
        for (token, move_in, move_out) in [(from, None, Some(to)), (to, Some(from), None)] {
            let list = |token: Option<&str>| token.map(str::to_owned).into_iter().collect();
            let event = Entry::PartitionEvent {
                commit: at,
                sequence: self.event_sequence(token, at)?,
                token: token.to_owned(),
                move_in: list(move_in),
                move_out: list(move_out),
            };
            self.add(token, event)?;
        }
        Ok(())
    }

    /// A sequence after those of the partition's entries at the same instant.
    ///
    /// Source: `google/spanner/v1/change_stream.proto`, `PartitionEventRecord.record_sequence`.
    fn event_sequence(&self, token: &str, at: Timestamp) -> Result<String, BuildError> {
        let partition = self.partitions.get(token);
        let partition = partition.ok_or_else(|| BuildError::Unknown(token.to_owned()))?;
        let before = partition
            .entries
            .iter()
            .rev()
            .take_while(|entry| entry.at() == at)
            .count();
        Ok(format!("{before:016x}-00000000"))
    }

    pub(super) fn end(&mut self, at: Timestamp, token: &str, how: End) -> Result<(), BuildError> {
        let partition = self.open_at(token, at)?;
        partition.end = Some((at, how));
        Ok(())
    }

    pub(super) fn add(&mut self, token: &str, entry: Entry) -> Result<(), BuildError> {
        self.open_at(token, entry.at())?.entries.push(entry);
        Ok(())
    }

    fn open_at(&mut self, token: &str, at: Timestamp) -> Result<&mut Partition, BuildError> {
        let partition = self.partitions.get_mut(token);
        let partition = partition.ok_or_else(|| BuildError::Unknown(token.to_owned()))?;
        if partition.end.is_some() {
            return Err(BuildError::Ended(token.to_owned()));
        }
        if at < partition.entries.last().map_or(partition.start, Entry::at) {
            return Err(BuildError::Backwards {
                token: token.to_owned(),
                at,
            });
        }
        Ok(partition)
    }
}

fn as_count(length: usize) -> i64 {
    i64::try_from(length).unwrap_or(i64::MAX)
}
