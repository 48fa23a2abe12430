//! Whether one memory can have the old contents of a value and the new ones of a buffer: if nothing needs the old ones when
//! the new ones are written.

use super::{
    buffer_part::{BufferPart, have_same_addresses},
    read::Positions,
};
use memplan_lifetimes::{
    Analysis,
    program::{Position, Use, UseKind, ValueId},
};
use memplan_mlir::ir::{Block, type_of};
use memplan_semantics::Semantics;
use rustc_hash::FxHashMap;

/// The uses of each value and of its views.
pub struct UsesByBase(FxHashMap<ValueId, Vec<usize>>);

impl UsesByBase {
    pub fn of(analysis: &Analysis<'_>) -> Self {
        let mut all: FxHashMap<ValueId, Vec<usize>> = FxHashMap::default();
        for (number, used) in analysis.program.uses.iter().enumerate() {
            let base = analysis.aliases.base(used.value);
            all.entry(base).or_default().push(number);
        }
        Self(all)
    }

    /// The uses of a value and of its views, in program order.
    pub fn of_base<'a>(
        &'a self,
        analysis: &'a Analysis<'_>,
        base: ValueId,
    ) -> impl Iterator<Item = Use> + 'a {
        let numbers = self.0.get(&base).into_iter().flatten();
        numbers.map(|number| analysis.program.uses[*number])
    }
}

/// A read or write of a buffer.
struct Touch {
    /// The position of the operation of the block that does it, or that contains it.
    at: Position,
    part: BufferPart,
    used: Use,
}

/// Largest number of pairs of a use of the old contents, and a write of the new ones, that are compared.
const MOST_PAIRS: usize = 1 << 16;

/// Whether operations of a block use `old`, or a view of it, when they have written `new`, other than element by element, or
/// in other parts. Both have the same type, or hold as many elements in rows. All of their uses have to be in the block.
pub fn are_needed<'c>(
    analysis: &Analysis<'c>,
    uses: &UsesByBase,
    (old, new): (ValueId, ValueId),
    block: Block<'c>,
    positions: &Positions,
    semantics: &mut Semantics,
) -> bool {
    let value = |of: ValueId| analysis.handles.values[of.index()];
    // An operation of the block is one step, whatever is in it.
    let place = |at: Position| {
        let op = analysis.handles.op_at(at);
        op.and_then(|op| positions.in_block(op, block))
    };
    let mut touches = |base: ValueId, writes: bool| {
        let all = uses.of_base(analysis, base).filter(|used| {
            matches!(used.kind, UseKind::Touch | UseKind::Overwrite) && (used.writes || !writes)
        });
        let all = all.map(|used| {
            Some(Touch {
                at: place(used.position)?,
                part: BufferPart::of(value(used.value), value(base), semantics),
                used,
            })
        });
        all.collect::<Option<Vec<_>>>()
    };
    let (Some(mut later), Some(writes)) = (touches(old, false), touches(new, true)) else {
        return true;
    };
    let begin = writes.iter().map(|write| write.at).min();
    later.retain(|touch| begin.is_some_and(|begin| begin <= touch.at));
    if later.len().saturating_mul(writes.len()) > MOST_PAIRS {
        return true;
    }
    let [old, new] = [old, new].map(value);
    let has_same_indices = type_of(old) == type_of(new);
    let mut is_step = |touch: &Touch, write: &Touch| {
        let (read, written) = (touch.used.value, write.used.value);
        let position = touch.used.position;
        let steps = &analysis.program.in_step;
        let start = steps.partition_point(|step| step.position < position);
        let mut steps = steps[start..].iter();
        // In a loop of the block, all but the first time would read what was written.
        touch.at == position
            && write.used.position == position
            && !touch.used.writes
            && have_same_addresses((value(read), old), (value(written), new), semantics)
            && steps
                .by_ref()
                .take_while(|step| step.position == position)
                .any(|step| {
                    step.read == read
                        && step.written == written
                        && step.same_elements
                        && (step.copy.is_some() || !step.apart)
                })
    };
    later.iter().any(|touch| {
        writes.iter().any(|write| {
            let is_apart = match has_same_indices {
                true => touch.part.is_apart(&write.part),
                false => touch.part.has_no_element_of(&write.part),
            };
            write.at <= touch.at && !is_apart && !is_step(touch, write)
        })
    })
}
