//! Simplification of deallocs by what is known statically.
//!
//! 1. Memrefs that are never freed are dropped. Memrefs that must alias are merged, and their conditions are
//!    joined by *or*; so are retained memrefs.
//! 2. The result of a retained memref includes the conditions of the memrefs that must alias it. It is
//!    *settled* if such a condition is always true, or if the result is unused.
//! 3. A memref that must alias a retained one is not freed. It is dropped, unless its condition has to reach
//!    another, unsettled retained memref that may alias it.
//! 4. A retained memref that no memref may alias is dropped.
//! 5. Memrefs that never alias are split into separate deallocs, the *pieces*.
//!
//! No step enables an earlier one, so one pass reaches the fixpoint.

use crate::{
    dealloc::{Condition, Dealloc, Disjunction},
    function::ValueId,
    origins::AliasOracle,
};
use memplan_flow::{UnionFind, ids};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// One of the deallocs that replace a dealloc.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Piece {
    /// Memrefs, by their positions in the original dealloc, each with its condition.
    pub memrefs: Vec<(u32, Disjunction)>,
    /// Retained memrefs, by their positions in the original dealloc.
    pub retained: Vec<u32>,
}

/// The outcome of simplification.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Simplified {
    /// The deallocs that replace the original one.
    pub pieces: Vec<Piece>,
    /// For each retained memref of the original, its result.
    pub results: Vec<Disjunction>,
}

impl Simplified {
    /// Whether the dealloc stays as it is.
    pub fn is_unchanged(&self, dealloc: &Dealloc) -> bool {
        let [piece] = self.pieces.as_slice() else {
            return self.pieces.is_empty()
                && dealloc.memrefs.is_empty()
                && dealloc.retained.is_empty();
        };
        let is_same = |(at, (place, when)): (usize, &(u32, Disjunction))| {
            let condition = dealloc.memrefs[at].1;
            let mut one = Disjunction::default();
            one.or(condition);
            *place as usize == at && *when == one
        };
        let is_asked = |(at, result): (usize, &Disjunction)| {
            !dealloc.retained[at].is_used
                || !result.is_true
                    && result.flags.is_empty()
                    && result.piece_results.as_slice() == [(0, at as u32)]
        };
        piece.memrefs.len() == dealloc.memrefs.len()
            && piece.retained.len() == dealloc.retained.len()
            && piece.memrefs.iter().enumerate().all(is_same)
            && self.results.iter().enumerate().all(is_asked)
    }
}

/// Operands after merging those that must alias.
struct MergedOperands {
    /// For each merged operand, a position: that of its representative if it is an operand, else the first.
    places: Vec<u32>,
    values: Vec<ValueId>,
    /// For each operand, the number of the merged one.
    of: Vec<u32>,
    /// Numbers by representative.
    numbers: FxHashMap<ValueId, u32>,
}

impl MergedOperands {
    fn of(values: impl Iterator<Item = ValueId>, overlaps: &impl AliasOracle) -> Self {
        let mut merged = Self {
            places: Vec::new(),
            values: Vec::new(),
            of: Vec::new(),
            numbers: FxHashMap::default(),
        };
        for (place, value) in values.enumerate() {
            let next = merged.places.len() as u32;
            let same = overlaps.representative(value);
            let number = *merged.numbers.entry(same).or_insert(next);
            if number == next {
                merged.places.push(place as u32);
                merged.values.push(value);
            } else if value == same {
                merged.places[number as usize] = place as u32;
                merged.values[number as usize] = value;
            }
            merged.of.push(number);
        }
        merged
    }
}

/// Simplifies a dealloc.
pub fn simplify(dealloc: &Dealloc, overlaps: &mut impl AliasOracle) -> Simplified {
    // Step 1.
    let freed: Vec<usize> = (0..dealloc.memrefs.len())
        .filter(|at| dealloc.memrefs[*at].1 != Condition::No)
        .collect();
    let memrefs = MergedOperands::of(freed.iter().map(|at| dealloc.memrefs[*at].0), overlaps);
    let mut conditions = vec![Disjunction::default(); memrefs.places.len()];
    for (at, number) in freed.iter().zip(&memrefs.of) {
        conditions[*number as usize].or(dealloc.memrefs[*at].1);
    }
    for condition in conditions.iter_mut().filter(|condition| condition.is_true) {
        condition.flags.clear();
    }
    let retained = MergedOperands::of(dealloc.retained.iter().map(|one| one.value), overlaps);
    let mut is_used = vec![false; retained.places.len()];
    for (one, number) in dealloc.retained.iter().zip(&retained.of) {
        is_used[*number as usize] |= one.is_used;
    }

    // Step 2.
    let mut twins: Vec<Option<u32>> = vec![None; memrefs.places.len()];
    let mut results = vec![Disjunction::default(); retained.places.len()];
    let mut is_settled: Vec<bool> = is_used.iter().map(|used| !used).collect();
    for (value, number) in &memrefs.numbers {
        if let Some(twin) = retained.numbers.get(value) {
            twins[*number as usize] = Some(*twin);
            results[*twin as usize].clone_from(&conditions[*number as usize]);
            is_settled[*twin as usize] |= conditions[*number as usize].is_true;
        }
    }

    // Step 3.
    let count = memrefs.places.len() as u32;
    let all: Vec<ValueId> = [memrefs.values.as_slice(), &retained.values].concat();
    let groups = overlaps.may_alias_groups(&all, memrefs.values.len());
    let stays = still_compared(&groups, &twins, &is_settled);

    // Steps 4 and 5.
    let mut pieces = Pieces::of(&groups, &stays, count);
    for number in 0..count {
        if stays[number as usize] {
            let place = freed[memrefs.places[number as usize] as usize] as u32;
            let condition = std::mem::take(&mut conditions[number as usize]);
            let piece = pieces.number(number);
            pieces.all[piece].memrefs.push((place, condition));
        }
    }
    for (number, found) in pieces.retain(&groups, &stays, count, &retained.places) {
        // The result of a piece includes the conditions that are known.
        let result = &mut results[number as usize];
        if !result.is_true && is_used[number as usize] {
            result.piece_results.push(found);
        }
    }
    for (number, twin) in twins.iter().enumerate() {
        let Some(twin) = twin else { continue };
        let piece = stays[number].then(|| pieces.number(number as u32) as u32);
        let result = &mut results[*twin as usize];
        if result
            .piece_results
            .iter()
            .any(|(found, _)| Some(*found) == piece)
        {
            result.flags.clear();
        }
    }
    Simplified {
        pieces: pieces.all,
        results: retained
            .of
            .iter()
            .map(|number| results[*number as usize].clone())
            .collect(),
    }
}

/// For each memref, whether it is still needed: it may have to be freed, or its condition has to reach a
/// retained memref that may alias it.
fn still_compared(
    groups: &[SmallVec<[u32; 2]>],
    twins: &[Option<u32>],
    is_settled: &[bool],
) -> Vec<bool> {
    let count = twins.len();
    let mut stays: Vec<bool> = twins.iter().map(Option::is_none).collect();
    for group in groups {
        let open = |member: &u32| {
            let retained = (*member as usize).checked_sub(count)?;
            (!is_settled[retained]).then_some(retained as u32)
        };
        // Two are enough: one of them is not the twin.
        let open: SmallVec<[u32; 2]> = group.iter().filter_map(open).take(2).collect();
        for member in group {
            if let Some(Some(twin)) = twins.get(*member as usize) {
                stays[*member as usize] |= open.iter().any(|retained| retained != twin);
            }
        }
    }
    stays
}

ids! {
    /// The number of a merged memref.
    MemrefNumber,
}

/// Merged memrefs in classes that may alias.
struct Pieces {
    sets: UnionFind<MemrefNumber>,
    numbers: FxHashMap<MemrefNumber, usize>,
    all: Vec<Piece>,
}

impl Pieces {
    fn of(groups: &[SmallVec<[u32; 2]>], stays: &[bool], count: u32) -> Self {
        let mut pieces = Self {
            sets: UnionFind::with_capacity(count as usize),
            numbers: FxHashMap::default(),
            all: Vec::new(),
        };
        for group in groups {
            let mut members = group
                .iter()
                .copied()
                .filter(|member| *member < count && stays[*member as usize]);
            let Some(first) = members.next() else {
                continue;
            };
            for other in members {
                pieces.sets.unite(MemrefNumber(first), MemrefNumber(other));
            }
        }
        pieces
    }

    /// The piece of a memref, created on demand.
    fn number(&mut self, memref: u32) -> usize {
        let first = self.sets.find(MemrefNumber(memref));
        let all = &mut self.all;
        *self.numbers.entry(first).or_insert_with(|| {
            all.push(Piece::default());
            all.len() - 1
        })
    }

    /// Adds to each piece the retained memrefs that its memrefs may alias. Returns these in order, each with
    /// its piece and position there.
    fn retain(
        &mut self,
        groups: &[SmallVec<[u32; 2]>],
        stays: &[bool],
        count: u32,
        places: &[u32],
    ) -> Vec<(u32, (u32, u32))> {
        let mut kept: Vec<(u32, u32)> = Vec::new();
        for group in groups {
            // All memrefs of a group are in one piece.
            let memref = group
                .iter()
                .find(|member| **member < count && stays[**member as usize]);
            let Some(memref) = memref else { continue };
            let piece = self.number(*memref) as u32;
            let retained = group.iter().filter_map(|member| member.checked_sub(count));
            kept.extend(retained.map(|retained| (piece, retained)));
        }
        kept.sort_unstable();
        kept.dedup();
        kept.into_iter()
            .map(|(piece, retained)| {
                let all = &mut self.all[piece as usize].retained;
                all.push(places[retained as usize]);
                (retained, (piece, all.len() as u32 - 1))
            })
            .collect()
    }
}
