//! Sets of owners that are kept alive by the same values.
//!
//! A dead owner stays an owner while some live value, a *witness*, may alias it. In a chain of branches that
//! each pass on the old buffer or a new one, all former buffers have the same witnesses at each point. So
//! such owners are kept in sets: each segment handles a set once, not each of its owners. A set is split up
//! where its last witness dies. There each owner is freed, tested, or finds another witness.
//!
//! A witness never owns other memory for certain, so it stays a witness as long as it is live. A parameter
//! that receives a witness may alias the same owners. So a set gains witnesses without a query for each
//! owner.
//!
//! Owners in sets are dead for good: no segment that is dominated by one where a value is dead uses that
//! value. So ownership of such a value is never queried, except for values that are passed to unused
//! parameters. Those stay out of sets.

use super::PlacementRound;
use crate::{
    function::{EdgeId, Function, SegmentId, ValueId},
    value_liveness::ValueLiveness,
};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

/// The number of witnesses of a set that are remembered. One live witness is enough.
const MAX_WITNESSES: usize = 4;

/// Owners and the witnesses that they share. A copy takes constant time.
#[derive(Clone, Debug)]
pub struct OwnerSet {
    /// Values each of which may alias each owner.
    pub witnesses: SmallVec<[ValueId; MAX_WITNESSES]>,
    /// The root node of the owners.
    owners: usize,
}

/// A node of the persistent trees that hold the owners of sets.
#[derive(Clone, Copy, Debug)]
enum Node {
    One(ValueId),
    Both(usize, usize),
}

/// The owners at the end of a segment.
#[derive(Default)]
pub struct Owners {
    /// Owners that are handled one by one.
    pub single: FxHashSet<ValueId>,
    /// Owners that are dead and have a witness on each edge.
    pub sets: Vec<OwnerSet>,
}

/// The nodes of all sets. Nodes are immutable, so sets on several paths share them.
#[derive(Debug, Default)]
pub struct OwnerSets {
    nodes: Vec<Node>,
}

impl OwnerSets {
    /// A set of one owner.
    pub fn single(&mut self, owner: ValueId, witness: ValueId) -> OwnerSet {
        OwnerSet {
            witnesses: SmallVec::from_slice(&[witness]),
            owners: self.node(Node::One(owner)),
        }
    }

    /// Adds an owner that each witness may alias.
    pub fn add(&mut self, set: &mut OwnerSet, owner: ValueId) {
        let one = self.node(Node::One(owner));
        set.owners = self.node(Node::Both(set.owners, one));
    }

    /// The owners of a set, in no particular order.
    pub fn owners(&self, set: &OwnerSet) -> Vec<ValueId> {
        let mut owners = Vec::new();
        let mut open = vec![set.owners];
        while let Some(node) = open.pop() {
            match self.nodes[node] {
                Node::One(owner) => owners.push(owner),
                Node::Both(one, other) => open.extend([one, other]),
            }
        }
        owners
    }

    fn node(&mut self, node: Node) -> usize {
        self.nodes.push(node);
        self.nodes.len() - 1
    }
}

impl OwnerSet {
    /// Adds a witness, unless the set has enough.
    pub fn add_witness(&mut self, value: ValueId) {
        if self.witnesses.len() < MAX_WITNESSES && !self.witnesses.contains(&value) {
            self.witnesses.push(value);
        }
    }
}

impl PlacementRound<'_> {
    /// Whether a witness keeps its owners alive at the start of a segment.
    fn keeps_alive(&self, witness: ValueId, to: SegmentId) -> bool {
        self.enters(witness, to) && self.is_visible_into(witness, to)
    }

    /// The owners that stay owners at the start of a segment and are handled one by one there. Adds the
    /// others to `sets`.
    pub fn staying_owners(
        &mut self,
        from: &Owners,
        segment: SegmentId,
        sets: &mut Vec<OwnerSet>,
    ) -> Vec<ValueId> {
        let mut staying: Vec<ValueId> = from.single.iter().copied().collect();
        staying.retain(|owner| self.stays_owner(*owner, segment, &from.single));
        for set in &from.sets {
            if set
                .witnesses
                .iter()
                .any(|one| self.keeps_alive(*one, segment))
            {
                let set = self.entering(set, segment);
                if self.stays_on_all_edges(&set, segment) {
                    sets.push(set);
                } else {
                    staying.extend(self.members(&set));
                }
                continue;
            }
            let mut owners = self.members(set);
            owners.retain(|owner| self.stays_owner(*owner, segment, &from.single));
            staying.extend(owners);
        }
        staying.sort_unstable();
        staying
    }

    /// A set that stays, with its witnesses from the start of a segment on.
    fn entering(&self, from: &OwnerSet, segment: SegmentId) -> OwnerSet {
        let mut set = from.clone();
        set.witnesses.retain(|one| self.keeps_alive(*one, segment));
        let params = &self.function.segment(segment).params;
        for (at, param) in params.iter().enumerate() {
            let passes = |edge: &EdgeId| {
                let passed = self.function.edge(*edge).passed.get(at).copied().flatten();
                passed.is_some_and(|passed| from.witnesses.contains(&passed))
            };
            if !self.is_sole_owner(*param)
                && self.order.incoming[segment.index()].iter().any(passes)
            {
                set.add_witness(*param);
            }
        }
        set
    }

    /// Whether all owners of a set stay owners on each edge of a segment, and no edge consumes memory.
    fn stays_on_all_edges(&self, set: &OwnerSet, segment: SegmentId) -> bool {
        let edges = &self.function.segment(segment).edges;
        let stay = |edge: &EdgeId| {
            let to = self.function.edge(*edge).to;
            to.is_some_and(|to| {
                let params = &self.function.segment(to).params;
                set.witnesses.iter().any(|one| self.keeps_alive(*one, to))
                    && !params
                        .iter()
                        .any(|param| self.function.consumed.contains(param))
            })
        };
        !edges.is_empty() && edges.iter().all(stay)
    }

    /// The owners of a set. Records that each may alias each witness.
    fn members(&mut self, set: &OwnerSet) -> Vec<ValueId> {
        let owners = self.sets.owners(set);
        for owner in &owners {
            for witness in &set.witnesses {
                self.no_alias.note_may_alias(*owner, *witness);
            }
        }
        owners
    }

    /// The owners at the end of a segment. Owners that are dead and stay owners on each edge move to sets.
    pub fn owners_at_end(
        &mut self,
        segment: SegmentId,
        mut single: FxHashSet<ValueId>,
        mut sets: Vec<OwnerSet>,
    ) -> Owners {
        let next: SmallVec<[SegmentId; 2]> = {
            let edges = self.function.segment(segment).edges.iter();
            edges
                .filter_map(|edge| self.function.edge(*edge).to)
                .collect()
        };
        let mut dead: Vec<ValueId> = single.iter().copied().collect();
        dead.retain(|owner| {
            !self.is_dropped[owner.index()] && !next.iter().any(|to| self.live.enters(*owner, *to))
        });
        dead.sort_unstable();
        for set in &mut sets {
            set.witnesses
                .retain(|one| next.iter().any(|to| self.keeps_alive(*one, *to)));
        }
        for owner in dead {
            let Some(witness) = self.find_witness(owner, &next, &single) else {
                continue;
            };
            let joined = sets.iter_mut().find(|set| {
                let mut witnesses = set.witnesses.iter();
                set.witnesses.contains(&witness)
                    && witnesses.all(|one| {
                        *one == witness
                            || self.is_visible_with(owner, *one)
                                && self.may_alias(owner, *one, &single)
                    })
            });
            match joined {
                Some(set) => self.sets.add(set, owner),
                None => sets.push(self.sets.single(owner, witness)),
            }
            single.remove(&owner);
        }
        Owners { single, sets }
    }

    /// A witness that keeps an owner alive at the starts of all segments of `next`.
    fn find_witness(
        &mut self,
        owner: ValueId,
        next: &[SegmentId],
        owners: &FxHashSet<ValueId>,
    ) -> Option<ValueId> {
        let witness = self.keeping_alias(owner, *next.first()?, owners)?;
        (witness != owner
            && !self.is_sole_owner(witness)
            && self.is_visible_with(owner, witness)
            && next.iter().all(|to| self.keeps_alive(witness, *to)))
        .then_some(witness)
    }

    /// Whether an owner is visible wherever a witness is, after the segment that defines the witness.
    fn is_visible_with(&self, owner: ValueId, witness: ValueId) -> bool {
        let at = self.function.value(witness).segment;
        self.function.value(owner).segment == at || self.order.is_visible(self.function, owner, at)
    }
}

/// For each value, whether an edge passes it to an unused parameter.
pub fn is_dropped(function: &Function, live: &ValueLiveness) -> Vec<bool> {
    let mut dropped = vec![false; function.values.len()];
    for (index, edge) in function.edges.iter().enumerate() {
        for (at, passed) in edge.passed.iter().enumerate() {
            if let Some(passed) = passed
                && !live.is_passed_value_used(function, EdgeId::new(index), at)
            {
                dropped[passed.index()] = true;
            }
        }
    }
    dropped
}
