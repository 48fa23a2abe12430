//! What at least is held while ranges of nodes that end at one place are chains.

use crate::{
    load::Load,
    program::{BufferId, Origin, Program},
};
use smallvec::SmallVec;

/// Bytes that are live before or after ranges, and in them, where results take the bytes of what dies.
pub struct Least<'p> {
    program: &'p Program,
    load: &'p Load,
    /// For each node, allocations that it is the first or the last to use.
    first: Vec<SmallVec<[BufferId; 2]>>,
    last: Vec<SmallVec<[BufferId; 2]>>,
    /// The bytes of what is used before the end of the ranges, and after it.
    across: i128,
    /// The ranges are `start..end`.
    start: usize,
    end: usize,
    bytes: i128,
    /// For each type, the bytes of what begins in the range, and of what ends in it.
    by_type: Vec<[i128; 2]>,
    taken: i128,
    types: Vec<u32>,
}

impl<'p> Least<'p> {
    /// For a block.
    pub fn new(program: &'p Program, load: &'p Load) -> Self {
        let count = program.nodes.len();
        let (mut first, mut last) = (vec![SmallVec::new(); count], vec![SmallVec::new(); count]);
        let mut types = 0;
        for (at, buffer) in program.buffers.iter().enumerate() {
            if let (Some((from, to)), Origin::Inside) = (buffer.span(), buffer.origin) {
                let (first, last): (&mut SmallVec<_>, &mut SmallVec<_>) =
                    (&mut first[from.index()], &mut last[to.index()]);
                types = types.max(buffer.r#type as usize + 1);
                first.push(BufferId::new(at));
                last.push(BufferId::new(at));
            }
        }
        Self {
            program,
            load,
            first,
            last,
            across: 0,
            start: 0,
            end: 0,
            bytes: 0,
            by_type: vec![[0; 2]; types],
            taken: 0,
            types: Vec::new(),
        }
    }

    /// The ranges end after the next node.
    pub fn next_end(&mut self) {
        let at = self.end;
        let held = |id: &BufferId| self.held(*id, [true, true]);
        let begin: i128 = self.first[at].iter().map(held).sum();
        let end: i128 = self.last[at].iter().map(held).sum();
        self.across += begin - end;
        self.end += 1;
        self.start = self.end;
        self.bytes = self.across;
        self.taken = 0;
        for number in self.types.drain(..) {
            self.by_type[number as usize] = [0; 2];
        }
    }

    /// Takes the node before the range into it.
    pub fn grow(&mut self) {
        self.start -= 1;
        let at = self.start;
        for number in 0..self.last[at].len() {
            let id = self.last[at][number];
            if self.span(id).0 < at {
                self.bytes += self.held(id, [true, false]);
                self.count(id, 1, true);
            }
        }
        for number in 0..self.first[at].len() {
            let id = self.first[at][number];
            let last = self.span(id).1;
            if last >= self.end {
                self.bytes += self.held(id, [false, true]) - self.held(id, [true, true]);
                self.count(id, 0, true);
            } else if last > at {
                self.bytes -= self.held(id, [true, false]);
                self.count(id, 1, false);
            }
        }
    }

    fn held(&self, id: BufferId, sides: [bool; 2]) -> i128 {
        i128::from(self.load.held(self.program, id, sides))
    }

    fn span(&self, id: BufferId) -> (usize, usize) {
        let span = self.program.buffer(id).span();
        span.map_or((0, 0), |(first, last)| (first.index(), last.index()))
    }

    /// Bytes of a type that begin or end in the range.
    fn count(&mut self, id: BufferId, which: usize, is_more: bool) {
        let buffer = self.program.buffer(id);
        let (number, bytes) = (buffer.r#type, i128::from(buffer.bytes()));
        let both = &mut self.by_type[number as usize];
        self.types.push(number);
        self.taken -= both[0].min(both[1]);
        both[which] += if is_more { bytes } else { -bytes };
        self.taken += both[0].min(both[1]);
    }

    /// The first node of the range.
    pub const fn start(&self) -> usize {
        self.start
    }

    /// The bytes of what is live before or after the range, and in it.
    pub fn through(&self) -> u64 {
        u64::try_from(self.bytes).unwrap_or(u64::MAX)
    }

    /// The bytes, where results take those of what dies.
    pub fn bytes(&self) -> u64 {
        u64::try_from((self.bytes - self.taken).max(0)).unwrap_or(u64::MAX)
    }
}
