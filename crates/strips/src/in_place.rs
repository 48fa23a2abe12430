//! Buffers that may be one, at a node or over a whole chain.

use crate::{
    chain::{SplitBuffer, Spread, Window},
    frontiers::Frontiers,
    program::{Access, BufferId, Linear, Node, NodeId, Origin, Program, Role},
};
use smallvec::SmallVec;

/// Buffers (read, written) that may be one at a node.
type AtNode = SmallVec<[(BufferId, BufferId); 1]>;

/// Buffers that may be one, for each node.
#[derive(Clone, Debug)]
pub struct Pairs {
    nodes: Vec<AtNode>,
}

impl Pairs {
    /// Those of a block.
    pub fn of(program: &Program) -> Self {
        let nodes = (0..program.nodes.len()).map(NodeId::new);
        Self {
            nodes: nodes.map(|id| pairs(program, id)).collect(),
        }
    }

    /// Buffers (read, written) that may be one at a node.
    pub fn at(&self, id: NodeId) -> &[(BufferId, BufferId)] {
        &self.nodes[id.index()]
    }
}

/// Buffers (read, written) that may be one at a node: it reads each element before it writes the one in its place, and no
/// later.
fn pairs(program: &Program, id: NodeId) -> AtNode {
    let node = program.node(id);
    let mut writes = node.accesses.iter().filter(|access| access.writes);
    let (Some(written), None) = (writes.next(), writes.next()) else {
        return SmallVec::new();
    };
    let is_elementwise = node.loops.iter().all(|one| one.is_parallel)
        && node.whole.is_empty()
        && !written.reads
        && program.view(written).is_whole
        && program.buffer(written.buffer).origin != Origin::Outside;
    if !is_elementwise {
        return SmallVec::new();
    }
    let into = program.buffer(written.buffer);
    let fits = |access: &&Access| {
        let from = program.buffer(access.buffer);
        access.reads
            && !access.writes
            && from.origin != Origin::Outside
            && access.buffer != written.buffer
            && program.view(access).is_whole
            && from.bytes() == into.bytes()
            && have_same_places(node, access, written)
    };
    // Another operand may see the same buffer in another order.
    let is_seen_otherwise = |buffer: BufferId| {
        let mut others = node
            .accesses
            .iter()
            .filter(|access| access.reads && access.buffer == buffer);
        others.any(|access| !have_same_places(node, access, written))
    };
    let reads = node.accesses.iter().filter(fits);
    reads
        .map(|access| (access.buffer, written.buffer))
        .filter(|(from, _)| !is_seen_otherwise(*from))
        .collect()
}

/// Whether two accesses have the same indices. Loops that run once do not count.
fn have_same_places(node: &Node, one: &Access, other: &Access) -> bool {
    let counts = |index: &&Linear| match index.as_loop() {
        Some(number) => node.loops[number as usize].extent != 1,
        None => !index.terms.is_empty() || index.constant != 0,
    };
    let one = one.indices.iter().filter(counts);
    one.eq(other.indices.iter().filter(counts))
}

/// Buffers (read, written) that may be one over a whole chain: what is read of the first never comes after what is written
/// over it.
pub fn takeovers(program: &Program, splits: &[(&Spread, &Frontiers)]) -> Vec<(BufferId, BufferId)> {
    let Some((first, _)) = splits.first() else {
        return Vec::new();
    };
    let is_result = |made: &&SplitBuffer| {
        made.role == Role::Made && program.buffer(made.buffer).origin == Origin::Inside
    };
    if !first.buffers.iter().any(|made| is_result(&made)) {
        return Vec::new();
    }
    // What has contents before the chain, and none that is needed after it.
    let dies = |from: &BufferId| {
        let buffer = program.buffer(*from);
        buffer.origin == Origin::Inside
            && buffer.span().is_some_and(|(start, end)| {
                start.index() < first.nodes.start && end.index() < first.nodes.end
            })
            && first.place(*from).is_none()
    };
    let touched = first
        .links
        .iter()
        .flat_map(|link| program.node(link.node).buffers());
    let mut dying: Vec<BufferId> = touched.filter(dies).collect();
    dying.sort_unstable();
    dying.dedup();
    let mut found: Vec<(BufferId, BufferId)> = Vec::new();
    for made in first.buffers.iter().filter(is_result) {
        let into = program.buffer(made.buffer);
        let mut candidates = dying.iter().filter(|from| {
            program.buffer(**from).r#type == into.r#type
                && !found.iter().any(|(taken, _)| taken == *from)
        });
        let fits = |from: &BufferId| {
            splits.iter().all(|(spread, frontiers)| {
                runs_ahead(program, spread, frontiers, *from, made.buffer)
            })
        };
        if let Some(from) = candidates.find(|from| fits(from)) {
            found.push((*from, made.buffer));
        }
    }
    found
}

/// Whether, along one dimension, all reads of a buffer are ahead of all writes of another one of its type.
fn runs_ahead(
    program: &Program,
    spread: &Spread,
    frontiers: &Frontiers,
    from: BufferId,
    into: BufferId,
) -> bool {
    let Some(place) = spread.place(into) else {
        return false;
    };
    let (dimension, made) = (
        spread.buffers[place].dimension,
        &frontiers.buffers[place].made,
    );
    let is_writer = |access: &&Access| access.writes && access.buffer == into;
    let mut writer = None;
    for (link, front) in spread.links.iter().zip(&frontiers.nodes) {
        let node = program.node(link.node);
        let written = node.accesses.iter().find(is_writer);
        for (access, window) in node.accesses.iter().zip(&link.windows) {
            if access.buffer != from {
                continue;
            }
            let Some(window) = window else { return false };
            let is_ahead = window.dimension == dimension
                && !window.map.is_grouped()
                && window.map.stride * window.coefficient * front.rate == made.rate
                && first_row(window, front.ahead - front.again) >= made.ahead;
            let is_in_order = match (written, writer) {
                (None, None) => true,
                (Some(written), None) => {
                    let steps = |access| &program.view(access).steps;
                    steps(access).is_empty()
                        && steps(written).is_empty()
                        && have_same_places(node, access, written)
                }
                _ => false,
            };
            if !is_ahead || !is_in_order || access.writes {
                return false;
            }
        }
        if node.whole.iter().any(|used| used.buffer == from) {
            return false;
        }
        if written.is_some() {
            writer = Some(link.node);
        }
    }
    // What runs before the strips is done with it.
    true
}

/// The first row of the buffer that an iteration touches.
const fn first_row(window: &Window, iteration: i64) -> i64 {
    window.map.stride * window.coefficient * iteration + window.map.offset
}
