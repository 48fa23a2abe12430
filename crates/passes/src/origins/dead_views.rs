//! Views that only deallocs named.

use super::{Reading, Site};
use memplan_mlir::ir::{Identity, Key, Op, Origin, Val, erase, is_unused, origin, results};
use memplan_ownership::function::ValueId;
use rustc_hash::FxHashSet;

/// The operations that make what deallocs name.
#[derive(Default)]
pub struct Named {
    ops: FxHashSet<Key>,
}

impl Named {
    /// With what a dealloc names.
    pub fn add(&mut self, site: &Site<'_>) {
        for operand in site.memrefs.iter().chain(&site.retained) {
            self.ops.extend(definition(operand.val).map(|op| op.key()));
        }
    }

    /// Erases those that are views and that nobody uses any more, and views of these values.
    pub fn erase(mut self, reading: &Reading<'_>, these: impl Fn(ValueId) -> bool) {
        for view in reading.views.iter().rev() {
            let goes = self.ops.contains(&view.op.key()) || these(view.id);
            if goes && results(view.op).all(is_unused) {
                // Which may be a view of a view.
                let source = definition(view.source);
                self.ops.extend(source.map(|op| op.key()));
                erase(view.op);
            }
        }
    }
}

fn definition(val: Val<'_>) -> Option<Op<'_>> {
    match origin(val)? {
        Origin::Result(op, _) => Some(op),
        Origin::Argument(..) => None,
    }
}
