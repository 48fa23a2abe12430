//! Buffers whose contents are copied to memory of the caller, or computed there element by element: they become that memory.
//!
//! `accesses` knows who may see the difference, and `read` finds the buffers.

mod accesses;
mod read;

use super::{
    globals::Globals,
    read::{Declined, Positions},
    write::{Order, forget, replace},
};
use memplan_lifetimes::{Analysis, program::Position};
use memplan_mlir::{
    ir::{Identity, Key, Op, Origin, Val, erase, origin, type_of},
    strides::reshaped_view,
};
use memplan_semantics::Semantics;
use rustc_hash::FxHashSet;

/// A buffer that becomes memory of the caller.
pub struct Target<'c> {
    /// Its value.
    value: Val<'c>,
    /// The memory.
    view: Val<'c>,
    /// Whether the buffer is the memory in another shape.
    reshaped: bool,
    /// The operation that writes the memory as it reads the buffer.
    op: Op<'c>,
    /// Whether it only copies.
    copies: bool,
    /// The position before which the view is needed.
    first: Position,
    /// The copy from that memory that fills the buffer.
    initial: Option<Op<'c>>,
}

/// What was done in a function, and what was not.
#[derive(Default)]
pub struct Found<'c> {
    /// The allocations that are gone.
    pub gone: FxHashSet<Key>,
    /// Copies that stay.
    pub refused: Vec<Declined<'c>>,
}

/// Lets buffers be memory of the caller. `says` is called for each operation that copied one, before the change. The
/// analysis is invalid if there are any.
pub fn run<'c>(
    function: Op<'c>,
    analysis: &Analysis<'c>,
    semantics: &mut Semantics,
    globals: &Globals<'c>,
    says: impl Fn(Op<'c>),
) -> Found<'c> {
    let mut found = Found::default();
    if analysis.program.arguments == 0 {
        return found;
    }
    let positions = Positions::of(analysis);
    let (targets, refused) = read::read(function, analysis, &positions, semantics, globals);
    found.refused = refused;
    let mut order = Order::new(analysis, &positions);
    for target in &targets {
        order.raise_value(target.view, target.first);
    }
    for target in targets {
        says(target.op);
        forget(target.value, semantics);
        let at = analysis.handles.op_at(target.first);
        let view = match at.filter(|_| target.reshaped) {
            Some(at) => reshaped_view(at, target.view, type_of(target.value)),
            None => target.view,
        };
        replace(target.value, view, semantics);
        if target.copies {
            erase(target.op);
        }
        if let Some(initial) = target.initial {
            erase(initial);
        }
        if let Some(Origin::Result(alloc, _)) = origin(target.value) {
            found.gone.insert(alloc.key());
            erase(alloc);
        }
    }
    found
}
