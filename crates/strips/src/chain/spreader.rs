//! Spreads a dimension over a range of nodes.

use super::{Link, SplitBuffer, SplitNode, Spread, Window, bit, dense::Dense, facts::Facts};
use crate::{
    program::{Access, BufferId, MOST_ROWS, NodeId, Program, Role},
    refusal::Refusal,
};
use smallvec::SmallVec;
use std::{ops::Range, rc::Rc};

/// Spreads dimensions over ranges of one block, one after the other.
pub struct Spreader<'p> {
    program: &'p Program,
    facts: Facts,
    /// For each node that is reached, its split loop, and its place among the known ones.
    splits: Dense<NodeId, (u32, u32)>,
    /// For each node, as it was split so far.
    known: Vec<SmallVec<[Known; 2]>>,
    /// For each buffer that is reached, its dimension that is split; [`WHOLE`] if an operation needs all of it.
    dimensions: Dense<BufferId, u32>,
    /// What is reached, in order.
    links: Vec<Link>,
    /// Buffers that are reached, in any order.
    buffers: Vec<SplitBuffer>,
    accumulators: Vec<(BufferId, NodeId)>,
    open: Vec<Reached>,
    /// Whether nodes of the range write a buffer through accesses.
    written: Dense<BufferId, bool>,
    /// What the checks know of buffers.
    uses: Dense<BufferId, Used>,
    places: Dense<BufferId, u32>,
    reached: usize,
}

/// A node, as it was split in a chain.
struct Known {
    /// Which of its accesses are to buffers that the chain writes.
    written: u64,
    node: Rc<SplitNode>,
}

/// Most accesses of a node in a chain.
const MOST_ACCESSES: usize = 64;

/// In place of a dimension.
const WHOLE: u32 = u32::MAX;

/// What the dimension reaches.
#[derive(Clone, Copy)]
enum Reached {
    Node(NodeId, u32),
    Buffer(BufferId, u32),
}

/// What the links up to a node do with a buffer.
#[derive(Clone, Copy, Default)]
struct Used {
    is_written: bool,
    /// The first link that reads it without writing it.
    first_reader: Option<NodeId>,
}

impl<'p> Spreader<'p> {
    /// For a block.
    pub fn new(program: &'p Program) -> Self {
        Self {
            program,
            facts: Facts::of(program),
            splits: Dense::new(program.nodes.len()),
            dimensions: Dense::new(program.buffers.len()),
            known: program.nodes.iter().map(|_| SmallVec::new()).collect(),
            links: Vec::new(),
            buffers: Vec::new(),
            accumulators: Vec::new(),
            open: Vec::new(),
            written: Dense::new(program.buffers.len()),
            uses: Dense::new(program.buffers.len()),
            places: Dense::new(program.buffers.len()),
            reached: 0,
        }
    }

    /// Spreads a loop of a node over a range of nodes.
    pub fn spread(
        &mut self,
        nodes: Range<usize>,
        seed: NodeId,
        split: u32,
    ) -> Result<Spread, Refusal> {
        self.splits.clear();
        self.dimensions.clear();
        self.written.clear();
        self.uses.clear();
        self.places.clear();
        self.links.clear();
        self.buffers.clear();
        self.accumulators.clear();
        self.open.clear();
        self.reached = 0;
        self.open.push(Reached::Node(seed, split));
        while let Some(reached) = self.open.pop() {
            match reached {
                Reached::Node(node, split) => self.node(&nodes, node, split)?,
                Reached::Buffer(buffer, dimension) => self.buffer(&nodes, buffer, dimension)?,
            }
        }
        self.buffers.sort_unstable_by_key(|split| split.buffer);
        for (place, split) in self.buffers.iter().enumerate() {
            self.places.insert(split.buffer, place as u32);
        }
        let before = self.collect(&nodes)?;
        self.check_accumulators(&nodes)?;
        self.check_contents(&nodes)?;
        let whole = self.whole(&nodes);
        Ok(Spread {
            nodes,
            seed: (seed, split),
            links: std::mem::take(&mut self.links),
            before,
            buffers: std::mem::take(&mut self.buffers),
            whole,
            accumulates: !self.accumulators.is_empty(),
        })
    }

    /// Nodes that were reached the last time.
    pub const fn reached(&self) -> usize {
        self.reached
    }

    fn node(&mut self, nodes: &Range<usize>, id: NodeId, split: u32) -> Result<(), Refusal> {
        match self.splits.get(id) {
            Some((known, _)) if known == split => return Ok(()),
            Some(_) => return Err(Refusal::TwoDimensions),
            None => {}
        };
        self.reached += 1;
        let one = *self
            .program
            .node(id)
            .loops
            .get(split as usize)
            .ok_or(Refusal::Opaque)?;
        let (accesses, whole) = self.facts.touches(id);
        if accesses.len() > MOST_ACCESSES {
            return Err(Refusal::Opaque);
        }
        check_rows(one.extent)?;
        for used in whole {
            if used.writes {
                return Err(Refusal::Opaque);
            }
            take_whole(&mut self.dimensions, used.buffer)?;
        }
        let place = self.split_node(nodes, id, split)?;
        self.splits.insert(id, (split, place as u32));
        let Known { written, node } = &self.known[id.index()][place];
        let accesses = self.facts.accesses(id).iter().zip(&node.windows);
        for (number, (access, window)) in accesses.enumerate() {
            let buffer = access.buffer;
            match window {
                Some(window) if is_in(*written, number) => {
                    self.open.push(Reached::Buffer(buffer, window.dimension));
                }
                // Contents from before the chain: each node reads what it needs.
                Some(_) => {}
                None if access.writes && one.is_parallel => return Err(Refusal::WrittenWhole),
                None => {
                    if access.writes {
                        self.accumulators.push((buffer, id));
                    }
                    take_whole(&mut self.dimensions, buffer)?;
                }
            }
        }
        Ok(())
    }

    /// A node with a split loop: its place among those that are known.
    fn split_node(
        &mut self,
        nodes: &Range<usize>,
        id: NodeId,
        split: u32,
    ) -> Result<usize, Refusal> {
        let program = self.program;
        let mut written = 0;
        for (number, access) in self.facts.accesses(id).iter().enumerate() {
            if is_written(program, &mut self.written, access.buffer, nodes) {
                written |= bit(number);
            }
        }
        let all = &mut self.known[id.index()];
        let is_same = |known: &Known| (known.node.split, known.written) == (split, written);
        if let Some(place) = all.iter().position(is_same) {
            return Ok(place);
        }
        let node = program.node(id);
        let windows = node.accesses.iter().enumerate().map(|(number, access)| {
            Window::of(program, (node, access), split, is_in(written, number))
        });
        let windows = windows.collect::<Result<_, _>>()?;
        let set = |is_in: fn(&Access) -> bool| {
            let accesses = node.accesses.iter().enumerate();
            let accesses = accesses.filter(|(_, access)| is_in(access));
            accesses.fold(0, |set, (number, _)| set | bit(number))
        };
        let node = SplitNode {
            node: id,
            split,
            extent: node.loops[split as usize].extent,
            writes: set(|access| access.writes),
            sees: set(Access::sees),
            windows,
        };
        all.push(Known {
            written,
            node: Rc::new(node),
        });
        Ok(all.len() - 1)
    }

    fn buffer(
        &mut self,
        nodes: &Range<usize>,
        id: BufferId,
        dimension: u32,
    ) -> Result<(), Refusal> {
        match self.dimensions.get(id) {
            Some(WHOLE) => return Err(Refusal::Whole),
            Some(known) if known == dimension => return Ok(()),
            Some(_) => return Err(Refusal::TwoDimensions),
            None => self.dimensions.insert(id, dimension),
        };
        let rows = self.program.buffer(id).shape[dimension as usize];
        check_rows(rows)?;
        self.buffers.push(SplitBuffer {
            buffer: id,
            dimension,
            rows,
            role: self.program.role(id, nodes),
        });
        let followers = self.facts.followers(self.program, id, dimension);
        let first = followers.partition_point(|one| one.node.index() < nodes.start);
        let followers = followers[first..].iter();
        for one in followers.take_while(|one| one.node.index() < nodes.end) {
            self.open.push(Reached::Node(one.node, one.split?));
        }
        Ok(())
    }

    /// Collects what is reached, and what runs before the strips: this depends on nothing of the chain, and changes nothing
    /// that it needs.
    fn collect(&mut self, nodes: &Range<usize>) -> Result<Vec<NodeId>, Refusal> {
        self.links.reserve_exact(self.reached);
        let mut before = Vec::with_capacity(nodes.len() - self.reached);
        let (mut may_stop, mut is_seen) = (false, false);
        for id in nodes.clone().map(NodeId::new) {
            let node = *self.facts.node(id);
            if may_stop && node.is_guarded {
                return Err(Refusal::Guarded);
            }
            may_stop |= node.stops;
            is_seen |= node.writes_outside;
            if may_stop && is_seen {
                return Err(Refusal::Fence);
            }
            let (accesses, whole) = self.facts.touches(id);
            if let Some((_, place)) = self.splits.get(id) {
                self.links.push(self.link(id, place));
                for touch in accesses {
                    let mut used = self.uses.get(touch.buffer).unwrap_or_default();
                    used.is_written |= touch.writes;
                    self.uses.insert(touch.buffer, used);
                }
                for touch in whole {
                    let used = self.uses.get(touch.buffer).unwrap_or_default();
                    self.uses.insert(touch.buffer, used);
                }
                continue;
            }
            if node.is_fence {
                return Err(Refusal::Fence);
            }
            for access in accesses {
                let used = self.uses.get(access.buffer);
                if self.places.get(access.buffer).is_some()
                    || (access.reads && used.is_some_and(|used| used.is_written))
                    || (access.writes && used.is_some())
                {
                    return Err(Refusal::Between);
                }
            }
            for whole in whole {
                let used = self.uses.get(whole.buffer);
                if used.is_some_and(|used| used.is_written || whole.writes) {
                    return Err(Refusal::Between);
                }
            }
            before.push(id);
        }
        Ok(before)
    }

    fn link(&self, id: NodeId, place: u32) -> Link {
        let accesses = self.facts.accesses(id).iter();
        let places = accesses.map(|one| self.places.get(one.buffer));
        Link {
            split: Rc::clone(&self.known[id.index()][place as usize].node),
            places: places.collect(),
        }
    }

    /// Allocations that only the range uses, and that are not split, by the first node that touches each.
    fn whole(&self, nodes: &Range<usize>) -> Vec<BufferId> {
        let begins = self.facts.begins(nodes).iter();
        let inside = begins.filter(|one| one.last.index() < nodes.end);
        let inside = inside.map(|one| one.buffer);
        inside
            .filter(|buffer| self.places.get(*buffer).is_none())
            .collect()
    }

    /// Whether each result that accumulates is only used by the node that makes it, in the order of that.
    fn check_accumulators(&self, nodes: &Range<usize>) -> Result<(), Refusal> {
        for (buffer, by) in &self.accumulators {
            let split = self.splits.get(*by).map(|(split, _)| split as usize);
            let loops = &self.program.node(*by).loops;
            if loops.iter().position(|one| !one.is_parallel) != split {
                return Err(Refusal::Order);
            }
            let touches = |link: &Link| {
                let mut buffers = self.program.node(link.node).buffers();
                link.node != *by && buffers.any(|other| other == *buffer)
            };
            if self.links.iter().any(touches) {
                return Err(Refusal::Accumulator);
            }
            if self.program.role(*buffer, nodes) == Role::Between {
                return Err(Refusal::NoResult);
            }
        }
        Ok(())
    }

    /// Whether no split buffer is written after it was read: its rows have one contents each.
    fn check_contents(&mut self, nodes: &Range<usize>) -> Result<(), Refusal> {
        for link in &self.links {
            for access in self.facts.accesses(link.node) {
                let buffer = access.buffer;
                if !is_written(self.program, &mut self.written, buffer, nodes) {
                    continue;
                }
                let used = self.uses.get(buffer).unwrap_or_default();
                if access.writes && used.first_reader.is_some_and(|by| by != link.node) {
                    return Err(Refusal::WrittenAgain);
                }
                if access.reads && !access.writes && used.first_reader.is_none() {
                    // The first one: it may read what is written over.
                    let first_reader = Some(link.node);
                    let used = Used {
                        first_reader,
                        ..used
                    };
                    self.uses.insert(buffer, used);
                }
            }
        }
        Ok(())
    }
}

/// A buffer is needed whole.
fn take_whole(dimensions: &mut Dense<BufferId, u32>, buffer: BufferId) -> Result<(), Refusal> {
    match dimensions.get(buffer) {
        None | Some(WHOLE) => {
            dimensions.insert(buffer, WHOLE);
            Ok(())
        }
        Some(_) => Err(Refusal::Whole),
    }
}

/// Whether nodes of a range write a buffer through an access; `known` is for that range.
fn is_written(
    program: &Program,
    known: &mut Dense<BufferId, bool>,
    buffer: BufferId,
    nodes: &Range<usize>,
) -> bool {
    known.get(buffer).unwrap_or_else(|| {
        let is_written = program.buffer(buffer).is_written_in(nodes);
        known.insert(buffer, is_written);
        is_written
    })
}

const fn is_in(set: u64, number: usize) -> bool {
    set & bit(number) != 0
}

fn check_rows(rows: i64) -> Result<(), Refusal> {
    match rows {
        ..=1 => Err(Refusal::OneRow),
        rows if rows > MOST_ROWS => Err(Refusal::ManyRows),
        _ => Ok(()),
    }
}
