//! Owners that stay ones for the same reason.
//!
//! An owner that is dead itself stays one while some live value, a *witness*, may be its memory. In a chain of branches
//! that each pass on the old buffer or a new one, all former buffers have the same witnesses, at each point. So such
//! owners are kept in sets, and a set is looked at once a segment, not each of its owners. A set is taken apart where
//! its last witness dies: there each owner is freed, is tested, or finds another witness.
//!
//! A witness is no value whose memory is known to be no other owner's, so it stays a witness as long as it is live.
//! Where it is passed to a parameter, that may be the memory of the same owners. So a set gets new witnesses without a
//! question about each owner.
//!
//! Owners in sets are dead for good: code that a segment dominates in which a value is dead never uses it. So nobody
//! asks whether such a value is an owner, except of what is passed to parameters that nobody uses. Values that are
//! passed so stay out of sets.

use super::Round;
use crate::{
    function::{EdgeId, Function, SegmentId, ValueId},
    live::Live,
};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

/// How many witnesses a set keeps at most: one that is live is enough.
const MOST_WITNESSES: usize = 4;

/// Owners with the witnesses that they share. A copy costs nothing that grows with the owners.
#[derive(Clone, Debug)]
pub struct OwnerSet {
    /// Each may be the memory of each owner.
    pub witnesses: SmallVec<[ValueId; MOST_WITNESSES]>,
    /// The node of its owners.
    owners: usize,
}

/// A set of owners is one, or two sets.
#[derive(Clone, Copy, Debug)]
enum Node {
    One(ValueId),
    Both(usize, usize),
}

/// The owners at the end of a segment.
#[derive(Default)]
pub struct Owners {
    /// One by one.
    pub single: FxHashSet<ValueId>,
    /// Those that are dead and have a witness on each edge.
    pub sets: Vec<OwnerSet>,
}

/// The owners of all sets. Nodes never change, so sets on several paths share them.
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

    /// Adds an owner, whose memory each witness may be.
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
    /// Adds a witness, if there are few.
    pub fn witness(&mut self, value: ValueId) {
        if self.witnesses.len() < MOST_WITNESSES && !self.witnesses.contains(&value) {
            self.witnesses.push(value);
        }
    }
}

impl Round<'_> {
    /// Does a value let the owners that it is a witness of stay ones at the start of a segment?
    fn lets_stay(&self, witness: ValueId, to: SegmentId) -> bool {
        self.enters(witness, to) && self.is_named_after(witness, to)
    }

    /// The owners that stay ones at the start of a segment, and are looked at one by one there. `sets` are the others.
    pub fn staying(
        &mut self,
        from: &Owners,
        segment: SegmentId,
        sets: &mut Vec<OwnerSet>,
    ) -> Vec<ValueId> {
        let mut staying: Vec<ValueId> = from.single.iter().copied().collect();
        staying.retain(|owner| self.stays(*owner, segment, &from.single));
        for set in &from.sets {
            if set
                .witnesses
                .iter()
                .any(|one| self.lets_stay(*one, segment))
            {
                let set = self.entering(set, segment);
                if self.is_at_rest(&set, segment) {
                    sets.push(set);
                } else {
                    staying.extend(self.members(&set));
                }
                continue;
            }
            let mut owners = self.members(set);
            owners.retain(|owner| self.stays(*owner, segment, &from.single));
            staying.extend(owners);
        }
        staying.sort_unstable();
        staying
    }

    /// A set that stays, with its witnesses from the start of a segment on.
    fn entering(&self, from: &OwnerSet, segment: SegmentId) -> OwnerSet {
        let mut set = from.clone();
        set.witnesses.retain(|one| self.lets_stay(*one, segment));
        let params = &self.function.segment(segment).params;
        for (at, param) in params.iter().enumerate() {
            let passes = |edge: &EdgeId| {
                let passed = self.function.edge(*edge).passed.get(at).copied().flatten();
                passed.is_some_and(|passed| from.witnesses.contains(&passed))
            };
            if !self.is_sure(*param) && self.order.incoming[segment.index()].iter().any(passes) {
                set.witness(*param);
            }
        }
        set
    }

    /// Do all owners of a set stay ones on each edge of a segment, none of which takes memory?
    fn is_at_rest(&self, set: &OwnerSet, segment: SegmentId) -> bool {
        let edges = &self.function.segment(segment).edges;
        let stay = |edge: &EdgeId| {
            let to = self.function.edge(*edge).to;
            to.is_some_and(|to| {
                let params = &self.function.segment(to).params;
                set.witnesses.iter().any(|one| self.lets_stay(*one, to))
                    && !params
                        .iter()
                        .any(|param| self.function.taken.contains(param))
            })
        };
        !edges.is_empty() && edges.iter().all(stay)
    }

    /// The owners of a set, one by one.
    fn members(&mut self, set: &OwnerSet) -> Vec<ValueId> {
        let owners = self.sets.owners(set);
        for owner in &owners {
            for witness in &set.witnesses {
                self.distinct.note_alike(*owner, *witness);
            }
        }
        owners
    }

    /// What is known at the end of a segment: owners that stay ones on each edge and are dead go to sets.
    pub fn at_end(
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
                .retain(|one| next.iter().any(|to| self.lets_stay(*one, *to)));
        }
        for owner in dead {
            let Some(witness) = self.witness(owner, &next, &single) else {
                continue;
            };
            let joined = sets.iter_mut().find(|set| {
                let mut witnesses = set.witnesses.iter();
                set.witnesses.contains(&witness)
                    && witnesses.all(|one| {
                        *one == witness
                            || self.is_defined_with(owner, *one)
                                && self.may_be(owner, *one, &single)
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

    /// A witness of an owner at the starts of all these segments, if it stays one there.
    fn witness(
        &mut self,
        owner: ValueId,
        next: &[SegmentId],
        owners: &FxHashSet<ValueId>,
    ) -> Option<ValueId> {
        let witness = self.reason(owner, *next.first()?, owners)?;
        (witness != owner
            && !self.is_sure(witness)
            && self.is_defined_with(owner, witness)
            && next.iter().all(|to| self.lets_stay(witness, *to)))
        .then_some(witness)
    }

    /// Is an owner visible wherever a witness is, after the segment that defines the witness?
    fn is_defined_with(&self, owner: ValueId, witness: ValueId) -> bool {
        let at = self.function.value(witness).segment;
        self.function.value(owner).segment == at || self.order.is_visible(self.function, owner, at)
    }
}

/// For each value, whether an edge passes it to a parameter that nobody uses.
pub fn is_dropped(function: &Function, live: &Live) -> Vec<bool> {
    let mut dropped = vec![false; function.values.len()];
    for (index, edge) in function.edges.iter().enumerate() {
        for (at, passed) in edge.passed.iter().enumerate() {
            if let Some(passed) = passed
                && !live.is_param_wanted(function, EdgeId::new(index), at)
            {
                dropped[passed.index()] = true;
            }
        }
    }
    dropped
}
