//! Which operations run strip by strip together: a dimension spreads from one of them through the buffers between.
//!
//! A chain is a range of nodes with a *seed*, one of its nodes, and a loop of the seed. The dimension spreads from a node to
//! each buffer that it accesses by that loop, and from each buffer that a node of the range writes to all nodes of the range
//! that access it. Nodes of the range that are not reached run before the strips.

use crate::{
    program::{Access, BufferId, Linear, Node, NodeId, Program, Role},
    refusal::Refusal,
    views::{RowMap, Seen},
};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::ops::Range;

/// Which rows of a buffer an access touches in one iteration of the split loop: with x the iteration, rows
/// `coefficient * x` to `coefficient * x + high` (included) of what the operand sees. A strip sees the rows from the first
/// one of these on, so that the indices of the operation stay as they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// The dimension of the buffer.
    pub dimension: u32,
    /// The dimension of the operand.
    pub operand_dimension: u32,
    /// From rows of the operand to those of the buffer.
    pub map: RowMap,
    /// Rows from one iteration to the next, at least 1.
    pub coefficient: i64,
    /// The last row of the first iteration.
    pub high: i64,
}

impl Window {
    /// Whether one iteration touches the row of its number, and that alone.
    pub const fn is_row(&self) -> bool {
        self.coefficient == 1 && self.high == 0
    }

    /// The window of an access; `None` if it does not use the split loop. Views are only followed to buffers that the chain
    /// writes: others are seen as the operand sees them.
    fn of(
        program: &Program,
        (node, access): (&Node, &Access),
        split: u32,
        is_written: bool,
    ) -> Result<Option<Self>, Refusal> {
        let uses = |index: &Linear| index.coefficient(split) != 0;
        let mut dimensions = access
            .indices
            .iter()
            .enumerate()
            .filter(|(_, index)| uses(index));
        let Some((dimension, index)) = dimensions.next() else {
            return Ok(None);
        };
        if dimensions.next().is_some() {
            return Err(Refusal::Diagonal);
        }
        let dimension = dimension as u32;
        let seen = program.view(access).from_view(dimension);
        let is_usable = |seen: &Seen| is_written || !seen.map.is_grouped();
        let seen = match seen.filter(is_usable) {
            Some(seen) => seen,
            None if is_written => return Err(Refusal::View),
            None => Seen {
                buffer: Self::UNKNOWN,
                view: dimension,
                map: RowMap::SAME,
            },
        };
        let (mut low, mut high) = (index.constant, index.constant);
        for (number, coefficient) in &index.terms {
            if *number != split {
                let last = coefficient * (node.loops[*number as usize].extent - 1);
                low += last.min(0);
                high += last.max(0);
            }
        }
        let window = Self {
            dimension: seen.buffer,
            operand_dimension: seen.view,
            map: seen.map,
            coefficient: index.coefficient(split),
            high,
        };
        if window.coefficient < 1 || low < 0 {
            return Err(Refusal::Backwards);
        }
        if (access.writes || window.map.is_grouped()) && !window.is_row() {
            return Err(Refusal::Window);
        }
        Ok(Some(window))
    }

    /// The dimension of a buffer that is not followed.
    pub const UNKNOWN: u32 = u32::MAX;
}

/// A node of a chain.
#[derive(Clone, Debug)]
pub struct Link {
    /// The node.
    pub node: NodeId,
    /// Its loop that is split.
    pub split: u32,
    /// For each of its accesses, what it touches; `None` if it touches the same in all strips.
    pub windows: SmallVec<[Option<Window>; 3]>,
}

/// A buffer that the dimension spreads to.
#[derive(Clone, Debug)]
pub struct SplitBuffer {
    /// The buffer.
    pub buffer: BufferId,
    /// Its dimension that is split.
    pub dimension: u32,
    /// What it is to the chain.
    pub role: Role,
}

/// A dimension, spread over a chain.
#[derive(Clone, Debug)]
pub struct Spread {
    /// The nodes of the range.
    pub nodes: Range<usize>,
    /// The seed and its loop.
    pub seed: (NodeId, u32),
    /// The nodes in the strips, in order.
    pub links: Vec<Link>,
    /// The nodes that run before the strips, in order.
    pub before: Vec<NodeId>,
    /// The split buffers, in order.
    pub buffers: Vec<SplitBuffer>,
    /// Whether a result accumulates over strips.
    pub accumulates: bool,
    places: FxHashMap<BufferId, u32>,
}

impl Spread {
    /// The place of a buffer among the split ones.
    pub fn place(&self, buffer: BufferId) -> Option<usize> {
        self.places.get(&buffer).map(|place| *place as usize)
    }

    /// Spreads a loop of a node over a range of nodes.
    pub fn of(
        program: &Program,
        nodes: Range<usize>,
        seed: NodeId,
        split: u32,
    ) -> Result<Self, Refusal> {
        let mut spreading = Spreading::new(program, nodes.clone());
        spreading.open.push(Reached::Node(seed, split));
        spreading.spread()?;
        let Spreading {
            splits,
            dimensions,
            mut windows,
            accumulators,
            ..
        } = spreading;
        let (mut links, mut before) = (Vec::new(), Vec::new());
        for at in nodes.clone() {
            let node = NodeId::new(at);
            match splits[at - nodes.start] {
                Some(split) => links.push(Link {
                    node,
                    split,
                    windows: std::mem::take(&mut windows[at - nodes.start]),
                }),
                None => before.push(node),
            }
        }
        let mut buffers: Vec<SplitBuffer> = dimensions
            .into_iter()
            .map(|(buffer, dimension)| SplitBuffer {
                buffer,
                dimension,
                role: program.role(buffer, &nodes),
            })
            .collect();
        buffers.sort_unstable_by_key(|split| split.buffer);
        let places = buffers.iter().enumerate();
        let places = places.map(|(place, split)| (split.buffer, place as u32));
        let spread = Self {
            nodes,
            seed: (seed, split),
            links,
            before,
            places: places.collect(),
            buffers,
            accumulates: !accumulators.is_empty(),
        };
        spread.check_before(program)?;
        spread.check_accumulators(program, &accumulators)?;
        spread.check_contents(program)?;
        Ok(spread)
    }

    /// Whether what runs before the strips depends on nothing of the chain, and changes nothing that it needs.
    fn check_before(&self, program: &Program) -> Result<(), Refusal> {
        let mut touched: FxHashSet<BufferId> = FxHashSet::default();
        let mut written: FxHashSet<BufferId> = FxHashSet::default();
        let mut links = self.links.iter().peekable();
        let mut may_stop = false;
        for at in self.nodes.clone() {
            let node = &program.nodes[at];
            if may_stop && node.is_guarded {
                return Err(Refusal::Guarded);
            }
            may_stop |= node.stops;
            if links.next_if(|link| link.node.index() == at).is_some() {
                touched.extend(node.buffers());
                let writes = node.accesses.iter().filter(|access| access.writes);
                written.extend(writes.map(|access| access.buffer));
                continue;
            }
            if node.is_fence {
                return Err(Refusal::Fence);
            }
            for access in &node.accesses {
                let buffer = &access.buffer;
                if self.place(*buffer).is_some()
                    || (access.reads && written.contains(buffer))
                    || (access.writes && touched.contains(buffer))
                {
                    return Err(Refusal::Between);
                }
            }
            for used in &node.whole {
                if written.contains(&used.buffer) || (used.writes && touched.contains(&used.buffer))
                {
                    return Err(Refusal::Between);
                }
            }
        }
        Ok(())
    }

    /// Whether each result that accumulates is only used by the node that makes it, in the order of that.
    fn check_accumulators(
        &self,
        program: &Program,
        accumulators: &[(BufferId, NodeId)],
    ) -> Result<(), Refusal> {
        for (buffer, by) in accumulators {
            let link = self.links.iter().find(|link| link.node == *by);
            let split = link.map(|link| link.split as usize);
            let loops = &program.node(*by).loops;
            if loops.iter().position(|one| !one.is_parallel) != split {
                return Err(Refusal::Order);
            }
            let touches = |link: &&Link| {
                let mut buffers = program.node(link.node).buffers();
                link.node != *by && buffers.any(|other| other == *buffer)
            };
            if self.links.iter().any(|link| touches(&link)) {
                return Err(Refusal::Accumulator);
            }
            if program.role(*buffer, &self.nodes) == Role::Between {
                return Err(Refusal::NoResult);
            }
        }
        Ok(())
    }

    /// Whether no split buffer is written after it was read: its rows have one contents each.
    fn check_contents(&self, program: &Program) -> Result<(), Refusal> {
        let mut read_by: FxHashMap<BufferId, NodeId> = FxHashMap::default();
        for link in &self.links {
            for access in &program.node(link.node).accesses {
                let buffer = access.buffer;
                if !program.buffer(buffer).is_written_in(&self.nodes) {
                    continue;
                }
                if access.writes && read_by.get(&buffer).is_some_and(|by| *by != link.node) {
                    return Err(Refusal::WrittenAgain);
                }
                if access.reads && !access.writes {
                    // The first one: it may read what is written over.
                    read_by.entry(buffer).or_insert(link.node);
                }
            }
        }
        Ok(())
    }
}

/// What the dimension reaches.
#[derive(Clone, Copy)]
enum Reached {
    Node(NodeId, u32),
    Buffer(BufferId, u32),
}

struct Spreading<'p> {
    program: &'p Program,
    nodes: Range<usize>,
    /// For each node of the range, its split loop.
    splits: Vec<Option<u32>>,
    dimensions: FxHashMap<BufferId, u32>,
    /// For each node of the range that is reached, its windows.
    windows: Vec<SmallVec<[Option<Window>; 3]>>,
    /// Buffers that are not split.
    whole: FxHashSet<BufferId>,
    accumulators: Vec<(BufferId, NodeId)>,
    open: Vec<Reached>,
}

impl<'p> Spreading<'p> {
    fn new(program: &'p Program, nodes: Range<usize>) -> Self {
        Self {
            program,
            splits: vec![None; nodes.len()],
            windows: vec![SmallVec::new(); nodes.len()],
            nodes,
            dimensions: FxHashMap::default(),
            whole: FxHashSet::default(),
            accumulators: Vec::new(),
            open: Vec::new(),
        }
    }

    fn spread(&mut self) -> Result<(), Refusal> {
        while let Some(reached) = self.open.pop() {
            match reached {
                Reached::Node(node, split) => self.node(node, split)?,
                Reached::Buffer(buffer, dimension) => self.buffer(buffer, dimension)?,
            }
        }
        Ok(())
    }

    fn node(&mut self, id: NodeId, split: u32) -> Result<(), Refusal> {
        let known = &mut self.splits[id.index() - self.nodes.start];
        match known {
            Some(known) if *known == split => return Ok(()),
            Some(_) => return Err(Refusal::TwoDimensions),
            None => *known = Some(split),
        }
        let node = self.program.node(id);
        let one = node.loops.get(split as usize).ok_or(Refusal::Opaque)?;
        if one.extent <= 1 {
            return Err(Refusal::OneRow);
        }
        for used in &node.whole {
            if used.writes {
                return Err(Refusal::Opaque);
            }
            self.take_whole(used.buffer)?;
        }
        let mut windows = SmallVec::new();
        for access in &node.accesses {
            let buffer = access.buffer;
            let is_written = self.program.buffer(buffer).is_written_in(&self.nodes);
            let window = Window::of(self.program, (node, access), split, is_written)?;
            windows.push(window);
            match window {
                Some(window) if is_written => {
                    self.open.push(Reached::Buffer(buffer, window.dimension));
                }
                // Contents from before the chain: each node reads what it needs.
                Some(_) => {}
                None if access.writes && one.is_parallel => return Err(Refusal::WrittenWhole),
                None => {
                    if access.writes {
                        self.accumulators.push((buffer, id));
                    }
                    self.take_whole(buffer)?;
                }
            }
        }
        self.windows[id.index() - self.nodes.start] = windows;
        Ok(())
    }

    fn take_whole(&mut self, buffer: BufferId) -> Result<(), Refusal> {
        if self.dimensions.contains_key(&buffer) {
            return Err(Refusal::Whole);
        }
        self.whole.insert(buffer);
        Ok(())
    }

    fn buffer(&mut self, id: BufferId, dimension: u32) -> Result<(), Refusal> {
        match self.dimensions.get(&id) {
            Some(known) if *known == dimension => return Ok(()),
            Some(_) => return Err(Refusal::TwoDimensions),
            None => {}
        }
        if self.whole.contains(&id) {
            return Err(Refusal::Whole);
        }
        let buffer = self.program.buffer(id);
        if buffer.shape[dimension as usize] <= 1 {
            return Err(Refusal::OneRow);
        }
        self.dimensions.insert(id, dimension);
        let first = buffer
            .nodes
            .partition_point(|node| node.index() < self.nodes.start);
        for node in &buffer.nodes[first..] {
            if node.index() >= self.nodes.end {
                break;
            }
            let fact = self.program.node(*node);
            if fact.whole.iter().any(|used| used.buffer == id) || !fact.has_strips() {
                return Err(Refusal::Opaque);
            }
            for access in fact.accesses.iter().filter(|access| access.buffer == id) {
                let split = split_of(self.program, fact, access, dimension)?;
                self.open.push(Reached::Node(*node, split));
            }
        }
        Ok(())
    }
}

/// The loop of a node that walks along a dimension of a buffer.
fn split_of(
    program: &Program,
    node: &Node,
    access: &Access,
    dimension: u32,
) -> Result<u32, Refusal> {
    let seen = program
        .view(access)
        .from_buffer(dimension)
        .ok_or(Refusal::View)?;
    let terms = &access.indices[seen.view as usize].terms;
    if let [(only, _)] = terms[..] {
        return Ok(only);
    }
    if access.writes || terms.is_empty() {
        return Err(Refusal::Window);
    }
    let is_written = |number: u32| {
        let writes = node.accesses.iter().filter(|access| access.writes);
        let mut indices = writes.flat_map(|access| &access.indices);
        indices.any(|index| index.coefficient(number) != 0)
    };
    let parallel = terms.iter().map(|(number, _)| *number);
    let parallel: SmallVec<[u32; 2]> = parallel
        .filter(|number| node.loops[*number as usize].is_parallel)
        .collect();
    let mut written = parallel.iter().filter(|number| is_written(**number));
    match (written.next(), written.next(), &parallel[..]) {
        (Some(only), None, _) | (None, _, [only]) => Ok(*only),
        _ => Err(Refusal::TwoDimensions),
    }
}
