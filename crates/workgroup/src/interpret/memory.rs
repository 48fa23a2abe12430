//! The bytes, and who accessed them since the last barrier.

use super::fault::{Access, Fault};
use crate::{BufferId, Kernel};
use memplan_flow::PrimaryMap;

/// An access in the current barrier interval.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Record {
    pub(super) access: Access,
    /// The copy that accesses the byte, by a number that no other copy has.
    pub(super) copy: Option<u64>,
}

/// The tag of a write; 0 for undefined contents.
type Tag = u64;

pub(super) struct Memory<'k> {
    offsets: &'k PrimaryMap<BufferId, u64>,
    shared: Vec<Tag>,
    /// The bytes of each buffer alone.
    alone: PrimaryMap<BufferId, Vec<Tag>>,
    /// For each byte of these, how often its writer had discarded the buffer.
    discards: PrimaryMap<BufferId, Vec<u64>>,
    records: Vec<Vec<Record>>,
}

impl<'k> Memory<'k> {
    pub(super) fn new(kernel: &Kernel, offsets: &'k PrimaryMap<BufferId, u64>) -> Self {
        let ends = kernel.buffers.iter();
        let ends = ends.map(|(id, buffer)| offsets[id] + buffer.size);
        let bytes = ends.max().unwrap_or(0) as usize;
        let buffers = kernel.buffers.values();
        let alone: PrimaryMap<BufferId, Vec<Tag>> = buffers
            .map(|buffer| vec![0; buffer.size as usize])
            .collect();
        Self {
            offsets,
            shared: vec![0; bytes],
            discards: alone.clone(),
            alone,
            records: vec![Vec::new(); bytes],
        }
    }

    fn at(&self, buffer: BufferId, byte: usize) -> usize {
        self.offsets[buffer] as usize + byte
    }

    /// Forgets the accesses before a barrier.
    pub(super) fn start_interval(&mut self) {
        self.records.iter_mut().for_each(Vec::clear);
    }

    /// Records an access to a byte of its buffer.
    pub(super) fn record(
        &mut self,
        byte: usize,
        record: Record,
        is_in_flight: impl Fn(u64) -> bool,
    ) -> Result<(), Fault> {
        let at = self.at(record.access.buffer, byte);
        let new = record.access;
        for old in &self.records[at] {
            let is_ordered =
                old.access.thread == new.thread && !old.copy.is_some_and(&is_in_flight);
            let conflicts =
                old.access.buffer != new.buffer && (old.access.is_write || new.is_write);
            if conflicts && !is_ordered {
                return Err(Fault::Race {
                    byte: at as u64,
                    first: old.access,
                    second: new,
                });
            }
        }
        if !self.records[at].contains(&record) {
            self.records[at].push(record);
        }
        Ok(())
    }

    /// Writes a byte, by a thread that has discarded the buffer so often.
    pub(super) fn write(&mut self, buffer: BufferId, byte: usize, tag: Tag, discards: u64) {
        let at = self.at(buffer, byte);
        self.shared[at] = tag;
        self.alone[buffer][byte] = tag;
        self.discards[buffer][byte] = discards;
    }

    /// Reads a byte, by a thread that has discarded the buffer so often. What was undefined may be anything, and so may
    /// what was discarded.
    pub(super) fn read(&self, byte: usize, access: Access, discards: u64) -> Result<(), Fault> {
        let at = self.at(access.buffer, byte);
        let expected = self.alone[access.buffer][byte];
        let is_defined = expected != 0 && self.discards[access.buffer][byte] >= discards;
        match is_defined && self.shared[at] != expected {
            true => Err(Fault::Lost {
                byte: at as u64,
                read: access,
            }),
            false => Ok(()),
        }
    }
}
