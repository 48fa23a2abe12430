//! What at least is held while ranges of nodes that end at one place are chains.

use crate::{
    load::Load,
    program::{BufferId, Origin, Program},
};
use smallvec::SmallVec;
use std::ops::Range;

/// What is counted of each buffer of a block.
pub struct Spans {
    all: Vec<Span>,
    /// For each node, allocations that it is the first or the last to use.
    first: Vec<SmallVec<[BufferId; 2]>>,
    last: Vec<SmallVec<[BufferId; 2]>>,
    /// Before each node, the bytes of what is used before it, and by it or after it.
    across: Vec<i128>,
    types: usize,
}

/// A buffer.
#[derive(Clone, Copy, Default)]
struct Span {
    first: usize,
    last: usize,
    r#type: u32,
    bytes: i128,
    /// Bytes that the plan holds for a chain: where it is live before that, after it, and both.
    before: i128,
    after: i128,
    both: i128,
}

impl Spans {
    /// Those of a block.
    pub fn of(program: &Program, load: &Load) -> Self {
        let count = program.nodes.len();
        let mut spans = Self {
            all: Vec::with_capacity(program.buffers.len()),
            first: vec![SmallVec::new(); count],
            last: vec![SmallVec::new(); count],
            across: Vec::with_capacity(count + 1),
            types: 0,
        };
        for (at, buffer) in program.buffers.iter().enumerate() {
            let id = BufferId::new(at);
            let held = |sides| i128::from(load.held(program, id, sides));
            let mut span = Span::default();
            if let (Some((from, to)), Origin::Inside) = (buffer.span(), buffer.origin) {
                spans.first[from.index()].push(id);
                spans.last[to.index()].push(id);
                spans.types = spans.types.max(buffer.r#type as usize + 1);
                span = Span {
                    first: from.index(),
                    last: to.index(),
                    r#type: buffer.r#type,
                    bytes: i128::from(buffer.bytes()),
                    before: held([true, false]),
                    after: held([false, true]),
                    both: held([true, true]),
                };
            }
            spans.all.push(span);
        }
        let mut across = 0;
        spans.across.push(across);
        for at in 0..count {
            let held = |id: &BufferId| spans.of_buffer(*id).both;
            across += spans.first[at].iter().map(held).sum::<i128>();
            across -= spans.last[at].iter().map(held).sum::<i128>();
            spans.across.push(across);
        }
        spans
    }

    fn of_buffer(&self, id: BufferId) -> &Span {
        &self.all[id.index()]
    }
}

/// Bytes that are live before or after ranges, and in them, where results take the bytes of what dies.
pub struct Least<'s> {
    spans: &'s Spans,
    /// The ranges are `start..end`.
    start: usize,
    end: usize,
    bytes: i128,
    /// For each type, the bytes of what begins in the range, and of what ends in it.
    by_type: Vec<[i128; 2]>,
    taken: i128,
    types: Vec<u32>,
}

impl<'s> Least<'s> {
    /// For a block.
    pub fn new(spans: &'s Spans) -> Self {
        Self {
            spans,
            start: 0,
            end: 0,
            bytes: 0,
            by_type: vec![[0; 2]; spans.types],
            taken: 0,
            types: Vec::new(),
        }
    }

    /// The ranges end before a node.
    pub fn set_end(&mut self, end: usize) {
        self.end = end;
        self.start = end;
        self.bytes = self.spans.across[end];
        self.taken = 0;
        for number in self.types.drain(..) {
            self.by_type[number as usize] = [0; 2];
        }
    }

    /// Takes the node before the range into it.
    pub fn grow(&mut self) {
        self.start -= 1;
        let (at, spans) = (self.start, self.spans);
        for id in &spans.last[at] {
            let span = spans.of_buffer(*id);
            if span.first < at {
                self.bytes += span.before;
                self.count(span, 1, true);
            }
        }
        for id in &spans.first[at] {
            let span = spans.of_buffer(*id);
            if span.last >= self.end {
                self.bytes += span.after - span.both;
                self.count(span, 0, true);
            } else if span.last > at {
                self.bytes -= span.before;
                self.count(span, 1, false);
            }
        }
    }

    /// Bytes of a type that begin or end in the range.
    fn count(&mut self, span: &Span, which: usize, is_more: bool) {
        let both = &mut self.by_type[span.r#type as usize];
        self.types.push(span.r#type);
        self.taken -= both[0].min(both[1]);
        both[which] += if is_more { span.bytes } else { -span.bytes };
        self.taken += both[0].min(both[1]);
    }

    /// The first node of the range.
    pub const fn start(&self) -> usize {
        self.start
    }

    fn least(&self) -> Around {
        Around {
            through: u64::try_from(self.bytes).unwrap_or(u64::MAX),
            least: self.bytes(),
        }
    }

    /// The bytes, where results take those of what dies.
    pub fn bytes(&self) -> u64 {
        u64::try_from((self.bytes - self.taken).max(0)).unwrap_or(u64::MAX)
    }
}

/// The bytes of ranges that were asked for.
pub struct KnownLeast {
    /// For each end, those of the ranges that begin before it, the shortest first.
    ends: Vec<Vec<Around>>,
    count: usize,
}

/// Bytes that are live before or after a range, and in it.
#[derive(Clone, Copy, Debug)]
pub struct Around {
    /// As they are.
    pub through: u64,
    /// Where results take those of what dies.
    pub least: u64,
}

/// Ranges whose bytes are kept: 16 bytes each.
const MOST_KNOWN: usize = 1 << 20;

impl KnownLeast {
    /// For a block.
    pub fn new(program: &Program) -> Self {
        Self {
            ends: vec![Vec::new(); program.nodes.len() + 1],
            count: 0,
        }
    }

    /// Those of a range. `ranges` are of the same block; what they are at is kept, as longer ranges often are next.
    pub fn of(&mut self, ranges: &mut Least<'_>, nodes: &Range<usize>) -> Around {
        let known = &mut self.ends[nodes.end];
        if let Some(known) = known.get(nodes.len() - 1) {
            return *known;
        }
        if ranges.end != nodes.end || ranges.start < nodes.start {
            ranges.set_end(nodes.end);
        }
        while ranges.start > nodes.start {
            ranges.grow();
            if known.len() + ranges.start + 1 == nodes.end && self.count < MOST_KNOWN {
                known.push(ranges.least());
                self.count += 1;
            }
        }
        ranges.least()
    }
}
