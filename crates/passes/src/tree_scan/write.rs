//! Writes a layout into a function: one stack, views of it, and moves.
//!
//! A view of a buffer that has moved is made again where it is used next on a path, from the buffer at its
//! new place. The function is walked in preorder, and what is known on a path is taken back behind it.

use super::{read::Reading, settings::StackPlacement, stack::Stack, uses::is_view};
use crate::dropped;
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
    home: StackPlacement,
    semantics: &mut Semantics,
) -> Result<(), BuildError> {
    let block = reading.blocks.first().ok_or_else(BuildError::signature)?;
    let like = reading
        .values
        .iter()
        .find(|value| is_memref(type_of(**value)));
    let like = type_of(*like.ok_or_else(BuildError::signature)?);
    let unit = reading.tree.unit();
    let stack = Stack::make(function, *block, like, layout.peak, unit, home)?;
    let mut writer = Writer {
        reading,
        layout,
        stack,
        semantics,
        sizes: reading.tree.rounded(),
        versions: vec![0; reading.tree.values.len()],
        bases: vec![None; reading.tree.values.len()],
        views: FxHashMap::default(),
        trail: Vec::new(),
        next_version: 0,
        moved: moved(layout),
        originals: FxHashMap::default(),
        here: reading.blocks.iter().map(Identity::key).collect(),
        gone: Vec::new(),
        ended: Vec::new(),
    };
    writer.walk()?;
    let Writer { stack, gone, .. } = writer;
    dropped::erase_all(&reading.memory.analysis);
    // Uses come before what they use.
    for op in gone.into_iter().rev() {
        erase(op);
    }
    stack.free(&reading.memory.analysis)
}

/// Values that are moved anywhere.
fn moved(layout: &Layout) -> FxHashSet<ValueId> {
    let all = layout.relocations.iter().flat_map(|one| &one.motions);
    all.flat_map(|motion| match motion {
        Motion::Move { value, .. } => [*value, *value],
        Motion::Swap { below, above, .. } => [*below, *above],
    })
    .collect()
}

/// A view as it is now, and which places of its buffers it was made from.
#[derive(Clone)]
struct MadeView<'c> {
    now: Val<'c>,
    versions: SmallVec<[u32; 2]>,
}

/// What a change hid.
enum Before<'c> {
    Base(ValueId, Option<Val<'c>>, u32),
    View(Key, Option<MadeView<'c>>),
}

struct Writer<'c, 'r> {
    reading: &'r Reading<'c>,
    layout: &'r Layout,
    stack: Stack<'c>,
    semantics: &'r mut Semantics,
    sizes: Vec<u64>,
    /// For each buffer, which of its places it has: a number of its own each time.
    versions: Vec<u32>,
    /// For each buffer, the view that stands for it.
    bases: Vec<Option<Val<'c>>>,
    /// Views of buffers that move.
    views: FxHashMap<Key, MadeView<'c>>,
    trail: Vec<Before<'c>>,
    next_version: u32,
    moved: FxHashSet<ValueId>,
    /// What views used that were made again.
    originals: FxHashMap<Key, SmallVec<[Val<'c>; 4]>>,
    /// The blocks of the tree.
    here: FxHashSet<Key>,
    /// Operations that go, in preorder.
    gone: Vec<Op<'c>>,
    /// Buffers that the program has ended, whose address was taken.
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
            self.go_back(mark);
            let block = self.reading.blocks[index];
            let all: Vec<Op<'c>> = ops(block).collect();
            for op in all {
                // It goes at the end.
                if self.reading.memory.is_dropped(op) {
                    let ended = self.reading.ended.get(&op.key());
                    self.ended.extend(ended.map(|value| i64::from(value.0)));
                    continue;
                }
                if let Some(relocation) = relocations.get(&op.key()) {
                    self.relocate(op, relocation)?;
                }
                self.op(op, block)?;
            }
            marks.push(self.trail.len());
        }
        Ok(())
    }

    fn go_back(&mut self, mark: usize) {
        while self.trail.len() > mark {
            match self.trail.pop() {
                Some(Before::Base(value, base, version)) => {
                    self.bases[value.index()] = base;
                    self.versions[value.index()] = version;
                }
                Some(Before::View(key, Some(known))) => {
                    self.views.insert(key, known);
                }
                Some(Before::View(key, None)) => {
                    self.views.remove(&key);
                }
                None => {}
            }
        }
    }

    /// Puts a buffer at a place, from here on; at the first, or at one that it moves to.
    fn place(
        &mut self,
        value: ValueId,
        offset: u64,
        builder: &Builder<'c>,
        moves: bool,
    ) -> Result<Val<'c>, BuildError> {
        let memref = type_of(self.reading.values[value.index()]);
        let (view, op) = self.stack.view(offset, memref, value.0, builder)?;
        self.tell_ended(op);
        if moves {
            build::mark(op, MOVE);
        }
        if self.reading.addressed.contains(&value) {
            build::mark(op, PINNED);
        }
        let index = value.index();
        self.trail
            .push(Before::Base(value, self.bases[index], self.versions[index]));
        self.next_version += 1;
        self.bases[index] = Some(view);
        self.versions[index] = self.next_version;
        Ok(view)
    }

    fn op(&mut self, op: Op<'c>, block: Block<'c>) -> Result<(), BuildError> {
        let result = results(op).next();
        let made = result.and_then(|result| {
            let buffer = match self.reading.planned(result).as_slice() {
                [only] => *only,
                _ => return None,
            };
            (self.reading.values[buffer.index()].key() == result.key()).then_some(buffer)
        });
        if let (Some(value), Some(result)) = (made, result) {
            let builder = Builder::before(op, op.location()).ok_or_else(BuildError::signature)?;
            let offset = self.layout.offsets[value.index()];
            let view = self.place(value, offset, &builder, false)?;
            if !self.moved.contains(&value) {
                replace_all_uses(result, view);
            }
            self.gone.push(op);
            return Ok(());
        }
        self.tell_ended(op);
        if self.moved.is_empty() {
            return Ok(());
        }
        if is_view(op, self.semantics) && results(op).any(|result| !self.moving(result).is_empty())
        {
            self.originals.insert(op.key(), operands(op).collect());
        }
        self.renew(op, block)?;
        // A view that is made here is of its buffers' places of now.
        for result in results(op).filter(|result| is_memref(type_of(*result))) {
            let buffers = self.moving(result);
            if !buffers.is_empty() {
                self.know(result, result, &buffers);
            }
        }
        Ok(())
    }

    /// Says in front of which operation buffers have ended whose address was taken.
    fn tell_ended(&mut self, op: Op<'c>) {
        if !self.ended.is_empty() {
            build::set_integers(op, ENDED, &self.ended);
            self.ended.clear();
        }
    }

    /// Those of a value's buffers that are ever moved.
    fn moving(&self, value: Val<'c>) -> SmallVec<[ValueId; 2]> {
        let mut buffers = self.reading.planned(value);
        buffers.retain(|buffer| self.moved.contains(buffer));
        buffers
    }

    fn know(&mut self, value: Val<'c>, now: Val<'c>, buffers: &[ValueId]) {
        let known = MadeView {
            now,
            versions: self.versions_of(buffers),
        };
        let before = self.views.insert(value.key(), known);
        self.trail.push(Before::View(value.key(), before));
    }

    fn versions_of(&self, buffers: &[ValueId]) -> SmallVec<[u32; 2]> {
        let versions = buffers.iter().map(|buffer| self.versions[buffer.index()]);
        versions.collect()
    }

    /// Makes an operation use everything at its place of now.
    fn renew(&mut self, op: Op<'c>, block: Block<'c>) -> Result<(), BuildError> {
        let mut wanted: SmallVec<[Val<'c>; 4]> = SmallVec::new();
        substitute(op, &mut |value| {
            if is_memref(type_of(value)) {
                wanted.push(value);
            }
            None
        });
        let mut renewed: SmallVec<[(Key, Val<'c>); 4]> = SmallVec::new();
        for value in wanted {
            if let Some(now) = self.now(value, op, block)? {
                renewed.push((value.key(), now));
            }
        }
        if !renewed.is_empty() {
            substitute(op, &mut |value| {
                let found = renewed.iter().find(|(key, _)| *key == value.key());
                found.map(|(_, now)| *now)
            });
        }
        Ok(())
    }

    /// What stands for a value in front of `op`; `None`: itself.
    fn now(
        &mut self,
        value: Val<'c>,
        op: Op<'c>,
        block: Block<'c>,
    ) -> Result<Option<Val<'c>>, BuildError> {
        let buffers = self.moving(value);
        if buffers.is_empty() {
            return Ok(None);
        }
        if let [only] = buffers.as_slice()
            && self.reading.values[only.index()].key() == value.key()
        {
            return Ok(self.bases[only.index()]);
        }
        let Some(Origin::Result(view, number)) = origin(value) else {
            return Ok(None);
        };
        if let Some(known) = self.views.get(&value.key())
            && known.versions == self.versions_of(&buffers)
        {
            return Ok(Some(known.now));
        }
        // What is made inside of the operation is made of what it uses.
        let is_outside = parent_block(view).is_some_and(|home| self.is_of_tree(home));
        if !is_outside || !is_view(view, self.semantics) {
            return Ok(None);
        }
        let copy = copy_before(view, block, op).ok_or_else(BuildError::signature)?;
        // The view itself was made to use what stood for its operands where it is.
        for (index, operand) in self.originals[&view.key()].clone().into_iter().enumerate() {
            set_operand(copy, index, operand);
        }
        self.renew(copy, block)?;
        let Some(now) = results(copy).nth(number) else {
            return Err(BuildError::signature());
        };
        self.know(value, now, &buffers);
        Ok(Some(now))
    }

    fn is_of_tree(&self, block: Block<'c>) -> bool {
        self.here.contains(&block.key())
    }

    fn relocate(&mut self, op: Op<'c>, relocation: &Relocation) -> Result<(), BuildError> {
        let builder = Builder::before(op, op.location()).ok_or_else(BuildError::signature)?;
        for motion in &relocation.motions {
            // Only what an operation makes and reads at once changes places, which no buffers do.
            let Motion::Move { value, from, to } = *motion else {
                return Err(BuildError::signature());
            };
            let source = self.bases[value.index()].ok_or_else(BuildError::signature)?;
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

    /// Copies a buffer between places that overlap, element by element, from the end that is not overwritten
    /// first.
    fn copy(
        &mut self,
        source: Val<'c>,
        target: Val<'c>,
        down: bool,
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
        let last = match down {
            true => None,
            false => Some(self.stack.index(count.saturating_sub(1))?),
        };
        builder.for_each(bounds, |inner, turn| {
            let at = match last {
                None => turn,
                Some(last) => inner.subtract(last, turn)?,
            };
            let value = inner.load(source, &[at], element)?;
            inner.store(value, target, &[at])
        })
    }
}
