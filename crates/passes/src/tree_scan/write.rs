//! Writes a layout into a function: one stack, views of it, and moves.
//!
//! A view of a buffer that has moved is recomputed before its next use on a path, from the buffer at its new
//! offset. The blocks are visited in preorder. Changes of the current views on a path are undone when the
//! walk leaves it.

use super::{read::Reading, settings::StackPlacement, stack::Stack, uses::is_view};
use crate::erased_ops;
use memplan_bounded::{Layout, Motion, Relocation, ValueId};
use memplan_mlir::{
    build::{self, BuildError, Builder},
    copy::{copy_before, substitute},
    ir::{
        Block, Identity, Key, Op, Origin, Val, erase, is_memref, operands, ops, origin,
        parent_block, replace_all_uses, results, type_of,
    },
    melior::ir::operation::OperationLike,
    values::set_operand,
};
use memplan_semantics::{
    Semantics,
    attributes::{ENDED, MOVE, PINNED},
};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// Writes a layout. The stack has at least one byte.
pub fn write<'c>(
    function: Op<'c>,
    reading: &Reading<'c>,
    layout: &Layout,
    placement: StackPlacement,
    semantics: &mut Semantics,
) -> Result<(), BuildError> {
    let block = reading.blocks.first().ok_or_else(BuildError::unexpected)?;
    let like = reading
        .values
        .iter()
        .find(|value| is_memref(type_of(**value)));
    let like = type_of(*like.ok_or_else(BuildError::unexpected)?);
    let unit = reading.tree.unit();
    let stack = Stack::create(function, *block, like, layout.peak, unit, placement)?;
    let mut writer = Writer {
        reading,
        layout,
        stack,
        semantics,
        sizes: reading.tree.rounded(),
        versions: vec![0; reading.tree.values.len()],
        current_views: vec![None; reading.tree.values.len()],
        views: FxHashMap::default(),
        undo_log: Vec::new(),
        next_version: 0,
        moved: moved(layout),
        originals: FxHashMap::default(),
        tree_blocks: reading.blocks.iter().map(Identity::key).collect(),
        erased: Vec::new(),
        ended: Vec::new(),
    };
    writer.walk()?;
    let Writer { stack, erased, .. } = writer;
    erased_ops::erase_all(&reading.memory.analysis);
    // Users before the operations that they use.
    for op in erased.into_iter().rev() {
        erase(op);
    }
    stack.free(&reading.memory.analysis)
}

/// Values that move anywhere.
fn moved(layout: &Layout) -> FxHashSet<ValueId> {
    let all = layout.relocations.iter().flat_map(|one| &one.motions);
    all.flat_map(|motion| match motion {
        Motion::Move { value, .. } => [*value, *value],
        Motion::Swap { below, above, .. } => [*below, *above],
    })
    .collect()
}

/// The current value of a view, and the versions of its buffers from which it was computed.
#[derive(Clone)]
struct CurrentView<'c> {
    current: Val<'c>,
    versions: SmallVec<[u32; 2]>,
}

/// A previous state, to undo a change.
enum Undo<'c> {
    Base(ValueId, Option<Val<'c>>, u32),
    View(Key, Option<CurrentView<'c>>),
}

struct Writer<'c, 'r> {
    reading: &'r Reading<'c>,
    layout: &'r Layout,
    stack: Stack<'c>,
    semantics: &'r mut Semantics,
    sizes: Vec<u64>,
    /// For each buffer, its version: each offset that it has on a path has a number of its own.
    versions: Vec<u32>,
    /// For each buffer, the view of the stack that replaces it.
    current_views: Vec<Option<Val<'c>>>,
    /// Views of buffers that move.
    views: FxHashMap<Key, CurrentView<'c>>,
    undo_log: Vec<Undo<'c>>,
    next_version: u32,
    moved: FxHashSet<ValueId>,
    /// The operands of views that were recomputed, as they were before.
    originals: FxHashMap<Key, SmallVec<[Val<'c>; 4]>>,
    /// The blocks of the tree.
    tree_blocks: FxHashSet<Key>,
    /// Operations to erase, in preorder.
    erased: Vec<Op<'c>>,
    /// Buffers that the program has freed, whose address was taken.
    ended: Vec<i64>,
}

impl<'c> Writer<'c, '_> {
    fn walk(&mut self) -> Result<(), BuildError> {
        let relocations: FxHashMap<Key, &Relocation> = self
            .layout
            .relocations
            .iter()
            .filter_map(|one| Some((self.reading.steps[one.step.index()]?.key(), one)))
            .collect();
        let mut marks: Vec<usize> = Vec::with_capacity(self.reading.blocks.len());
        for (index, segment) in self.reading.tree.segments.iter().enumerate() {
            let mark = segment.parent.map_or(0, |parent| marks[parent.index()]);
            self.undo_to(mark);
            let block = self.reading.blocks[index];
            let all: Vec<Op<'c>> = ops(block).collect();
            for op in all {
                // It is erased at the end.
                if self.reading.memory.is_erased(op) {
                    let ended = self.reading.ended.get(&op.key());
                    self.ended.extend(ended.map(|value| i64::from(value.0)));
                    continue;
                }
                if let Some(relocation) = relocations.get(&op.key()) {
                    self.relocate(op, relocation)?;
                }
                self.rewrite_op(op, block)?;
            }
            marks.push(self.undo_log.len());
        }
        Ok(())
    }

    fn undo_to(&mut self, mark: usize) {
        while self.undo_log.len() > mark {
            match self.undo_log.pop() {
                Some(Undo::Base(value, base, version)) => {
                    self.current_views[value.index()] = base;
                    self.versions[value.index()] = version;
                }
                Some(Undo::View(key, Some(known))) => {
                    self.views.insert(key, known);
                }
                Some(Undo::View(key, None)) => {
                    self.views.remove(&key);
                }
                None => {}
            }
        }
    }

    /// Places a buffer at an offset from here on: the first one, or, if it `moves`, a new one.
    fn place(
        &mut self,
        value: ValueId,
        offset: u64,
        builder: &Builder<'c>,
        moves: bool,
    ) -> Result<Val<'c>, BuildError> {
        let memref = type_of(self.reading.values[value.index()]);
        let (view, op) = self.stack.view(offset, memref, value.0, builder)?;
        self.annotate_ended(op);
        if moves {
            build::mark(op, MOVE);
        }
        if self.reading.address_taken.contains(&value) {
            build::mark(op, PINNED);
        }
        let index = value.index();
        self.undo_log.push(Undo::Base(
            value,
            self.current_views[index],
            self.versions[index],
        ));
        self.next_version += 1;
        self.current_views[index] = Some(view);
        self.versions[index] = self.next_version;
        Ok(view)
    }

    fn rewrite_op(&mut self, op: Op<'c>, block: Block<'c>) -> Result<(), BuildError> {
        let result = results(op).next();
        let defined = result.and_then(|result| {
            let buffer = match self.reading.planned(result).as_slice() {
                [only] => *only,
                _ => return None,
            };
            (self.reading.values[buffer.index()].key() == result.key()).then_some(buffer)
        });
        if let (Some(value), Some(result)) = (defined, result) {
            let builder = Builder::before(op, op.location()).ok_or_else(BuildError::unexpected)?;
            let offset = self.layout.offsets[value.index()];
            let view = self.place(value, offset, &builder, false)?;
            if !self.moved.contains(&value) {
                replace_all_uses(result, view);
            }
            self.erased.push(op);
            return Ok(());
        }
        self.annotate_ended(op);
        if self.moved.is_empty() {
            return Ok(());
        }
        if is_view(op, self.semantics)
            && results(op).any(|result| !self.moving_buffers(result).is_empty())
        {
            self.originals.insert(op.key(), operands(op).collect());
        }
        self.update_operands(op, block)?;
        // A view that is created here is one of the current versions.
        for result in results(op).filter(|result| is_memref(type_of(*result))) {
            let buffers = self.moving_buffers(result);
            if !buffers.is_empty() {
                self.record_view(result, result, &buffers);
            }
        }
        Ok(())
    }

    /// Annotates the next operation with the buffers that have ended before it, whose address was taken.
    fn annotate_ended(&mut self, op: Op<'c>) {
        if !self.ended.is_empty() {
            build::set_integers(op, ENDED, &self.ended);
            self.ended.clear();
        }
    }

    /// The buffers of a value that move anywhere.
    fn moving_buffers(&self, value: Val<'c>) -> SmallVec<[ValueId; 2]> {
        let mut buffers = self.reading.planned(value);
        buffers.retain(|buffer| self.moved.contains(buffer));
        buffers
    }

    fn record_view(&mut self, value: Val<'c>, current: Val<'c>, buffers: &[ValueId]) {
        let known = CurrentView {
            current,
            versions: self.versions_of(buffers),
        };
        let before = self.views.insert(value.key(), known);
        self.undo_log.push(Undo::View(value.key(), before));
    }

    fn versions_of(&self, buffers: &[ValueId]) -> SmallVec<[u32; 2]> {
        let versions = buffers.iter().map(|buffer| self.versions[buffer.index()]);
        versions.collect()
    }

    /// Replaces the operands of an operation by their current values.
    fn update_operands(&mut self, op: Op<'c>, block: Block<'c>) -> Result<(), BuildError> {
        let mut memrefs: SmallVec<[Val<'c>; 4]> = SmallVec::new();
        substitute(op, &mut |value| {
            if is_memref(type_of(value)) {
                memrefs.push(value);
            }
            None
        });
        let mut renewed: SmallVec<[(Key, Val<'c>); 4]> = SmallVec::new();
        for value in memrefs {
            if let Some(current) = self.current_value(value, op, block)? {
                renewed.push((value.key(), current));
            }
        }
        if !renewed.is_empty() {
            substitute(op, &mut |value| {
                let found = renewed.iter().find(|(key, _)| *key == value.key());
                found.map(|(_, current)| *current)
            });
        }
        Ok(())
    }

    /// The value that replaces `value` before `op`; `None` if it stays.
    fn current_value(
        &mut self,
        value: Val<'c>,
        op: Op<'c>,
        block: Block<'c>,
    ) -> Result<Option<Val<'c>>, BuildError> {
        let buffers = self.moving_buffers(value);
        if buffers.is_empty() {
            return Ok(None);
        }
        if let [only] = buffers.as_slice()
            && self.reading.values[only.index()].key() == value.key()
        {
            return Ok(self.current_views[only.index()]);
        }
        let Some(Origin::Result(view, number)) = origin(value) else {
            return Ok(None);
        };
        if let Some(known) = self.views.get(&value.key())
            && known.versions == self.versions_of(&buffers)
        {
            return Ok(Some(known.current));
        }
        // A view that is created in the operation is computed from operands that are replaced anyway.
        let is_outside = parent_block(view).is_some_and(|block| self.is_of_tree(block));
        if !is_outside || !is_view(view, self.semantics) {
            return Ok(None);
        }
        let copy = copy_before(view, block, op).ok_or_else(BuildError::unexpected)?;
        // The operands of the view itself were replaced by those that were current there.
        for (index, operand) in self.originals[&view.key()].clone().into_iter().enumerate() {
            set_operand(copy, index, operand);
        }
        self.update_operands(copy, block)?;
        let Some(current) = results(copy).nth(number) else {
            return Err(BuildError::unexpected());
        };
        self.record_view(value, current, &buffers);
        Ok(Some(current))
    }

    fn is_of_tree(&self, block: Block<'c>) -> bool {
        self.tree_blocks.contains(&block.key())
    }

    fn relocate(&mut self, op: Op<'c>, relocation: &Relocation) -> Result<(), BuildError> {
        let builder = Builder::before(op, op.location()).ok_or_else(BuildError::unexpected)?;
        for motion in &relocation.motions {
            // Values swap only at an operation that reads its operands and defines its results at the same
            // time. Buffers are no such values.
            let Motion::Move { value, from, to } = *motion else {
                return Err(BuildError::unexpected());
            };
            let source = self.current_views[value.index()].ok_or_else(BuildError::unexpected)?;
            let target = self.place(value, to, &builder, true)?;
            let is_apart = from.abs_diff(to) >= self.sizes[value.index()];
            let copy = match is_apart {
                true => builder.copy(source, target)?,
                false => self.copy(source, target, to < from, &builder)?,
            };
            build::mark(copy, MOVE);
        }
        Ok(())
    }

    /// Copies a buffer between overlapping ranges, element by element. It starts at the end that the copy
    /// overwrites last.
    fn copy(
        &mut self,
        source: Val<'c>,
        target: Val<'c>,
        downward: bool,
        builder: &Builder<'c>,
    ) -> Result<Op<'c>, BuildError> {
        let (source, count, element) = builder.flattened(source)?;
        let (target, ..) = builder.flattened(target)?;
        let count = count.cast_unsigned();
        let bounds = [
            self.stack.index(0)?,
            self.stack.index(count)?,
            self.stack.index(1)?,
        ];
        let last = match downward {
            true => None,
            false => Some(self.stack.index(count.saturating_sub(1))?),
        };
        builder.for_each(bounds, |inner, iteration| {
            let at = match last {
                None => iteration,
                Some(last) => inner.subtract(last, iteration)?,
            };
            let value = inner.load(source, &[at], element)?;
            inner.store(value, target, &[at])
        })
    }
}
