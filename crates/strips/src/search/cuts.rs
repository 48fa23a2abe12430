//! Where chains may begin and end.

use crate::program::{Origin, Program};

/// Ranges of a block that a coarse search may try.
const COARSE: usize = 1_000;

/// Positions between nodes where the set of live buffers changes, or before which memory from outside is written, with the
/// start and the end.
pub struct Cuts {
    all: Vec<usize>,
    /// Before each node, the bytes that are live: used before it, and by it or later.
    bytes: Vec<i128>,
    /// Ranges between them that are short enough.
    ranges: usize,
}

impl Cuts {
    /// Those of a block whose chains have at most so many nodes.
    pub fn of(program: &Program, most_nodes: usize) -> Self {
        let count = program.nodes.len();
        let mut changes = vec![false; count + 1];
        let mut bytes = vec![0_i128; count + 2];
        for buffer in &program.buffers {
            if let (Some((first, last)), true) = (buffer.span(), buffer.origin != Origin::Outside) {
                changes[first.index()] = true;
                changes[last.index()] = true;
                bytes[first.index() + 1] += i128::from(buffer.planned_bytes());
                bytes[last.index() + 1] -= i128::from(buffer.planned_bytes());
            }
        }
        for (at, node) in program.nodes.iter().enumerate() {
            changes[at + 1] |= !node.is_fence && program.writes_outside(node);
        }
        let mut now = 0;
        for one in &mut bytes {
            now += *one;
            *one = now;
        }
        changes[0] = true;
        changes[count] = true;
        let all: Vec<usize> = (0..=count).filter(|at| changes[*at]).collect();
        let beside = most_nodes.saturating_mul(all.len()) / count.max(1);
        Self {
            ranges: all.len().saturating_mul(beside.min(all.len())) / 2,
            all,
            bytes,
        }
    }

    /// All of them.
    pub fn all(&self) -> &[usize] {
        &self.all
    }

    /// Some of them, then more, at last all.
    pub fn levels(&self) -> impl Iterator<Item = Vec<usize>> {
        let coarsest = self.ranges.div_ceil(COARSE).isqrt().max(1);
        let groups = std::iter::successors(Some(coarsest), |group| {
            (*group > 1).then_some((group / 4).max(1))
        });
        groups.map(|group| self.thinned(group))
    }

    /// Of so many beside each other, the one where the fewest bytes are live.
    fn thinned(&self, group: usize) -> Vec<usize> {
        let [first, inside @ .., last] = &self.all[..] else {
            return self.all.clone();
        };
        let least = inside.chunks(group);
        let least = least.filter_map(|chunk| chunk.iter().min_by_key(|at| self.bytes[**at]));
        let ends = [std::iter::once(first), std::iter::once(last)];
        let [first, last] = ends;
        first.chain(least).chain(last).copied().collect()
    }
}
