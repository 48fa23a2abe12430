//! What spreading asks of a block for each range: short, since nodes are large.

use crate::{
    program::{Access, BufferId, Node, NodeId, Origin, Program},
    refusal::Refusal,
};
use smallvec::SmallVec;
use std::ops::Range;

/// What is known of a block.
pub struct Facts {
    nodes: Vec<NodeFacts>,
    touches: Vec<Touch>,
    begins: Vec<Begin>,
    /// For each buffer and each of its dimensions, the nodes that it spreads to.
    followers: Vec<SmallVec<[Option<Vec<Follower>>; 4]>>,
}

/// A node.
#[derive(Clone, Copy)]
pub struct NodeFacts {
    /// The first of its touches, and the first of its accesses after those.
    touches: [u32; 2],
    /// The first allocation that it is the first to use.
    begins: u32,
    /// Whether no chain may contain it, not even beside its strips.
    pub is_fence: bool,
    /// Whether the program may end there.
    pub stops: bool,
    /// Whether an earlier node that may stop may guard it.
    pub is_guarded: bool,
    /// Whether it writes memory from outside of the block.
    pub writes_outside: bool,
}

/// A buffer that a node touches.
#[derive(Clone, Copy)]
pub struct Touch {
    /// The buffer.
    pub buffer: BufferId,
    /// Whether elements are read.
    pub reads: bool,
    /// Whether elements may be written.
    pub writes: bool,
}

/// An allocation of the block that all uses are nodes of.
#[derive(Clone, Copy)]
pub struct Begin {
    /// The allocation.
    pub buffer: BufferId,
    /// The last node that uses it.
    pub last: NodeId,
}

/// A node that a dimension of a buffer spreads to.
#[derive(Clone, Copy)]
pub struct Follower {
    /// The node.
    pub node: NodeId,
    /// Its loop.
    pub split: Result<u32, Refusal>,
}

impl Facts {
    /// Those of a block.
    pub fn of(program: &Program) -> Self {
        let mut facts = Self {
            nodes: Vec::with_capacity(program.nodes.len() + 1),
            touches: Vec::new(),
            begins: Vec::new(),
            followers: Vec::with_capacity(program.buffers.len()),
        };
        for (at, node) in program.nodes.iter().enumerate() {
            let (first, begins) = (facts.touches.len() as u32, facts.begins.len());
            let accesses = node.accesses.iter().map(|access| Touch {
                buffer: access.buffer,
                reads: access.reads,
                writes: access.writes,
            });
            facts.touches.extend(accesses);
            let whole = facts.touches.len() as u32;
            let used = node.whole.iter().map(|used| Touch {
                buffer: used.buffer,
                reads: true,
                writes: used.writes,
            });
            facts.touches.extend(used);
            for id in node.buffers() {
                let buffer = program.buffer(id);
                if let (Some((from, last)), Origin::Inside) = (buffer.span(), buffer.origin) {
                    let is_known = |one: &Begin| one.buffer == id;
                    if from.index() == at && !facts.begins[begins..].iter().any(is_known) {
                        facts.begins.push(Begin { buffer: id, last });
                    }
                }
            }
            facts.nodes.push(NodeFacts {
                touches: [first, whole],
                begins: begins as u32,
                is_fence: node.is_fence,
                stops: node.stops,
                is_guarded: node.is_guarded,
                writes_outside: program.writes_outside(node),
            });
        }
        facts.nodes.push(NodeFacts {
            touches: [facts.touches.len() as u32; 2],
            begins: facts.begins.len() as u32,
            is_fence: false,
            stops: false,
            is_guarded: false,
            writes_outside: false,
        });
        let dimensions = program.buffers.iter().map(|buffer| buffer.shape.len());
        let followers = dimensions.map(|count| SmallVec::from_elem(None, count));
        facts.followers.extend(followers);
        facts
    }

    /// A node.
    pub fn node(&self, id: NodeId) -> &NodeFacts {
        &self.nodes[id.index()]
    }

    /// What a node accesses, and what it touches besides.
    pub fn touches(&self, id: NodeId) -> (&[Touch], &[Touch]) {
        let [first, whole] = self.nodes[id.index()].touches;
        let [end, _] = self.nodes[id.index() + 1].touches;
        let accesses = &self.touches[first as usize..whole as usize];
        (accesses, &self.touches[whole as usize..end as usize])
    }

    /// What a node accesses.
    pub fn accesses(&self, id: NodeId) -> &[Touch] {
        self.touches(id).0
    }

    /// Allocations that nodes of a range are the first to use, in order.
    pub fn begins(&self, nodes: &Range<usize>) -> &[Begin] {
        let at = |node: usize| self.nodes[node].begins as usize;
        &self.begins[at(nodes.start)..at(nodes.end)]
    }

    /// The nodes that a dimension of a buffer spreads to, in order.
    pub fn followers(&mut self, program: &Program, id: BufferId, dimension: u32) -> &[Follower] {
        let known = &mut self.followers[id.index()][dimension as usize];
        known.get_or_insert_with(|| followers(program, id, dimension))
    }
}

fn followers(program: &Program, id: BufferId, dimension: u32) -> Vec<Follower> {
    let mut found = Vec::new();
    for node in &program.buffer(id).nodes {
        let fact = program.node(*node);
        if fact.whole.iter().any(|used| used.buffer == id) || !fact.has_strips() {
            found.push(Follower {
                node: *node,
                split: Err(Refusal::Opaque),
            });
            continue;
        }
        let accesses = fact.accesses.iter().filter(|access| access.buffer == id);
        found.extend(accesses.map(|access| Follower {
            node: *node,
            split: split_of(program, fact, access, dimension),
        }));
    }
    found
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
