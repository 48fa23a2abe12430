//! Selection of values to move so that a request fits: compaction of the stack.
//!
//! Least-cost compaction of blocks of any size is NP-hard, so this takes the cheapest result of three heuristics:
//!
//! * *shifting*: adjacent blocks slide together, and the holes between them become one. Two pointers find the cheapest
//!   window of blocks, in time linear in the blocks;
//! * *emptying*: the blocks of a window move into other holes, largest first, each into the smallest hole that fits;
//! * *choosing*, for at most [`MAX_CHOSEN_BLOCKS`] blocks: every cheaper set of blocks is tried, packed into the holes
//!   that remain without it.
//!
//! Every result is a sequence of moves in which no block is copied over another.

use crate::{layout::Motion, space::PlacedValue};

/// Every set of movable blocks is tried if there are at most so many.
pub const MAX_CHOSEN_BLOCKS: usize = 10;
/// Windows are emptied if there are at most so many blocks; the work is quadratic in them.
const MAX_EMPTIED_BLOCKS: usize = 64;
/// The number of assignments of a block to a hole that one request may try.
const MAX_TRIES: u32 = 20_000;

/// A block of the stack.
#[derive(Clone, Copy, Debug)]
struct Block {
    at: PlacedValue,
    is_fixed: bool,
}

/// Moves before an operation that needs `need` bytes for its results, and the offset of these, all below `limit`. The
/// operation still reads the values that die at it. Where the bytes suffice, its results stay apart from them. Else the
/// dying values move to the top, where the results may overwrite them. `None` if neither is possible: the limit is
/// below the load, or pinned values leave too little space.
pub fn relocate(
    is_pinned: &dyn Fn(&PlacedValue) -> bool,
    placed: &[PlacedValue],
    dies: impl Fn(&PlacedValue) -> bool,
    limit: u64,
    need: u64,
) -> Option<(Vec<Motion>, u64)> {
    let used: u64 = placed.iter().map(|block| block.size).sum();
    let disjoint = (used + need <= limit)
        .then(|| make_room(is_pinned, placed, limit, need))
        .flatten();
    disjoint.or_else(|| {
        let (motions, room) = pack(is_pinned, placed, dies)?;
        (room + need <= limit).then_some((motions, room))
    })
}

/// Moves that make `need` contiguous bytes free below `limit`, and the offset of these. `None` if none are found; with
/// no pinned block, only if the free bytes do not suffice.
pub fn make_room(
    is_pinned: &dyn Fn(&PlacedValue) -> bool,
    placed: &[PlacedValue],
    limit: u64,
    need: u64,
) -> Option<(Vec<Motion>, u64)> {
    let blocks: Vec<Block> = placed
        .iter()
        .map(|at| Block {
            at: *at,
            is_fixed: is_pinned(at),
        })
        .collect();
    let mut best: Option<Compaction> = None;
    shift_window(&blocks, limit, need, &mut best);
    if blocks.len() <= MAX_EMPTIED_BLOCKS {
        empty_window(&blocks, limit, need, &mut best);
    }
    if blocks.iter().filter(|block| !block.is_fixed).count() <= MAX_CHOSEN_BLOCKS {
        choose_set(&blocks, limit, need, &mut best);
    }
    best.map(|plan| (plan.motions, plan.room))
}

/// Moves that pack all values downwards, in their order. The values that die at the current operation go to the top,
/// where its results may overwrite them. Returns the first byte above the surviving values. `None` if a value is
/// pinned.
pub fn pack(
    is_pinned: &dyn Fn(&PlacedValue) -> bool,
    placed: &[PlacedValue],
    dies: impl Fn(&PlacedValue) -> bool,
) -> Option<(Vec<Motion>, u64)> {
    if placed.iter().any(is_pinned) {
        return None;
    }
    let mut motions = Vec::new();
    let mut packed: Vec<PlacedValue> = Vec::with_capacity(placed.len());
    let mut top = 0;
    for block in placed {
        if block.offset != top {
            motions.push(Motion::Move {
                value: block.value,
                from: block.offset,
                to: top,
            });
        }
        packed.push(PlacedValue {
            offset: top,
            ..*block
        });
        top += block.size;
    }
    // Each survivor sinks below the dying values; there are at most as many of these as operands.
    for at in 0..packed.len() {
        if dies(&packed[at]) {
            continue;
        }
        let mut now = at;
        while now > 0 && dies(&packed[now - 1]) {
            let at = packed[now - 1].offset;
            motions.push(Motion::Swap {
                below: packed[now - 1].value,
                above: packed[now].value,
                at,
            });
            packed.swap(now - 1, now);
            packed[now - 1].offset = at;
            packed[now].offset = at + packed[now - 1].size;
            now -= 1;
        }
    }
    let kept = packed.iter().filter(|block| !dies(block));
    let end = kept.map(|block| block.offset + block.size).max();
    Some((motions, end.unwrap_or(0)))
}

struct Compaction {
    cost: u64,
    motions: Vec<Motion>,
    room: u64,
}

fn keep_cheaper(
    best: &mut Option<Compaction>,
    cost: u64,
    plan: impl FnOnce() -> Option<(Vec<Motion>, u64)>,
) {
    if best.as_ref().is_none_or(|best| cost < best.cost)
        && let Some((motions, room)) = plan()
    {
        *best = Some(Compaction {
            cost,
            motions,
            room,
        });
    }
}

/// The hole before block number `at`, or after the last one: its first byte and its size.
fn hole(blocks: &[Block], at: usize, limit: u64) -> (u64, u64) {
    let start = at.checked_sub(1).map_or(0, |before| {
        blocks[before].at.offset + blocks[before].at.size
    });
    let end = blocks.get(at).map_or(limit, |block| block.at.offset);
    (start, end.saturating_sub(start))
}

fn shift_window(blocks: &[Block], limit: u64, need: u64, best: &mut Option<Compaction>) {
    let hole = |at: usize| hole(blocks, at, limit);
    let (mut from, mut free, mut cost) = (0, 0, 0);
    for to in 0..=blocks.len() {
        free += hole(to).1;
        while free >= need + hole(from).1 && from < to {
            free -= hole(from).1;
            cost -= blocks[from].at.size;
            from += 1;
        }
        if free >= need {
            keep_cheaper(best, cost, || Some(slide(blocks, from, to, hole(from).0)));
        }
        match blocks.get(to) {
            Some(block) if block.is_fixed => (from, free, cost) = (to + 1, 0, 0),
            Some(block) => cost += block.at.size,
            None => {}
        }
    }
}

fn slide(blocks: &[Block], from: usize, to: usize, start: u64) -> (Vec<Motion>, u64) {
    let mut top = start;
    let mut motions = Vec::new();
    for block in &blocks[from..to] {
        if block.at.offset != top {
            motions.push(Motion::Move {
                value: block.at.value,
                from: block.at.offset,
                to: top,
            });
        }
        top += block.at.size;
    }
    (motions, top)
}

fn empty_window(blocks: &[Block], limit: u64, need: u64, best: &mut Option<Compaction>) {
    let hole = |at: usize| hole(blocks, at, limit);
    for from in 0..=blocks.len() {
        let (start, mut room) = hole(from);
        let mut cost = 0;
        let mut to = from;
        while room < need {
            match blocks.get(to) {
                Some(block) if !block.is_fixed => {
                    cost += block.at.size;
                    room += block.at.size + hole(to + 1).1;
                    to += 1;
                }
                _ => break,
            }
        }
        if room < need {
            continue;
        }
        keep_cheaper(best, cost, || {
            let mut holes: Vec<(u64, u64)> = (0..=blocks.len())
                .filter(|at| !(from..=to).contains(at))
                .map(hole)
                .collect();
            // The rest of the window, above the request.
            holes.push((start + need, room - need));
            let mut moved: Vec<PlacedValue> =
                blocks[from..to].iter().map(|block| block.at).collect();
            moved.sort_by_key(|at| (u64::MAX - at.size, at.offset));
            let mut targets = Vec::new();
            for at in moved {
                let fits = holes.iter_mut().filter(|hole| hole.1 >= at.size);
                let hole = fits.min_by_key(|hole| (hole.1, hole.0))?;
                targets.push((at, hole.0));
                hole.0 += at.size;
                hole.1 -= at.size;
            }
            Some((order_moves(blocks, targets)?, start))
        });
    }
}

/// A sequence of moves in which nothing overwrites a block that has not moved yet; `None` for a cycle.
fn order_moves(blocks: &[Block], targets: Vec<(PlacedValue, u64)>) -> Option<Vec<Motion>> {
    let mut now: Vec<PlacedValue> = blocks.iter().map(|block| block.at).collect();
    let mut rest = targets;
    rest.retain(|(at, to)| at.offset != *to);
    let mut motions = Vec::with_capacity(rest.len());
    while !rest.is_empty() {
        let is_free = |(at, to): &(PlacedValue, u64)| {
            let others = now.iter().filter(|other| other.value != at.value);
            let mut others = others.filter(|other| other.size > 0);
            others.all(|other| other.offset + other.size <= *to || to + at.size <= other.offset)
        };
        let next = rest.iter().position(is_free)?;
        let (at, to) = rest.remove(next);
        motions.push(Motion::Move {
            value: at.value,
            from: at.offset,
            to,
        });
        let moved = now.iter_mut().find(|other| other.value == at.value)?;
        moved.offset = to;
    }
    Some(motions)
}

fn choose_set(blocks: &[Block], limit: u64, need: u64, best: &mut Option<Compaction>) {
    let movable: Vec<usize> = (0..blocks.len())
        .filter(|at| !blocks[*at].is_fixed)
        .collect();
    let cost_of = |set: u32| -> u64 {
        let chosen = movable.iter().enumerate();
        let chosen = chosen.filter(|(bit, _)| set >> bit & 1 == 1);
        chosen.map(|(_, at)| blocks[*at].at.size).sum()
    };
    let most = best.as_ref().map_or(u64::MAX, |best| best.cost);
    let mut sets: Vec<(u64, u32)> = (0..1_u32 << movable.len())
        .map(|set| (cost_of(set), set))
        .filter(|(cost, _)| *cost < most)
        .collect();
    sets.sort_unstable();
    let mut tries = MAX_TRIES;
    for (cost, set) in sets {
        if tries == 0 {
            return;
        }
        let is_moved = |at: usize| {
            let mut bits = movable.iter().enumerate();
            bits.any(|(bit, movable)| *movable == at && set >> bit & 1 == 1)
        };
        let mut kept = Vec::with_capacity(blocks.len());
        let mut moved = Vec::with_capacity(blocks.len());
        for (at, block) in blocks.iter().enumerate() {
            if is_moved(at) {
                moved.push(block.at);
            } else {
                kept.push(*block);
            }
        }
        moved.sort_by_key(|at| (u64::MAX - at.size, at.offset));
        let holes: Vec<(u64, u64)> = (0..=kept.len()).map(|at| hole(&kept, at, limit)).collect();
        let mut search = HoleSearch {
            moved: &moved,
            holes: &holes,
            free: holes.iter().map(|hole| hole.1).collect(),
            hole_of: vec![0; moved.len()],
            tries: &mut tries,
            blocks,
            need,
        };
        let found = search.request();
        if found.is_some() {
            keep_cheaper(best, cost, || found);
            return;
        }
    }
}

/// Backtracking search that assigns blocks to holes, with the hole of the request chosen first.
struct HoleSearch<'s> {
    moved: &'s [PlacedValue],
    holes: &'s [(u64, u64)],
    free: Vec<u64>,
    hole_of: Vec<usize>,
    tries: &'s mut u32,
    blocks: &'s [Block],
    need: u64,
}

impl HoleSearch<'_> {
    fn request(&mut self) -> Option<(Vec<Motion>, u64)> {
        for at in 0..self.holes.len() {
            if self.free[at] >= self.need {
                self.free[at] -= self.need;
                let found = self.assign(0, at);
                self.free[at] += self.need;
                if found.is_some() {
                    return found;
                }
            }
        }
        None
    }

    fn assign(&mut self, number: usize, request: usize) -> Option<(Vec<Motion>, u64)> {
        let Some(block) = self.moved.get(number) else {
            return [false, true]
                .into_iter()
                .find_map(|below| self.arrange(request, below));
        };
        for at in 0..self.holes.len() {
            if *self.tries == 0 {
                return None;
            }
            if self.free[at] >= block.size {
                *self.tries -= 1;
                self.free[at] -= block.size;
                self.hole_of[number] = at;
                let found = self.assign(number + 1, request);
                self.free[at] += block.size;
                if found.is_some() {
                    return found;
                }
            }
        }
        None
    }

    /// Blocks keep their order within a hole; the request is at the bottom or at the top of its hole.
    fn arrange(&self, request: usize, below: bool) -> Option<(Vec<Motion>, u64)> {
        let mut room = 0;
        let mut targets = Vec::with_capacity(self.moved.len());
        for (at, hole) in self.holes.iter().enumerate() {
            let mut here: Vec<PlacedValue> = (0..self.moved.len())
                .filter(|number| self.hole_of[*number] == at)
                .map(|number| self.moved[number])
                .collect();
            here.sort_by_key(|block| block.offset);
            let mut top = hole.0;
            if at == request && below {
                room = top;
                top += self.need;
            }
            for block in here {
                targets.push((block, top));
                top += block.size;
            }
            if at == request && !below {
                room = top;
            }
        }
        Some((order_moves(self.blocks, targets)?, room))
    }
}
