//! The interpreter.

use super::control::{distances, uniform_blocks};
use super::fault::{Access, Fault};
use super::memory::{Memory, Record};
use super::random::{Random, hash};
use super::run::{Choices, Run, Schedule, Timing};
use super::thread::{Flight, Status, Thread};
use crate::{Action, BlockId, Branch, BufferId, Extent, Kernel, Place, Wait};
use memplan_flow::PrimaryMap;
use std::collections::BTreeMap;

/// Executes a kernel whose buffers lie at these offsets.
///
/// # Errors
///
/// The first fault of the execution.
///
/// # Panics
/// If there is no thread, a buffer has no offset, or [`Analysis::of`](crate::Analysis::of) fails for the kernel for another
/// reason than a divergent barrier.
pub fn interpret(
    kernel: &Kernel,
    offsets: &PrimaryMap<BufferId, u64>,
    run: &Run,
    choices: &mut dyn Choices,
) -> Result<(), Fault> {
    let threads = (0..run.threads).map(|_| Thread::new(kernel.blocks.len()));
    let mut machine = Machine {
        kernel,
        run,
        choices,
        memory: Memory::new(kernel, offsets),
        threads: threads.collect(),
        random: Random::new(run.seed),
        is_uniform: uniform_blocks(kernel),
        distances: distances(kernel),
        decided: BTreeMap::new(),
        whole_writes: BTreeMap::new(),
        tag: 0,
    };
    let mut last = run.threads - 1;
    loop {
        let runnable: Vec<usize> = (0..run.threads)
            .filter(|thread| machine.threads[*thread].status == Status::Running)
            .collect();
        if runnable.is_empty() {
            match machine.meet()? {
                true => continue,
                false => return Ok(()),
            }
        }
        last = machine.next(&runnable, last);
        machine.step(last)?;
    }
}

/// A whole write: how often each thread has started it, and how often it has written.
struct WholeWrite {
    started: Vec<u64>,
    written: Vec<u64>,
}

struct Machine<'k, 'c> {
    kernel: &'k Kernel,
    run: &'k Run,
    choices: &'c mut dyn Choices,
    memory: Memory<'k>,
    threads: Vec<Thread<'k>>,
    random: Random,
    is_uniform: Vec<bool>,
    distances: Vec<usize>,
    /// The edge of each uniform branch, by the number of its execution.
    decided: BTreeMap<(BlockId, usize), usize>,
    whole_writes: BTreeMap<(BufferId, Place), WholeWrite>,
    tag: u64,
}

impl<'k> Machine<'k, '_> {
    fn next(&mut self, runnable: &[usize], last: usize) -> usize {
        let (first, end) = (runnable[0], runnable[runnable.len() - 1]);
        match self.run.schedule {
            Schedule::RunAhead => first,
            Schedule::RunAheadReversed => end,
            Schedule::RoundRobin => {
                let mut after = runnable.iter().filter(|thread| **thread > last);
                after.next().copied().unwrap_or(first)
            }
            Schedule::Random => runnable[self.random.below(runnable.len())],
            Schedule::Lag(slow) => {
                let mut others = runnable.iter().filter(|thread| **thread != slow);
                others.next().copied().unwrap_or(first)
            }
        }
    }

    /// All threads wait or have ended. Returns whether they go on.
    fn meet(&mut self) -> Result<bool, Fault> {
        let status = self.threads[0].status;
        if let Some(other) = self.threads.iter().find(|other| other.status != status) {
            let waiting = [status, other.status].into_iter();
            let place = waiting.filter_map(|status| match status {
                Status::Waiting(place) => Some(place),
                Status::Running | Status::Ended => None,
            });
            let place = place.min().unwrap_or(other.place);
            return Err(Fault::Barrier { place });
        }
        if status == Status::Ended {
            return Ok(false);
        }
        self.memory.start_interval();
        for thread in 0..self.threads.len() {
            for at in 0..self.threads[thread].flights.len() {
                self.record_flight(thread, at)?;
                if self.run.timing == Timing::Random && self.random.chance(40) {
                    self.perform(thread, at)?;
                }
            }
            self.threads[thread].status = Status::Running;
        }
        Ok(true)
    }

    fn step(&mut self, thread: usize) -> Result<(), Fault> {
        let place = self.threads[thread].place;
        let block = &self.kernel.blocks[place.block];
        let Some(action) = block.actions.get(place.action) else {
            return self.branch(thread, place.block);
        };
        self.threads[thread].place.action += 1;
        match action {
            Action::Barrier => self.threads[thread].status = Status::Waiting(place),
            Action::Discard(buffer) => {
                if self.is_uniform[place.block.index()] {
                    self.threads[thread].discards[*buffer] += 1;
                }
            }
            Action::Read(buffer) => {
                self.record(thread, place, *buffer, None, None)?;
                let discards = self.threads[thread].discards[*buffer];
                self.read_bytes(thread, place, *buffer, discards)?;
            }
            Action::Write(buffer, extent) => {
                self.start_whole_write(thread, place, *buffer, *extent);
                self.record(thread, place, *buffer, Some(*extent), None)?;
                let discards = self.threads[thread].discards[*buffer];
                self.write(thread, place, *buffer, *extent, discards);
            }
            Action::Copy(copy) => {
                for (buffer, extent) in &copy.writes {
                    self.start_whole_write(thread, place, *buffer, *extent);
                }
                self.tag += 1;
                let discards = self.threads[thread].discards.clone();
                self.threads[thread].flights.push(Flight {
                    id: self.tag,
                    place,
                    copy,
                    group: None,
                    is_done: false,
                    discards,
                });
                let at = self.threads[thread].flights.len() - 1;
                self.record_flight(thread, at)?;
                let is_early = match self.run.timing {
                    Timing::Early => true,
                    Timing::Late => false,
                    Timing::Random => self.random.chance(40),
                };
                if is_early {
                    self.perform(thread, at)?;
                }
            }
            Action::Commit => self.threads[thread].commit(),
            Action::Wait(wait) => self.wait(thread, Some(*wait))?,
        }
        Ok(())
    }

    /// Completes copies; at the end of the thread, all.
    fn wait(&mut self, thread: usize, wait: Option<Wait>) -> Result<(), Fault> {
        let mut at = 0;
        while at < self.threads[thread].flights.len() {
            let state = &self.threads[thread];
            let flight = &state.flights[at];
            if wait.is_none_or(|wait| state.completes(flight, wait)) {
                self.perform(thread, at)?;
                self.threads[thread].flights.remove(at);
            } else {
                at += 1;
            }
        }
        Ok(())
    }

    fn branch(&mut self, thread: usize, block: BlockId) -> Result<(), Fault> {
        let kernel = self.kernel;
        let successors = &kernel.blocks[block].successors;
        let visits = self.threads[thread].visits[block.index()];
        self.threads[thread].visits[block.index()] += 1;
        let edge = match successors.len() {
            0 => {
                self.threads[thread].status = Status::Ended;
                return self.wait(thread, None);
            }
            1 => 0,
            _ if visits >= self.run.most_visits => {
                let edges = 0..successors.len();
                let distance = |edge: &usize| self.distances[successors[*edge].index()];
                edges.min_by_key(distance).unwrap_or(0)
            }
            edges
                if kernel.blocks[block].branch == Branch::Uniform
                    && self.is_uniform[block.index()] =>
            {
                let decided = self.decided.entry((block, visits));
                *decided.or_insert_with(|| self.choices.choose(edges))
            }
            edges => self.choices.choose(edges),
        };
        self.threads[thread].place = Place {
            block: successors[edge],
            action: 0,
        };
        Ok(())
    }

    /// Records the accesses of a copy in flight, in each barrier interval.
    fn record_flight(&mut self, thread: usize, at: usize) -> Result<(), Fault> {
        let flight = &self.threads[thread].flights[at];
        let (id, place, copy) = (flight.id, flight.place, flight.copy);
        for buffer in &copy.reads {
            self.record(thread, place, *buffer, None, Some(id))?;
        }
        for (buffer, extent) in &copy.writes {
            self.record(thread, place, *buffer, Some(*extent), Some(id))?;
        }
        Ok(())
    }

    /// Executes the reads and writes of a copy, unless that is done.
    fn perform(&mut self, thread: usize, at: usize) -> Result<(), Fault> {
        let flight = &mut self.threads[thread].flights[at];
        if std::mem::replace(&mut flight.is_done, true) {
            return Ok(());
        }
        let (place, copy, discards) = (flight.place, flight.copy, flight.discards.clone());
        for buffer in &copy.reads {
            self.read_bytes(thread, place, *buffer, discards[*buffer])?;
        }
        for (buffer, extent) in &copy.writes {
            self.write(thread, place, *buffer, *extent, discards[*buffer]);
        }
        Ok(())
    }

    /// Records an access to the bytes that a thread accesses; `written` for a write.
    fn record(
        &mut self,
        thread: usize,
        place: Place,
        buffer: BufferId,
        written: Option<Extent>,
        copy: Option<u64>,
    ) -> Result<(), Fault> {
        let access = Access {
            thread,
            buffer,
            place,
            is_write: written.is_some(),
        };
        for byte in 0..self.size(buffer) {
            if written.is_none_or(|extent| self.writes(thread, place, buffer, extent, byte)) {
                let state = &self.threads[thread];
                let record = Record { access, copy };
                let is_in_flight = |copy| state.is_in_flight(copy);
                self.memory.record(byte, record, is_in_flight)?;
            }
        }
        Ok(())
    }

    fn read_bytes(
        &self,
        thread: usize,
        place: Place,
        buffer: BufferId,
        discards: u64,
    ) -> Result<(), Fault> {
        let access = Access {
            thread,
            buffer,
            place,
            is_write: false,
        };
        let first = Place {
            block: BlockId::new(0),
            action: 0,
        };
        let last = Place {
            block: BlockId::new(self.kernel.blocks.len()),
            action: 0,
        };
        for byte in 0..self.size(buffer) {
            let mut whole_writes = self.whole_writes.range((buffer, first)..(buffer, last));
            // A copy that reads what it writes reads first.
            let is_pending = whole_writes.any(|((_, written), write)| {
                let owner = self.owner(buffer, byte, *written);
                *written != place && write.started[thread] > write.written[owner]
            });
            // After a whole write, no thread reads what was there before.
            if !is_pending {
                self.memory.read(byte, access, discards)?;
            }
        }
        Ok(())
    }

    fn write(
        &mut self,
        thread: usize,
        place: Place,
        buffer: BufferId,
        extent: Extent,
        discards: u64,
    ) {
        self.tag += 1;
        for byte in 0..self.size(buffer) {
            if self.writes(thread, place, buffer, extent, byte) {
                self.memory.write(buffer, byte, self.tag, discards);
            }
        }
        if let Some(write) = self.whole_writes.get_mut(&(buffer, place)) {
            write.written[thread] += 1;
        }
    }

    fn start_whole_write(&mut self, thread: usize, place: Place, buffer: BufferId, extent: Extent) {
        if self.is_whole(place, extent) {
            let count = self.threads.len();
            let write = self.whole_writes.entry((buffer, place));
            let write = write.or_insert_with(|| WholeWrite {
                started: vec![0; count],
                written: vec![0; count],
            });
            write.started[thread] += 1;
        }
    }

    fn size(&self, buffer: BufferId) -> usize {
        self.kernel.buffers[buffer].size as usize
    }

    fn is_whole(&self, place: Place, extent: Extent) -> bool {
        extent == Extent::Whole && self.is_uniform[place.block.index()]
    }

    /// The thread that writes a byte in a whole write.
    fn owner(&self, buffer: BufferId, byte: usize, place: Place) -> usize {
        let numbers = [
            self.run.seed,
            buffer.0.into(),
            byte as u64,
            place.block.0.into(),
            place.action as u64,
        ];
        (hash(&numbers) % self.threads.len() as u64) as usize
    }

    /// Does a thread write this byte?
    fn writes(
        &self,
        thread: usize,
        place: Place,
        buffer: BufferId,
        extent: Extent,
        byte: usize,
    ) -> bool {
        if self.is_whole(place, extent) {
            return self.owner(buffer, byte, place) == thread;
        }
        let numbers = [
            self.run.seed,
            buffer.0.into(),
            byte as u64,
            place.block.0.into(),
            place.action as u64,
            thread as u64,
        ];
        hash(&numbers).is_multiple_of(2)
    }
}
