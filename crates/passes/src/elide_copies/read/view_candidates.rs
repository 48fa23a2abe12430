//! Copies and broadcasts that could be views of their sources, and copies that could be views of earlier ones.

use super::{Declined, Fact, Facts, outside::Outside, pinned, uses_at};
use crate::elide_copies::{buffer_part::BufferPart, globals::Globals};
use memplan_declarations::elide_copies::Refusal;
use memplan_lifetimes::{
    Analysis,
    program::{BlockId, BufferId, Position, Use, UseKind, ValueId, ValueKind},
};
use memplan_mlir::{
    ir::{Op, Type, Val, type_of},
    layout::memory_space,
    strides::{broadcast_type, have_same_elements, transposed_type},
};
use memplan_semantics::{Broadcast, Copy, Semantics, op_memory::OperandNumber};
use rustc_hash::FxHashMap;

/// A copy to all of a buffer, perhaps with permuted dimensions, that no other operation writes: it could be a
/// view.
pub struct ViewCandidate<'c> {
    /// The source.
    pub source: Val<'c>,
    /// The buffer of the source; `None` for other memory.
    pub buffer: Option<BufferId>,
    /// The part of it.
    pub place: BufferPart,
    /// The copy.
    pub to: BufferId,
    /// How the view differs from its source.
    pub view: ViewKind,
    /// The type of the view.
    pub form: Type<'c>,
    /// The operation.
    pub op: Op<'c>,
    /// Its position.
    pub position: Position,
    /// Position after the last use of the copy.
    pub end: Position,
}

/// A kind of view.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ViewKind {
    /// The source itself.
    Same,
    /// Dimension i is this dimension of the source.
    Transposed(Vec<i64>),
    /// Dimension i is this dimension of the source; for -1, each index reads the same.
    Broadcast(Vec<i64>),
}

impl ViewKind {
    /// The operands that `op` reads and writes, and the kind of view of one that the other holds then.
    pub fn of(
        op: Op<'_>,
        semantics: &mut Semantics,
    ) -> Option<(OperandNumber, OperandNumber, Self)> {
        if let Some(Copy { from, to, order }) = semantics.copy(op) {
            return Some((from, to, order.map_or(Self::Same, Self::Transposed)));
        }
        let Broadcast { from, to, order } = semantics.broadcast(op)?;
        Some((from, to, Self::Broadcast(order)))
    }

    /// The type of such a view of a memref that has the shape of another one.
    fn form<'c>(&self, source: Type<'c>, target: Type<'c>) -> Option<Type<'c>> {
        match self {
            Self::Same => Some(source),
            Self::Transposed(order) => transposed_type(source, order),
            Self::Broadcast(order) => broadcast_type(source, target, order),
        }
    }
}

/// Finds copies that no other operation writes; checks sources outside of the function's buffers.
pub(super) fn find<'c>(
    analysis: &Analysis<'c>,
    facts: &mut Facts<'c>,
    semantics: &mut Semantics,
    globals: &Globals<'c>,
) {
    let mut finder = Finder {
        analysis,
        globals,
        outside: None,
        written: None,
        earlier: FxHashMap::default(),
    };
    for (position, op) in &analysis.handles.ops {
        let Some((.., view)) = ViewKind::of(*op, semantics) else {
            continue;
        };
        let Some(copy) = CopyToBuffer::of(analysis, *position, *op, view) else {
            continue;
        };
        let again = finder.as_earlier(facts, semantics, &copy);
        let found = finder.candidate(facts, semantics, copy);
        let declined = |because| Declined {
            op: *op,
            position: *position,
            because,
        };
        match found {
            Ok(one) => facts.view_candidates.push(one),
            Err(because) => facts.declined.push(declined(because)),
        }
        facts.view_candidates.extend(again);
    }
}

/// A copy to all of a buffer of the function.
struct CopyToBuffer<'a, 'c> {
    op: Op<'c>,
    position: Position,
    view: ViewKind,
    read: &'a Use,
    written: &'a Use,
    to: BufferId,
}

impl<'a, 'c> CopyToBuffer<'a, 'c> {
    /// `None` if the operation writes no buffer of the function, or a part of one.
    fn of(
        analysis: &'a Analysis<'c>,
        position: Position,
        op: Op<'c>,
        view: ViewKind,
    ) -> Option<Self> {
        let program = &analysis.program;
        let [read, written] = uses_at(program, position) else {
            return None;
        };
        match program.values[written.value.index()].kind {
            ValueKind::Alloc(to) if read.value != written.value => Some(Self {
                op,
                position,
                view,
                read,
                written,
                to,
            }),
            _ => None,
        }
    }

    /// The position after the last use of the buffer, if it is written once, and used in the block of the copy.
    fn end(&self, analysis: &Analysis<'c>, facts: &Facts<'c>) -> Result<Position, Refusal> {
        let program = &analysis.program;
        let fact = &facts.buffers[self.to.index()];
        let (Some(own), true) = (fact.place, fact.moves) else {
            return Err(pinned(analysis, [self.to, self.to]));
        };
        let live = &analysis.plannable[own].live;
        let block = &program.blocks[self.written.block.index()];
        let is_once = live.len() == 1 && live[0].0 == self.position;
        if self.written.kind != UseKind::Overwrite || !is_once {
            return Err(Refusal::Written);
        }
        if program.buffers[self.to.index()].block != self.written.block || live[0].1 > block.end {
            return Err(Refusal::Elsewhere);
        }
        Ok(live[0].1)
    }
}

/// What is known about sources.
struct Finder<'a, 'c> {
    analysis: &'a Analysis<'c>,
    globals: &'a Globals<'c>,
    outside: Option<Outside>,
    /// For each buffer, positions of writes.
    written: Option<Vec<Vec<Position>>>,
    /// The last copy of a value in a block, and the buffer that holds it.
    earlier: FxHashMap<(ValueId, BlockId, ViewKind), (Position, BufferId)>,
}

impl<'c> Finder<'_, 'c> {
    /// A copy that could be a view, or the reason against it.
    fn candidate(
        &mut self,
        facts: &Facts<'c>,
        semantics: &mut Semantics,
        copy: CopyToBuffer<'_, 'c>,
    ) -> Result<ViewCandidate<'c>, Refusal> {
        let (program, aliases) = (&self.analysis.program, &self.analysis.aliases);
        let end = copy.end(self.analysis, facts)?;
        let source = self.analysis.handles.values[copy.read.value.index()];
        let target = type_of(facts.buffers[copy.to.index()].value);
        let form = copy.view.form(type_of(source), target);
        let form = form.filter(|form| have_same_elements(*form, target));
        let form = form.ok_or(match copy.view {
            ViewKind::Broadcast(_) => Refusal::Dynamic,
            _ => Refusal::Strides,
        })?;
        if memory_space(type_of(source)) != memory_space(target) {
            return Err(Refusal::MemorySpace);
        }
        let base = aliases.base(copy.read.value);
        let buffer = match program.values[base.index()].kind {
            ValueKind::Alloc(buffer) => Some(self.source_buffer(facts, buffer, copy.to)?),
            _ => {
                let times = (copy.position, end);
                match self.may_be_written(base, times, semantics) {
                    Some(false) => None,
                    Some(true) => return Err(Refusal::Written),
                    None => return Err(Refusal::Pinned),
                }
            }
        };
        Ok(ViewCandidate {
            source,
            buffer,
            place: match buffer {
                Some(buffer) => {
                    BufferPart::of(source, facts.buffers[buffer.index()].value, semantics)
                }
                None => BufferPart::WHOLE,
            },
            to: copy.to,
            view: copy.view,
            form,
            op: copy.op,
            position: copy.position,
            end,
        })
    }

    /// Checks a buffer that is copied.
    fn source_buffer(
        &self,
        facts: &Facts<'c>,
        buffer: BufferId,
        to: BufferId,
    ) -> Result<BufferId, Refusal> {
        let buffers = &self.analysis.program.buffers;
        if !facts.buffers[buffer.index()].takes || buffer == to {
            return Err(pinned(self.analysis, [buffer, to]));
        }
        match buffers[buffer.index()].scope == buffers[to.index()].scope {
            true => Ok(buffer),
            false => Err(Refusal::Elsewhere),
        }
    }

    /// Whether memory from outside of the function may be written or freed after the first position, and before the
    /// second; `None` if that is not known.
    fn may_be_written(
        &mut self,
        base: ValueId,
        times: (Position, Position),
        semantics: &mut Semantics,
    ) -> Option<bool> {
        let analysis = self.analysis;
        let is_argument = matches!(
            analysis.program.values[base.index()].kind,
            ValueKind::Argument(_)
        );
        if !is_argument {
            let value = analysis.handles.values[base.index()];
            self.globals.constant(value, semantics)?;
            return Some(false);
        }
        let outside = self.outside.get_or_insert_with(|| Outside::of(analysis));
        Some(outside.is_written(analysis, times, semantics))
    }

    /// The copy as a view of the buffer that an earlier one filled with the same contents, in the same block. Neither
    /// that buffer nor the source is written in between.
    fn as_earlier(
        &mut self,
        facts: &Facts<'c>,
        semantics: &mut Semantics,
        copy: &CopyToBuffer<'_, 'c>,
    ) -> Option<ViewCandidate<'c>> {
        let key = (copy.read.value, copy.written.block, copy.view.clone());
        let here = (copy.position, copy.to);
        let takes = |buffer: BufferId| facts.buffers[buffer.index()].takes;
        if copy.written.kind != UseKind::Overwrite || !takes(copy.to) {
            return None;
        }
        let (before, buffer) = match self.earlier.get(&key) {
            Some(earlier) if earlier.1 != copy.to => *earlier,
            _ => {
                self.earlier.insert(key, here);
                return None;
            }
        };
        let base = self.analysis.aliases.base(copy.read.value);
        let times = (before, copy.position);
        let is_source_written = match self.analysis.program.values[base.index()].kind {
            ValueKind::Alloc(source) => !takes(source) || self.is_written(source, times),
            _ => self.may_be_written(base, times, semantics).unwrap_or(true),
        };
        if is_source_written || self.is_written(buffer, times) {
            self.earlier.insert(key, here);
            return None;
        }
        let source = facts.buffers[buffer.index()].value;
        let target = type_of(facts.buffers[copy.to.index()].value);
        let is_same = have_same_elements(type_of(source), target)
            && memory_space(type_of(source)) == memory_space(target);
        let end = copy.end(self.analysis, facts).ok().filter(|_| is_same)?;
        Some(ViewCandidate {
            source,
            buffer: Some(self.source_buffer(facts, buffer, copy.to).ok()?),
            place: BufferPart::WHOLE,
            to: copy.to,
            view: ViewKind::Same,
            form: type_of(source),
            op: copy.op,
            position: copy.position,
            end,
        })
    }

    /// Whether a buffer to which only views refer is written between two positions.
    fn is_written(&mut self, buffer: BufferId, (after, end): (Position, Position)) -> bool {
        let (program, aliases) = (&self.analysis.program, &self.analysis.aliases);
        let written = self.written.get_or_insert_with(|| {
            let mut written = vec![Vec::new(); program.buffers.len()];
            for used in program.uses.iter().filter(|used| used.writes) {
                let base = aliases.base(used.value);
                if let ValueKind::Alloc(buffer) = program.values[base.index()].kind {
                    written[buffer.index()].push(used.position);
                }
            }
            written
        });
        let written = &written[buffer.index()];
        let next = written.partition_point(|position| *position <= after);
        written.get(next).is_some_and(|position| *position < end)
    }
}

/// Whether a buffer is written only by the copy, and read only after it.
pub(super) fn is_view_only(buffers: &[Fact<'_>], one: &ViewCandidate<'_>) -> bool {
    let copy = &buffers[one.to.index()];
    copy.first_user == one.position
        && copy
            .touches
            .iter()
            .all(|touch| !touch.writes || touch.position == one.position)
}
