//! Deallocs made simple: what is known before the run is not asked in the run.
//!
//! 1. A memref that is never freed goes. Memrefs, and retained ones, that are the same for certain become
//!    one; its condition is any of theirs.
//! 2. What is known of a retained memref's result without a test: conditions of memrefs that are the same
//!    for certain. It is *settled* if one of these always holds, or if nobody asks.
//! 3. A memref that is retained for certain is not freed. It goes, if no other retained memref that may be
//!    the same has to hear of its condition.
//! 4. A retained memref that no memref may be goes.
//! 5. Memrefs that cannot be the same memory part, into *pieces*.
//!
//! None of these makes room for one before it, so once through them is the fixpoint.

use crate::{
    dealloc::{AnyOf, Condition, Dealloc},
    function::ValueId,
    origins::Overlaps,
};
use memplan_flow::{UnionFind, ids};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// A dealloc that is part of what one became.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Piece {
    /// What it frees, by the place in what it was made of, and when.
    pub memrefs: Vec<(u32, AnyOf)>,
    /// What it keeps, by the place there.
    pub retained: Vec<u32>,
}

/// What became of a dealloc.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Simplified {
    /// What stands in its place.
    pub pieces: Vec<Piece>,
    /// For each retained memref, what its result is.
    pub results: Vec<AnyOf>,
}

impl Simplified {
    /// Is it the dealloc that it was made of?
    pub fn is_unchanged(&self, dealloc: &Dealloc) -> bool {
        let [piece] = self.pieces.as_slice() else {
            return self.pieces.is_empty()
                && dealloc.memrefs.is_empty()
                && dealloc.retained.is_empty();
        };
        let is_same = |(at, (place, when)): (usize, &(u32, AnyOf))| {
            let condition = dealloc.memrefs[at].1;
            let mut one = AnyOf::default();
            one.or(condition);
            *place as usize == at && *when == one
        };
        let is_asked = |(at, result): (usize, &AnyOf)| {
            !dealloc.retained[at].is_used
                || !result.certain
                    && result.flags.is_empty()
                    && result.found.as_slice() == [(0, at as u32)]
        };
        piece.memrefs.len() == dealloc.memrefs.len()
            && piece.retained.len() == dealloc.retained.len()
            && piece.memrefs.iter().enumerate().all(is_same)
            && self.results.iter().enumerate().all(is_asked)
    }
}

/// Operands that are one, for what follows.
struct Merged {
    /// A place of each: where what stands for it is, else the first.
    places: Vec<u32>,
    values: Vec<ValueId>,
    /// For each operand, which one it became.
    of: Vec<u32>,
    /// By what stands for a value.
    numbers: FxHashMap<ValueId, u32>,
}

impl Merged {
    fn of(values: impl Iterator<Item = ValueId>, overlaps: &impl Overlaps) -> Self {
        let mut merged = Self {
            places: Vec::new(),
            values: Vec::new(),
            of: Vec::new(),
            numbers: FxHashMap::default(),
        };
        for (place, value) in values.enumerate() {
            let next = merged.places.len() as u32;
            let same = overlaps.same(value);
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

/// Makes a dealloc simple.
pub fn simplify(dealloc: &Dealloc, overlaps: &mut impl Overlaps) -> Simplified {
    // 1.
    let freed: Vec<usize> = (0..dealloc.memrefs.len())
        .filter(|at| dealloc.memrefs[*at].1 != Condition::No)
        .collect();
    let memrefs = Merged::of(freed.iter().map(|at| dealloc.memrefs[*at].0), overlaps);
    let mut conditions = vec![AnyOf::default(); memrefs.places.len()];
    for (at, number) in freed.iter().zip(&memrefs.of) {
        conditions[*number as usize].or(dealloc.memrefs[*at].1);
    }
    for condition in conditions.iter_mut().filter(|condition| condition.certain) {
        condition.flags.clear();
    }
    let retained = Merged::of(dealloc.retained.iter().map(|one| one.value), overlaps);
    let mut is_used = vec![false; retained.places.len()];
    for (one, number) in dealloc.retained.iter().zip(&retained.of) {
        is_used[*number as usize] |= one.is_used;
    }

    // 2.
    let mut twins: Vec<Option<u32>> = vec![None; memrefs.places.len()];
    let mut results = vec![AnyOf::default(); retained.places.len()];
    let mut is_settled: Vec<bool> = is_used.iter().map(|used| !used).collect();
    for (value, number) in &memrefs.numbers {
        if let Some(twin) = retained.numbers.get(value) {
            twins[*number as usize] = Some(*twin);
            results[*twin as usize].clone_from(&conditions[*number as usize]);
            is_settled[*twin as usize] |= conditions[*number as usize].certain;
        }
    }

    // 3.
    let count = memrefs.places.len() as u32;
    let all: Vec<ValueId> = [memrefs.values.as_slice(), &retained.values].concat();
    let groups = overlaps.overlaps(&all, memrefs.values.len());
    let stays = staying(&groups, &twins, &is_settled);

    // 4. and 5.
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
        // What a test finds includes what is known.
        let result = &mut results[number as usize];
        if !result.certain && is_used[number as usize] {
            result.found.push(found);
        }
    }
    for (number, twin) in twins.iter().enumerate() {
        let Some(twin) = twin else { continue };
        let piece = stays[number].then(|| pieces.number(number as u32) as u32);
        let result = &mut results[*twin as usize];
        if result.found.iter().any(|(found, _)| Some(*found) == piece) {
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

/// Which memrefs are still asked for: those that may be freed, and those whose condition has to reach a
/// retained memref that may be the same.
fn staying(groups: &[SmallVec<[u32; 2]>], twins: &[Option<u32>], is_settled: &[bool]) -> Vec<bool> {
    let count = twins.len();
    let mut stays: Vec<bool> = twins.iter().map(Option::is_none).collect();
    for group in groups {
        let open = |member: &u32| {
            let retained = (*member as usize).checked_sub(count)?;
            (!is_settled[retained]).then_some(retained as u32)
        };
        // Two of them are enough to know that one is not the twin.
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
    /// The number of a memref.
    Number,
}

/// Memrefs that may be the same, together.
struct Pieces {
    sets: UnionFind<Number>,
    numbers: FxHashMap<Number, usize>,
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
                pieces.sets.unite(Number(first), Number(other));
            }
        }
        pieces
    }

    /// The piece that a memref is in.
    fn number(&mut self, memref: u32) -> usize {
        let first = self.sets.find(Number(memref));
        let all = &mut self.all;
        *self.numbers.entry(first).or_insert_with(|| {
            all.push(Piece::default());
            all.len() - 1
        })
    }

    /// Gives each piece the retained memrefs that its memrefs may be; returns these, with the piece and
    /// the place in it, in order.
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
