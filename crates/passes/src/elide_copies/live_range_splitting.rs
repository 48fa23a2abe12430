//! Live range splitting: a buffer that is overwritten completely when its contents are dead becomes several
//! buffers.
//!
//! CSE makes one buffer of several of the same type. Each complete overwrite could as well write another
//! buffer, which can become a part or a view on its own. The plan gives them the same bytes again if that is
//! useful.

use super::read::uses_at;
use memplan_lifetimes::{
    Analysis,
    live::Ranges,
    program::{BufferId, Position, UseKind, ValueId, ValueKind},
};
use memplan_mlir::{
    copy::copy_before,
    ir::{
        Block, Identity, Key, Op, Origin, Val, erase, is_memref, operands, origin, parent,
        parent_block, replace_all_uses, results, type_of, uses,
    },
    values::set_operand,
};
use memplan_semantics::{Semantics, attributes::is_placed, declared::is_described_view};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// A buffer that was split.
pub struct LiveRanges<'c> {
    /// Allocations with the index of their live range, in program order.
    allocs: Vec<(usize, Op<'c>)>,
    /// For each view that several live ranges use: their copies of it.
    views: Vec<Vec<(usize, Op<'c>)>>,
}

/// Splits buffers. The analysis is invalid if there are any.
pub fn run<'c>(analysis: &Analysis<'c>, semantics: &mut Semantics) -> Vec<LiveRanges<'c>> {
    let program = &analysis.program;
    let mut is_plain = vec![true; program.buffers.len()];
    let merges = (0..program.values.len()).map(ValueId::new);
    let merges = merges.filter(|value| program.values[value.index()].kind == ValueKind::Merge);
    let pending = program.pending.iter().flat_map(|entry| &entry.values);
    let freed = program.deallocs.iter().map(|free| free.value);
    for value in merges.chain(pending.copied()).chain(freed) {
        for buffer in analysis.aliases.buffers(value) {
            is_plain[buffer.index()] = false;
        }
    }
    for (plain, op) in is_plain.iter_mut().zip(&analysis.handles.buffers) {
        *plain &= !is_placed(*op);
    }
    let moves = may_move(analysis, semantics);
    let written = written(analysis);
    let mut positions: Option<FxHashMap<Key, Position>> = None;
    let mut found = Vec::new();
    for plannable in &analysis.plannable {
        let at = plannable.buffer.index();
        let live = &cut(&plannable.live, &written[at]);
        // A dynamic size may be computed after the first live range begins.
        let has_sizes = operands(analysis.handles.buffers[at]).next().is_some();
        if live.len() < 2
            || has_sizes
            || !is_plain[at]
            || !moves[at]
            || !plannable.carried.is_empty()
        {
            continue;
        }
        let positions = positions.get_or_insert_with(|| {
            let ops = analysis.handles.ops.iter();
            ops.map(|(position, op)| (op.key(), *position)).collect()
        });
        let splits = split(analysis, plannable.buffer, live, positions, semantics);
        let Some(split) = splits else { continue };
        found.push(split.write(analysis.handles.buffers[at], analysis));
    }
    found
}

impl<'c> LiveRanges<'c> {
    /// Removes allocations that were changed: they are gone, or others became parts or views of them.
    pub fn forget(&mut self, changed: &FxHashSet<Key>) {
        let allocs = self.allocs.len();
        self.allocs
            .retain(|(_, alloc)| !changed.contains(&alloc.key()));
        if self.allocs.len() < allocs {
            let is_left = |life: usize| self.allocs.iter().any(|(other, _)| *other == life);
            for views in &mut self.views {
                views.retain(|(life, _)| is_left(*life));
            }
        }
    }

    /// Whether there is anything to join.
    pub fn are_several(&self) -> bool {
        self.allocs.len() > 1
    }

    /// Joins all of them into one buffer again.
    pub fn join(&self) {
        join(&self.allocs);
        // Views of views follow their sources.
        self.views.iter().for_each(|views| join(views));
    }
}

/// Replaces equal operations by one.
fn join(ops: &[(usize, Op<'_>)]) {
    let Some(((_, first), others)) = ops.split_first() else {
        return;
    };
    for (_, other) in others {
        for (value, first) in results(*other).zip(results(*first)) {
            replace_all_uses(value, first);
        }
        erase(*other);
    }
}

/// For each buffer, the positions of complete overwrites, in program order.
fn written(analysis: &Analysis<'_>) -> Vec<SmallVec<[Position; 2]>> {
    let program = &analysis.program;
    let mut written = vec![SmallVec::new(); program.buffers.len()];
    let uses = program.uses.iter();
    for used in uses.filter(|used| used.kind == UseKind::Overwrite) {
        let base = analysis.aliases.base(used.value);
        if let ValueKind::Alloc(buffer) = program.values[base.index()].kind {
            written[buffer.index()].push(used.position);
        }
    }
    for (at, positions) in written.iter_mut().enumerate() {
        positions.retain(|position| begins(analysis, BufferId::new(at), *position));
    }
    written
}

/// Whether a live range of a buffer begins at a position: the operation overwrites all of it, in the block
/// that allocates it, and does not use it otherwise.
fn begins(analysis: &Analysis<'_>, buffer: BufferId, position: Position) -> bool {
    let program = &analysis.program;
    let fact = &program.buffers[buffer.index()];
    // A live range also starts after unreachable code, without a write.
    let mut is_written = false;
    let is_only_written = uses_at(program, position).iter().all(|used| {
        if analysis.aliases.base(used.value) != fact.value || used.kind == UseKind::Mention {
            return true;
        }
        is_written = true;
        used.kind == UseKind::Overwrite
            && used.block == fact.block
            && program.is_all_of(used.value, fact.value)
    });
    is_only_written && is_written
}

/// Live ranges, cut where another live range begins directly.
fn cut(live: &Ranges, written: &[Position]) -> Ranges {
    let mut lives = Ranges::new();
    for &(mut start, end) in live {
        let first = written.partition_point(|position| *position <= start);
        for position in written[first..].iter().take_while(|one| **one < end) {
            lives.push((start, *position));
            start = *position;
        }
        lives.push((start, end));
    }
    lives
}

/// Buffers that an operation reads element by element, or a copy writes: they may become a part or a view.
fn may_move(analysis: &Analysis<'_>, semantics: &mut Semantics) -> Vec<bool> {
    let program = &analysis.program;
    let mut moves = vec![false; program.buffers.len()];
    let mut mark = |value: ValueId| {
        let base = analysis.aliases.base(value);
        if let ValueKind::Alloc(buffer) = program.values[base.index()].kind {
            moves[buffer.index()] = true;
        }
    };
    for step in program.in_step.iter().filter(|step| step.same_elements) {
        mark(step.read);
    }
    for (position, op) in &analysis.handles.ops {
        if semantics.copy(*op).is_some() {
            let uses = uses_at(program, *position).iter();
            let written = uses.filter(|used| used.kind == UseKind::Overwrite);
            written.for_each(|used| mark(used.value));
        }
    }
    moves
}

/// Uses of a buffer in its live ranges.
struct Split<'c> {
    parts: Vec<Vec<Use<'c>>>,
    views: Vec<Shared<'c>>,
}

/// An operand that is the buffer, or a view of it that live ranges share.
struct Use<'c> {
    op: Op<'c>,
    operand: usize,
    /// Position of the operation, or of its ancestor in the block of the buffer.
    position: Position,
    /// Index of the shared view; `None` for the buffer itself.
    of: Option<usize>,
}

/// A view that several live ranges use: each receives its own.
struct Shared<'c> {
    op: Op<'c>,
    operand: usize,
    of: Option<usize>,
}

/// The live ranges of a buffer, if they can be separated: each starts with a complete overwrite, in the block
/// that allocates it.
fn split<'c>(
    analysis: &Analysis<'c>,
    buffer: BufferId,
    live: &[(Position, Position)],
    positions: &FxHashMap<Key, Position>,
    semantics: &mut Semantics,
) -> Option<Split<'c>> {
    let program = &analysis.program;
    let fact = &program.buffers[buffer.index()];
    let value = analysis.handles.values[fact.value.index()];
    let block = match origin(value)? {
        Origin::Result(op, _) => parent_block(op)?,
        Origin::Argument(..) => return None,
    };
    if !live
        .iter()
        .all(|(start, _)| begins(analysis, buffer, *start))
    {
        return None;
    }
    let mut split = Split {
        parts: live.iter().map(|_| Vec::new()).collect(),
        views: Vec::new(),
    };
    let mut at = At {
        block,
        live,
        positions,
        semantics,
    };
    split.take(value, None, &mut at)?;
    let is_whole = split.parts.iter().all(|uses| !uses.is_empty());
    is_whole.then(|| {
        for uses in &mut split.parts {
            uses.sort_by_key(|one| one.position);
        }
        split
    })
}

/// Positions of the live ranges of a buffer.
struct At<'a, 'c> {
    block: Block<'c>,
    live: &'a [(Position, Position)],
    positions: &'a FxHashMap<Key, Position>,
    semantics: &'a mut Semantics,
}

impl<'c> Split<'c> {
    /// Collects the uses of the buffer, or of a shared view of it.
    fn take(&mut self, value: Val<'c>, of: Option<usize>, at: &mut At<'_, 'c>) -> Option<()> {
        for (op, operand) in uses(value) {
            let mut lives = Vec::new();
            at.lives_of(op, &mut lives, 0)?;
            if let [only] = lives.as_slice() {
                self.parts[*only].push(Use {
                    op,
                    operand,
                    position: at.position(op)?,
                    of,
                });
                continue;
            }
            // Only views belong to several live ranges, or, if they are unused, to none.
            let shared = results(op).next().filter(|_| !lives.is_empty())?;
            let place = self.views.len();
            self.views.push(Shared { op, operand, of });
            self.take(shared, Some(place), at)?;
        }
        Some(())
    }

    /// Creates an allocation for each live range except the first, with its own views.
    fn write(&self, alloc: Op<'c>, analysis: &Analysis<'c>) -> LiveRanges<'c> {
        let mut lives = LiveRanges {
            allocs: vec![(0, alloc)],
            views: self.views.iter().map(|view| vec![(0, view.op)]).collect(),
        };
        for life in 1..self.parts.len() {
            let made = self.write_one(alloc, life, analysis, &mut lives.views);
            lives.allocs.extend(made.map(|made| (life, made)));
        }
        // Shared views that the first live range does not use.
        for (view, ops) in self.views.iter().zip(&mut lives.views).rev() {
            if results(view.op).all(|value| uses(value).next().is_none()) {
                erase(view.op);
                ops.remove(0);
            }
        }
        lives
    }

    /// Creates the allocation and the views of a live range.
    fn write_one(
        &self,
        alloc: Op<'c>,
        life: usize,
        analysis: &Analysis<'c>,
        made_views: &mut [Vec<(usize, Op<'c>)>],
    ) -> Option<Op<'c>> {
        let first = self.parts[life].first()?;
        let first = analysis.handles.op_at(first.position)?;
        let made = copy_before(alloc, parent_block(first)?, first)?;
        let value = results(made).next()?;
        let mut views: FxHashMap<usize, Val<'c>> = FxHashMap::default();
        for one in &self.parts[life] {
            let Some(of) = one.of else {
                set_operand(one.op, one.operand, value);
                continue;
            };
            let before = analysis.handles.op_at(one.position)?;
            // Views on the path to it that the live range does not have yet.
            let mut missing = Vec::new();
            let mut next = Some(of);
            while let Some(view) = next.filter(|view| !views.contains_key(view)) {
                missing.push(view);
                next = self.views[view].of;
            }
            for view in missing.into_iter().rev() {
                let shared = &self.views[view];
                let copy = copy_before(shared.op, parent_block(before)?, before)?;
                let source = shared.of.map_or(Some(value), |of| views.get(&of).copied());
                set_operand(copy, shared.operand, source?);
                views.insert(view, results(copy).next()?);
                made_views[view].push((life, copy));
            }
            set_operand(one.op, one.operand, *views.get(&of)?);
        }
        Some(made)
    }
}

impl<'c> At<'_, 'c> {
    /// Live ranges in which an operation, or the users of its view, touch the buffer: sorted, without
    /// duplicates.
    fn lives_of(&mut self, op: Op<'c>, lives: &mut Vec<usize>, depth: usize) -> Option<()> {
        let is_view = self.semantics.part(op).is_some() || is_described_view(op);
        if is_view && depth < DEEPEST {
            for view in results(op) {
                for (user, _) in uses(view) {
                    self.lives_of(user, lives, depth + 1)?;
                }
            }
            return Some(());
        }
        if results(op).any(|result| is_memref(type_of(result))) {
            return None;
        }
        let position = self.position(op)?;
        let after = self.live.partition_point(|(start, _)| *start <= position);
        let life = after.checked_sub(1)?;
        if let Err(place) = lives.binary_search(&life) {
            lives.insert(place, life);
        }
        (position < self.live[life].1).then_some(())
    }

    /// Position of an operation, or of its ancestor, in the block.
    fn position(&self, op: Op<'c>) -> Option<Position> {
        let mut at = op;
        while parent_block(at)?.key() != self.block.key() {
            at = parent(at)?;
        }
        self.positions.get(&at.key()).copied()
    }
}

/// Largest depth of views that are followed.
const DEEPEST: usize = 16;
